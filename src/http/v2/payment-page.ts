import type { Failure } from '../../domain/failure.ts'
import type { HostedContext } from '../../usecases/hosted/context.ts'
import { createPageSession } from '../../usecases/hosted/create-page-session.ts'
import { invalid, RequestFault } from '../../wire/fault.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import {
  PaymentPageAnswer,
  PaymentPageCreated,
  PaymentPageRequest,
  readPaymentPageRequest,
} from '../../wire/v2/payment-page.ts'
import { created, type Endpoint } from '../endpoint.ts'
import { checkReturnUrl } from '../return-url.ts'
import { PAYMENT_PAGE_EXAMPLES } from './checkout-examples.ts'
import { HTTP_STATUS } from './faults.ts'

export const paymentPageEndpoint = (ctx: HostedContext): Endpoint => ({
  method: 'POST',
  path: '/v2/paymentpage',
  operationId: 'createPaymentPage',
  tag: 'payment-page',
  summary: 'Make a page for one deposit',
  description:
    'Answers HTTP 201 with the address of a page on which the customer pays; it is valid for 15 ' +
    'minutes. What you give is fixed; what you leave out the customer enters. The deposit exists ' +
    'once the customer has pressed Pay, and then it is a deposit like any other: until then the ' +
    'status check says NOT_FOUND, and there is no callback for a page that nobody used. ' +
    'Afterwards the customer comes back to `returnUrl` with `depositId` added to it; that says ' +
    'nothing about the outcome. HTTP 200 means that no page was made: check `status`.',
  access: { group: 'payment-page', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'depositId' },
  startsPayments: true,
  body: PaymentPageRequest,
  created: PaymentPageCreated,
  answer: PaymentPageAnswer,
  examples: PAYMENT_PAGE_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, body }) => {
    const command = {
      ...readPaymentPageRequest(body(), caller.merchant),
      generation: 'v2',
    } as const
    checkReturnUrl(ctx, caller.merchant, command.terms.returnUrl)
    const result = await createPageSession(ctx, caller.merchant, command)
    if (result.status === 'CREATED') return created({ redirectUrl: result.redirectUrl })
    const { idAsSent: depositId } = command
    if (result.status === 'DUPLICATE_IGNORED') return { depositId, status: result.status }
    const failure = orFault(result.failure, 'country')
    return { depositId, status: result.status, failureReason: fromFailure(failure) }
  },
})

/** A country of no use is a bad value in this generation; the account's lack of rights is a 403. */
export function orFault(failure: Failure, countryField: string): Failure {
  if (failure.code === 'INVALID_COUNTRY') {
    const problem = failure.message.replace(/^T/, 't').replace(/\.$/, '')
    throw invalid(countryField, problem)
  }
  if (HTTP_STATUS[failure.code] === 403) throw new RequestFault(failure.code, failure.message)
  return failure
}
