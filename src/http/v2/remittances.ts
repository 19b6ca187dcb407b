import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiatePayout } from '../../usecases/payments/initiate-payout.ts'
import { fromInitiation } from '../../wire/v2/payment-parts.ts'
import {
  BulkRemittances,
  fromRemittance,
  RemittanceActionAnswer,
  RemittanceAnswer,
  RemittanceRequest,
  RemittanceStatus,
  readRemittanceRequest,
} from '../../wire/v2/remittances.ts'
import type { Endpoint } from '../endpoint.ts'
import { initiateEach } from '../initiate-each.ts'
import { bulkExamples, remittanceExamples } from './paid-out-examples.ts'
import {
  ACCEPTED_MEANS,
  cancelEndpoint,
  commandOf,
  type KindOfCalls,
  orForbidden,
  resendEndpoint,
  statusEndpoint,
} from './payment-endpoints.ts'

const CALLS: KindOfCalls = {
  kind: 'remittance',
  group: 'remittances',
  idField: 'remittanceId',
  name: 'Remittance',
  status: RemittanceStatus,
  action: RemittanceActionAnswer,
  record: fromRemittance,
  examples: remittanceExamples,
}

export function remittanceEndpoints(ctx: PaymentContext): readonly Endpoint[] {
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
  path: '/v2/remittances',
  operationId: 'initiateRemittance',
  tag: 'remittances',
  summary: 'Start a remittance',
  description:
    'A payout that names the sender, the purpose and the recipient. What holds for payouts holds for ' +
    `it as well. ${ACCEPTED_MEANS}`,
  access: { group: 'remittances', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'remittanceId' },
  startsPayments: true,
  signable: 'remittance',
  body: RemittanceRequest,
  answer: RemittanceAnswer,
  examples: remittanceExamples.initiation,
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const { merchant } = caller
    const request = readRemittanceRequest(body(), merchant, ctx.clock.now())
    const command = commandOf(request, trace)
    const initiation = orForbidden(await initiatePayout(ctx, merchant, 'remittance', command))
    return { remittanceId: command.idAsSent, ...fromInitiation(initiation) }
  },
})

const bulk = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/remittances/bulk',
  operationId: 'initiateBulkRemittances',
  tag: 'remittances',
  summary: 'Start up to 20 remittances',
  description:
    'An array of remittances, each judged and answered by itself and in its place. An entry that ' +
    'does not fit the description refuses the whole call; the message names it, counted from 0.',
  access: { group: 'remittances', level: 'write' },
  failureShape: { kind: 'bulk' },
  startsPayments: true,
  signable: 'remittance',
  body: BulkRemittances.request,
  answer: BulkRemittances.answer,
  examples: bulkExamples(remittanceExamples.initiation),
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const requests = BulkRemittances.read(body(), caller.merchant, ctx.clock.now())
    const initiations = await initiateEach(requests, (request) =>
      initiatePayout(ctx, caller.merchant, 'remittance', commandOf(request, trace)),
    )
    return initiations.map((initiation, index) => ({
      remittanceId: requests[index]?.idAsSent,
      ...fromInitiation(initiation),
    }))
  },
})
