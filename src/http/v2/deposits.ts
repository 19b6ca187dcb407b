import { NOT_ALLOWED } from '../../domain/admission.ts'
import type { Context } from '../../usecases/context.ts'
import { findPayment } from '../../usecases/find-payment.ts'
import { initiateDeposit } from '../../usecases/initiate-deposit.ts'
import { resendCallback } from '../../usecases/resend-callback.ts'
import { missing, RequestFault } from '../../wire/fault.ts'
import {
  DepositAnswer,
  DepositRequest,
  DepositStatus,
  fromDeposit,
  fromDepositInitiation,
  ResendAnswer,
  readDepositRequest,
} from '../../wire/v2/deposits.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { INITIATION_EXAMPLES, RESEND_EXAMPLES, STATUS_EXAMPLES } from './examples.ts'

export function depositEndpoints(ctx: Context): readonly Endpoint[] {
  return [initiate(ctx), status(ctx), resend(ctx)]
}

const initiate = (ctx: Context): Endpoint => ({
  method: 'POST',
  path: '/v2/deposits',
  operationId: 'initiateDeposit',
  tag: 'deposits',
  summary: 'Start a deposit',
  description:
    "Collects money from a customer's mobile-money wallet. The answer says only whether the " +
    'request was accepted; the outcome comes by callback, or by asking for the status. ' +
    'Check `status` in the answer: a refused request is answered with HTTP 200 and REJECTED. ' +
    'Repeating a request with the same `depositId` is safe and answers DUPLICATE_IGNORED. ' +
    'After HTTP 500 the outcome is not known: ask for the status before trying again.',
  access: { group: 'deposits', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'depositId' },
  body: DepositRequest,
  answer: DepositAnswer,
  examples: INITIATION_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, body }) => {
    const command = readDepositRequest(body())
    const result = await initiateDeposit(ctx, caller.merchant, { ...command, generation: 'v2' })
    if ('missing' in result) throw missing(result.missing)
    const { initiation, authType } = result
    if (initiation.status === 'REJECTED' && initiation.failure.code === NOT_ALLOWED.DEPOSIT) {
      throw new RequestFault(initiation.failure.code, initiation.failure.message)
    }
    return fromDepositInitiation(command.idAsSent, initiation, authType)
  },
})

const status = (ctx: Context): Endpoint => ({
  method: 'GET',
  path: '/v2/deposits/:depositId',
  operationId: 'getDeposit',
  tag: 'deposits',
  summary: 'Check a deposit',
  description:
    'Answers FOUND with the deposit in `data`, or NOT_FOUND. The record is the same as in the ' +
    'callback.',
  access: { group: 'deposits', level: 'read' },
  failureShape: { kind: 'lookup' },
  answer: DepositStatus,
  examples: STATUS_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, params }) => {
    const id = pathId(params, 'depositId')
    const deposit = await findPayment(ctx, caller.merchant, 'deposit', id)
    if (deposit === undefined) return { status: 'NOT_FOUND' }
    return { status: 'FOUND', data: fromDeposit(deposit) }
  },
})

const resend = (ctx: Context): Endpoint => ({
  method: 'POST',
  path: '/v2/deposits/resend-callback/:depositId',
  operationId: 'resendDepositCallback',
  tag: 'deposits',
  summary: 'Send the callback of a deposit again',
  description:
    'For a deposit that is COMPLETED or FAILED. REJECTED with NOT_FOUND or INVALID_STATE ' +
    'otherwise. The callback is signed afresh. Needs no body.',
  access: { group: 'deposits', level: 'write' },
  failureShape: { kind: 'lookup' },
  answer: ResendAnswer,
  examples: RESEND_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, params }) => {
    const id = pathId(params, 'depositId')
    const depositId = params.depositId ?? id
    const failure = await resendCallback(ctx, caller.merchant, 'deposit', id)
    if (failure === undefined) return { depositId, status: 'ACCEPTED' }
    return { depositId, status: 'REJECTED', failureReason: fromFailure(failure) }
  },
})
