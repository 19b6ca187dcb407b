import type { Initiation } from '../../domain/payments/payment.ts'
import { cancelEnqueued } from '../../usecases/payments/cancel-enqueued.ts'
import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiatePayout } from '../../usecases/payments/initiate-payout.ts'
import { fromInitiation, type InitiationBody } from '../../wire/v1/payment-parts.ts'
import {
  fromPayout,
  LegacyBulkPayouts,
  LegacyPayoutAnswer,
  LegacyPayoutRecord,
  LegacyPayoutRequest,
  readPayoutRequest,
} from '../../wire/v1/payouts.ts'
import type { Endpoint } from '../endpoint.ts'
import { initiateEach } from '../initiate-each.ts'
import { actionExamples, EXAMPLE_ID, PAYOUT_EXAMPLES, paidOutStatusExamples } from './examples.ts'
import {
  type LegacyKind,
  legacy,
  legacyAction,
  legacyResend,
  legacyStatus,
} from './legacy-calls.ts'

const CALLS: LegacyKind = {
  kind: 'payout',
  group: 'payouts',
  idField: 'payoutId',
  name: 'Payout',
  record: fromPayout,
  recordSchema: LegacyPayoutRecord,
  statusExamples: paidOutStatusExamples('payoutId'),
}

export function legacyPayoutEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [
    initiate(ctx),
    bulk(ctx),
    legacyStatus(ctx, CALLS),
    legacyResend(ctx, CALLS),
    cancel(ctx, '/payouts/fail-enqueued/:payoutId', 'legacyCancelEnqueuedPayout'),
    cancel(ctx, '/payouts/fail-enqueued', 'legacyCancelEnqueuedPayoutByBody'),
  ]
}

/** A wallet that holds too little refuses the request in this generation. */
const EARLIER_TERMS = { generation: 'v1', onlyFunded: true, linesUpFirst: true } as const

const initiate = (ctx: PaymentContext): Endpoint => ({
  ...legacy('payouts', 'write'),
  method: 'POST',
  path: '/payouts',
  operationId: 'legacyInitiatePayout',
  summary: 'Start a payout',
  description:
    'Sends money to a wallet. Answers ENQUEUED while the provider is DELAYED, and REJECTED with ' +
    'BALANCE_INSUFFICIENT when the wallet holds too little.',
  replacement: 'POST /v2/payouts',
  startsPayments: true,
  signable: 'payout',
  body: LegacyPayoutRequest,
  answer: LegacyPayoutAnswer,
  examples: PAYOUT_EXAMPLES,
  handle: async ({ caller, body, trace }) => {
    const request = readPayoutRequest(body(), caller.merchant)
    const command = { ...request, ...EARLIER_TERMS, trace } as const
    const initiation = await initiatePayout(ctx, caller.merchant, 'payout', command)
    return { payoutId: request.idAsSent, ...answerOf(initiation) }
  },
})

const bulk = (ctx: PaymentContext): Endpoint => ({
  ...legacy('payouts', 'write'),
  method: 'POST',
  path: '/payouts/bulk',
  operationId: 'legacyInitiateBulkPayouts',
  summary: 'Start up to 20 payouts',
  description: 'An array of payouts, each answered in its place.',
  replacement: 'POST /v2/payouts/bulk',
  startsPayments: true,
  signable: 'payout',
  body: LegacyBulkPayouts.request,
  answer: LegacyBulkPayouts.answer,
  handle: async ({ caller: { merchant }, body, trace }) => {
    const requests = LegacyBulkPayouts.read(body(), merchant)
    const initiations = await initiateEach(requests, (request) =>
      initiatePayout(ctx, merchant, 'payout', { ...request, ...EARLIER_TERMS, trace }),
    )
    return initiations.map((initiation, index) => ({
      payoutId: requests[index]?.idAsSent,
      ...answerOf(initiation),
    }))
  },
})

function answerOf(initiation: Initiation): InitiationBody {
  const answer = fromInitiation('payout', initiation)
  const isInLine = initiation.status === 'ACCEPTED' && initiation.payment.state === 'ENQUEUED'
  return isInLine ? { ...answer, status: 'ENQUEUED' } : answer
}

const cancel = (ctx: PaymentContext, path: string, operationId: string): Endpoint =>
  legacyAction(CALLS, {
    path,
    operationId,
    summary: 'Cancel a payout that is enqueued',
    description: 'It becomes FAILED with MANUALLY_CANCELLED, and the callback follows.',
    replacement: 'POST /v2/payouts/fail-enqueued/{payoutId}',
    examples: actionExamples(
      'payoutId',
      `The payout '${EXAMPLE_ID}' is not enqueued: it is COMPLETED. ` +
        'Only a payment that is ENQUEUED can be cancelled.',
    ),
    act: (merchant, id) => cancelEnqueued(ctx, merchant, 'payout', id),
  })
