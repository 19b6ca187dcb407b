import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiatePayout } from '../../usecases/payments/initiate-payout.ts'
import { fromInitiation } from '../../wire/v2/payment-parts.ts'
import {
  BulkPayouts,
  fromPayout,
  PayoutActionAnswer,
  PayoutAnswer,
  PayoutRequest,
  PayoutStatus,
  readPayoutRequest,
} from '../../wire/v2/payouts.ts'
import type { Endpoint } from '../endpoint.ts'
import { initiateEach } from '../initiate-each.ts'
import { bulkExamples, paidOutExamples } from './paid-out-examples.ts'
import {
  ACCEPTED_MEANS,
  cancelEndpoint,
  commandOf,
  type KindOfCalls,
  orForbidden,
  resendEndpoint,
  statusEndpoint,
} from './payment-endpoints.ts'

const examples = paidOutExamples('payout', 'payoutId')

const CALLS: KindOfCalls = {
  kind: 'payout',
  group: 'payouts',
  idField: 'payoutId',
  name: 'Payout',
  status: PayoutStatus,
  action: PayoutActionAnswer,
  record: fromPayout,
  examples,
}

export function payoutEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [
    initiate(ctx),
    bulk(ctx),
    statusEndpoint(ctx, CALLS),
    resendEndpoint(ctx, CALLS),
    cancelEndpoint(ctx, CALLS),
  ]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/payouts',
  operationId: 'initiatePayout',
  tag: 'payouts',
  summary: 'Start a payout',
  description:
    "Sends money from your wallet to a customer's mobile-money wallet. The amount is held from " +
    'the moment of acceptance and comes back if the payout fails. A wallet that holds too little ' +
    'makes the payout fail with PAWAPAY_WALLET_OUT_OF_FUNDS. While the provider is DELAYED the ' +
    `payout is accepted and waits as ENQUEUED. ${ACCEPTED_MEANS}`,
  access: { group: 'payouts', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'payoutId' },
  startsPayments: true,
  signable: 'payout',
  body: PayoutRequest,
  answer: PayoutAnswer,
  examples: examples.initiation,
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const command = commandOf(readPayoutRequest(body(), caller.merchant), trace)
    const initiation = orForbidden(await initiatePayout(ctx, caller.merchant, 'payout', command))
    return { payoutId: command.idAsSent, ...fromInitiation(initiation) }
  },
})

const bulk = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/payouts/bulk',
  operationId: 'initiateBulkPayouts',
  tag: 'payouts',
  summary: 'Start up to 20 payouts',
  description:
    'An array of payouts, each judged and answered by itself and in its place, so that some can ' +
    'be accepted and others rejected. An entry that does not fit the description refuses the ' +
    'whole call; the message names it, counted from 0, as in `[3].amount`.',
  access: { group: 'payouts', level: 'write' },
  failureShape: { kind: 'bulk' },
  startsPayments: true,
  signable: 'payout',
  body: BulkPayouts.request,
  answer: BulkPayouts.answer,
  examples: bulkExamples(examples.initiation),
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const requests = BulkPayouts.read(body(), caller.merchant)
    const initiations = await initiateEach(requests, (request) =>
      initiatePayout(ctx, caller.merchant, 'payout', commandOf(request, trace)),
    )
    return initiations.map((initiation, index) => ({
      payoutId: requests[index]?.idAsSent,
      ...fromInitiation(initiation),
    }))
  },
})
