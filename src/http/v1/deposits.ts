import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Initiation } from '../../domain/payments/payment.ts'
import type { PaymentTrace } from '../../domain/trace.ts'
import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiateDeposit } from '../../usecases/payments/initiate-deposit.ts'
import { missing } from '../../wire/fault.ts'
import {
  fromDeposit,
  LegacyBulkDeposits,
  LegacyDepositAnswer,
  LegacyDepositRecord,
  LegacyDepositRequest,
  readDepositRequest,
} from '../../wire/v1/deposits.ts'
import { fromInitiation, type PaymentRequest } from '../../wire/v1/payment-parts.ts'
import type { Endpoint } from '../endpoint.ts'
import { initiateEach } from '../initiate-each.ts'
import { DEPOSIT_EXAMPLES, DEPOSIT_STATUS_EXAMPLES } from './examples.ts'
import { type LegacyKind, legacy, legacyResend, legacyStatus } from './legacy-calls.ts'

const CALLS: LegacyKind = {
  kind: 'deposit',
  group: 'deposits',
  idField: 'depositId',
  name: 'Deposit',
  record: fromDeposit,
  recordSchema: LegacyDepositRecord,
  statusExamples: DEPOSIT_STATUS_EXAMPLES,
}

export function legacyDepositEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [initiate(ctx), bulk(ctx), legacyStatus(ctx, CALLS), legacyResend(ctx, CALLS)]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  ...legacy('deposits', 'write'),
  method: 'POST',
  path: '/deposits',
  operationId: 'legacyInitiateDeposit',
  summary: 'Start a deposit',
  description: "Collects money from a customer's wallet, as the current generation does.",
  replacement: 'POST /v2/deposits',
  startsPayments: true,
  signable: 'deposit',
  body: LegacyDepositRequest,
  answer: LegacyDepositAnswer,
  examples: DEPOSIT_EXAMPLES,
  handle: async ({ caller, body, trace }) => {
    const request = readDepositRequest(body(), caller.merchant)
    const initiation = await start(ctx, caller.merchant, request, trace)
    return { depositId: request.idAsSent, ...fromInitiation('deposit', initiation) }
  },
})

const bulk = (ctx: PaymentContext): Endpoint => ({
  ...legacy('deposits', 'write'),
  method: 'POST',
  path: '/deposits/bulk',
  operationId: 'legacyInitiateBulkDeposits',
  summary: 'Start up to 20 deposits',
  description: 'An array of deposits, each answered in its place.',
  replacement: 'POST /v2/deposits, one call for each',
  startsPayments: true,
  signable: 'deposit',
  body: LegacyBulkDeposits.request,
  answer: LegacyBulkDeposits.answer,
  handle: async ({ caller, body, trace }) => {
    const requests = LegacyBulkDeposits.read(body(), caller.merchant)
    const initiations = await initiateEach(requests, (one) =>
      start(ctx, caller.merchant, one, trace),
    )
    return initiations.map((initiation, index) => ({
      depositId: requests[index]?.idAsSent,
      ...fromInitiation('deposit', initiation),
    }))
  },
})

async function start(
  ctx: PaymentContext,
  merchant: Merchant,
  request: PaymentRequest,
  trace: PaymentTrace | undefined,
): Promise<Initiation> {
  const command = { ...request, generation: 'v1', trace } as const
  const result = await initiateDeposit(ctx, merchant, command, (authType) =>
    authType === 'REDIRECT_AUTH' ? noWayTo(request.provider) : undefined,
  )
  if (!('missing' in result)) return result.initiation
  const { code, message } = missing(result.missing)
  return { status: 'REJECTED', failure: { code, message } }
}

/** The earlier generation has no field for the address to which the customer must go. */
const noWayTo = (provider: string): Failure => ({
  code: 'INVALID_PROVIDER',
  message:
    `The provider '${provider}' sends the customer to a page of its own, which this ` +
    'generation of the API cannot do. Use the current generation for it.',
})
