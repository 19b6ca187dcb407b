import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiateRefund } from '../../usecases/payments/initiate-refund.ts'
import { fromInitiation } from '../../wire/v2/payment-parts.ts'
import {
  fromRefund,
  RefundActionAnswer,
  RefundAnswer,
  RefundRequest,
  RefundStatus,
  readRefundRequest,
} from '../../wire/v2/refunds.ts'
import type { Endpoint } from '../endpoint.ts'
import { paidOutExamples } from './paid-out-examples.ts'
import {
  ACCEPTED_MEANS,
  cancelEndpoint,
  type KindOfCalls,
  orForbidden,
  resendEndpoint,
  statusEndpoint,
} from './payment-endpoints.ts'

const examples = paidOutExamples('refund', 'refundId')

const CALLS: KindOfCalls = {
  kind: 'refund',
  group: 'refunds',
  idField: 'refundId',
  name: 'Refund',
  status: RefundStatus,
  action: RefundActionAnswer,
  record: fromRefund,
  examples,
}

export function refundEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [
    initiate(ctx),
    statusEndpoint(ctx, CALLS),
    resendEndpoint(ctx, CALLS),
    cancelEndpoint(ctx, CALLS),
  ]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/refunds',
  operationId: 'initiateRefund',
  tag: 'refunds',
  summary: 'Start a refund',
  description:
    'Gives the money of a COMPLETED deposit back to the wallet it came from. Without `amount` ' +
    'all that is left of the deposit is refunded; with it a part, as often as something is left. ' +
    'One refund of a deposit is under way at a time. REJECTED with NOT_FOUND, INVALID_STATE, ' +
    'DEPOSIT_ALREADY_REFUNDED, REFUND_IN_PROGRESS or AMOUNT_TOO_LARGE where the deposit does not ' +
    `allow it. The money is held and paid like that of a payout. ${ACCEPTED_MEANS}`,
  access: { group: 'refunds', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'refundId' },
  startsPayments: true,
  signable: 'refund',
  body: RefundRequest,
  answer: RefundAnswer,
  examples: examples.initiation,
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const request = readRefundRequest(body(), caller.merchant)
    const command = { ...request, generation: 'v2', trace } as const
    const initiation = orForbidden(await initiateRefund(ctx, caller.merchant, command))
    return { refundId: command.idAsSent, ...fromInitiation(initiation) }
  },
})
