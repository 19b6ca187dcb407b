import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PageTerms } from '../../domain/hosted/page-session.ts'
import type { HostedContext } from '../../usecases/hosted/context.ts'
import { createPageSession, firstCurrency } from '../../usecases/hosted/create-page-session.ts'
import { WIDGET_CALL } from '../../wire/v1/migration.ts'
import {
  fromWidgetRefusal,
  LegacyWidgetAnswer,
  LegacyWidgetCreated,
  LegacyWidgetRequest,
  readWidgetRequest,
  type WidgetRequest,
} from '../../wire/v1/widget.ts'
import { created, type Endpoint } from '../endpoint.ts'
import { checkReturnUrl } from '../return-url.ts'
import { WIDGET_EXAMPLES } from './examples.ts'
import { legacy } from './legacy-calls.ts'

export const legacyWidgetEndpoint = (ctx: HostedContext): Endpoint => ({
  ...legacy('payment-page', 'write'),
  method: 'POST',
  path: WIDGET_CALL.replace('POST ', ''),
  operationId: 'legacyCreateWidgetSession',
  summary: 'Make a page for one deposit',
  description:
    'Answers HTTP 201 with the address of a page on which the customer pays. An `amount` needs a ' +
    '`country` and is in the first currency of that country.',
  replacement: 'POST /v2/paymentpage',
  startsPayments: true,
  body: LegacyWidgetRequest,
  created: LegacyWidgetCreated,
  answer: LegacyWidgetAnswer,
  examples: WIDGET_EXAMPLES,
  handle: async ({ caller, body }) => {
    const request = readWidgetRequest(body(), caller.merchant)
    checkReturnUrl(ctx, caller.merchant, request.terms.returnUrl)
    const { idAsSent: depositId } = request
    const terms = termsOf(ctx, caller.merchant, request)
    const command = { generation: 'v1', idAsSent: depositId, terms } as const
    const result = await createPageSession(ctx, caller.merchant, command)
    switch (result.status) {
      case 'CREATED':
        return created({ redirectUrl: result.redirectUrl })
      case 'DUPLICATE_IGNORED':
        return { depositId, status: result.status }
      case 'REJECTED':
        return fromWidgetRefusal(depositId, result.failure)
    }
  },
})

/** Where the country has no currency at all, it is the country that is refused. */
function termsOf(
  ctx: HostedContext,
  merchant: Merchant,
  { amount, terms }: WidgetRequest,
): PageTerms {
  if (amount === undefined) return terms
  const currency = firstCurrency(ctx, merchant, terms.country ?? '')
  return currency === undefined ? terms : { ...terms, amountDetails: { amount, currency } }
}
