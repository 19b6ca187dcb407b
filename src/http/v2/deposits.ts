import type { PaymentContext } from '../../usecases/payments/context.ts'
import { initiateDeposit } from '../../usecases/payments/initiate-deposit.ts'
import { missing } from '../../wire/fault.ts'
import {
  DepositActionAnswer,
  DepositAnswer,
  DepositRequest,
  DepositStatus,
  fromDeposit,
  fromDepositInitiation,
  readDepositRequest,
} from '../../wire/v2/deposits.ts'
import type { Endpoint } from '../endpoint.ts'
import { checkReturnUrls } from '../return-url.ts'
import { INITIATION_EXAMPLES, RESEND_EXAMPLES, STATUS_EXAMPLES } from './examples.ts'
import {
  ACCEPTED_MEANS,
  commandOf,
  type KindOfCalls,
  orForbidden,
  resendEndpoint,
  statusEndpoint,
} from './payment-endpoints.ts'

const CALLS: KindOfCalls = {
  kind: 'deposit',
  group: 'deposits',
  idField: 'depositId',
  name: 'Deposit',
  status: DepositStatus,
  action: DepositActionAnswer,
  record: fromDeposit,
  examples: { status: STATUS_EXAMPLES, resend: RESEND_EXAMPLES },
}

export function depositEndpoints(ctx: PaymentContext): readonly Endpoint[] {
  return [initiate(ctx), statusEndpoint(ctx, CALLS), resendEndpoint(ctx, CALLS)]
}

const initiate = (ctx: PaymentContext): Endpoint => ({
  method: 'POST',
  path: '/v2/deposits',
  operationId: 'initiateDeposit',
  tag: 'deposits',
  summary: 'Start a deposit',
  description:
    `Collects money from a customer's mobile-money wallet. ${ACCEPTED_MEANS} With \`nextStep\` ` +
    'GET_AUTH_URL the customer approves on a page of the provider: its address comes with a ' +
    'callback and in the record.',
  access: { group: 'deposits', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'depositId' },
  startsPayments: true,
  signable: 'deposit',
  body: DepositRequest,
  answer: DepositAnswer,
  examples: INITIATION_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, body, trace }) => {
    const command = commandOf(readDepositRequest(body(), caller.merchant), trace)
    checkReturnUrls(ctx, caller.merchant, command.details)
    const result = await initiateDeposit(ctx, caller.merchant, command)
    if ('missing' in result) throw missing(result.missing)
    const { initiation, authType } = result
    return fromDepositInitiation(command.idAsSent, orForbidden(initiation), authType)
  },
})
