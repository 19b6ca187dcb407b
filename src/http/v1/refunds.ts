import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiateRefund } from '../../usecases/payments/initiate-refund.ts'
import { fromInitiation } from '../../wire/v1/payment-parts.ts'
import {
  fromRefund,
  LegacyRefundAnswer,
  LegacyRefundRecord,
  LegacyRefundRequest,
  readRefundRequest,
} from '../../wire/v1/refunds.ts'
import type { Endpoint } from '../endpoint.ts'
import { paidOutStatusExamples, REFUND_EXAMPLES } from './examples.ts'
import { type LegacyKind, legacy, legacyResend, legacyStatus } from './legacy-calls.ts'

const CALLS: LegacyKind = {
  kind: 'refund',
  group: 'refunds',
  idField: 'refundId',
  name: 'Refund',
  record: fromRefund,
  recordSchema: LegacyRefundRecord,
  statusExamples: paidOutStatusExamples('refundId'),
}

export function legacyRefundEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  const resend = legacyResend(ctx, CALLS)
  return [
    initiate(ctx),
    legacyStatus(ctx, CALLS),
    resend,
    // A client in use asks here.
    {
      ...resend,
      path: '/refund/resend-callback',
      operationId: `${resend.operationId}Alias`,
      isHidden: true,
    },
  ]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  ...legacy('refunds', 'write'),
  method: 'POST',
  path: '/refunds',
  operationId: 'legacyInitiateRefund',
  summary: 'Start a refund',
  description: 'Gives the money of a COMPLETED deposit back; all that is left without `amount`.',
  replacement: 'POST /v2/refunds',
  startsPayments: true,
  signable: 'refund',
  body: LegacyRefundRequest,
  answer: LegacyRefundAnswer,
  examples: REFUND_EXAMPLES,
  handle: async ({ caller, body, trace }) => {
    const request = readRefundRequest(body(), caller.merchant)
    // A wallet that holds too little refuses the request in this generation.
    const command = { ...request, generation: 'v1', onlyFunded: true, trace } as const
    const initiation = await initiateRefund(ctx, caller.merchant, command)
    return { refundId: request.idAsSent, ...fromInitiation('refund', initiation) }
  },
})
