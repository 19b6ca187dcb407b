import type { PaymentContext } from '../../usecases/payments/context.ts'
import { findSplit } from '../../usecases/payments/find-split-payment.ts'
import {
  initiateSplitPayment,
  type SplitFault,
} from '../../usecases/payments/initiate-split-payment.ts'
import { invalid, missing, type RequestFault } from '../../wire/fault.ts'
import { fromInitiation } from '../../wire/v2/payment-parts.ts'
import {
  fromSplitPayment,
  readSplitPaymentRequest,
  SplitPaymentActionAnswer,
  SplitPaymentAnswer,
  SplitPaymentRequest,
  SplitPaymentStatus,
} from '../../wire/v2/split-payments.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { ACCEPTED_MEANS, orForbidden, resendEndpoint } from './payment-endpoints.ts'
import { SPLIT_EXAMPLES } from './split-examples.ts'

export function splitPaymentEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [initiate(ctx), status(ctx), resend(ctx)]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/split-payments',
  operationId: 'initiateSplitPayment',
  tag: 'split-payments',
  summary: 'Start a split payment',
  description:
    'Collects a deposit and, once it is COMPLETED, pays parts of it out to others; the rest stays ' +
    'in your wallet. The deposit and each payout are ordinary payments with their own status and ' +
    'callbacks; the deposit has the identifier of the split payment. REJECTED with ' +
    'PAYOUT_EXCEEDS_DEPOSIT when the payouts add up to more than the deposit. An identifier of a ' +
    `payout that is in use already is refused with HTTP 400. ${ACCEPTED_MEANS}`,
  access: { group: 'split-payments', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'splitPaymentId' },
  startsPayments: true,
  signable: 'splitPayment',
  body: SplitPaymentRequest,
  answer: SplitPaymentAnswer,
  examples: SPLIT_EXAMPLES.initiation,
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const command = {
      ...readSplitPaymentRequest(body(), caller.merchant),
      generation: 'v2',
      trace,
    } as const
    const result = await initiateSplitPayment(ctx, caller.merchant, command)
    if ('field' in result) throw faultOf(result)
    return { splitPaymentId: command.idAsSent, ...fromInitiation(orForbidden(result)) }
  },
})

function faultOf({ field, id }: SplitFault): RequestFault {
  if (id === undefined) return missing(field)
  const taken = field === 'payoutId' ? 'a payout' : 'a deposit'
  return invalid(field, `'${id}' is the identifier of ${taken} already; use a new one`)
}

const status = (ctx: PaymentContext): Endpoint => ({
  method: 'GET',
  path: '/v2/split-payments/:splitPaymentId',
  operationId: 'getSplitPayment',
  tag: 'split-payments',
  summary: 'Check a split payment',
  description:
    'Answers FOUND with the split payment in `data`, or NOT_FOUND. The record is the same as in ' +
    'the callback.',
  access: { group: 'split-payments', level: 'read' },
  failureShape: { kind: 'lookup' },
  answer: SplitPaymentStatus,
  examples: SPLIT_EXAMPLES.status,
  refusals: [400, 401, 403],
  handle: async ({ caller, params }) => {
    const split = await findSplit(ctx, caller.merchant, pathId(params, 'splitPaymentId'))
    if (split === undefined) return { status: 'NOT_FOUND' }
    return { status: 'FOUND', data: fromSplitPayment(split) }
  },
})

const resend = (ctx: PaymentContext): Endpoint =>
  resendEndpoint(ctx, {
    kind: 'splitPayment',
    group: 'split-payments',
    idField: 'splitPaymentId',
    name: 'SplitPayment',
    action: SplitPaymentActionAnswer,
    examples: SPLIT_EXAMPLES,
  })
