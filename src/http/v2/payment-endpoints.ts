import type { CallbackKind, Merchant } from '../../domain/accounts/merchant.ts'
import type { ScopeGroup } from '../../domain/accounts/token.ts'
import { SUBJECT_WORDS } from '../../domain/callbacks/callback-subject.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Initiation, Payment } from '../../domain/payments/payment.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import type { PaymentTrace } from '../../domain/trace.ts'
import { resendCallback } from '../../usecases/callbacks/resend-callback.ts'
import type { Context } from '../../usecases/context.ts'
import { cancelEnqueued } from '../../usecases/payments/cancel-enqueued.ts'
import type { PaymentContext } from '../../usecases/payments/context.ts'
import { findPayment } from '../../usecases/payments/find-payment.ts'
import type { PaymentCommand } from '../../usecases/payments/new-payment.ts'
import { RequestFault } from '../../wire/fault.ts'
import type { TSchema } from '../../wire/schema.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import type { PaymentRequest } from '../../wire/v2/payment-parts.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { HTTP_STATUS } from './faults.ts'

/** What a request asks for, in the words of the use cases. Written out: a spread takes longer. */
export const commandOf = (
  { idAsSent, amount, currency, provider, phoneNumber, details }: PaymentRequest,
  trace: PaymentTrace | undefined,
): PaymentCommand => ({
  generation: 'v2',
  idAsSent,
  amount,
  currency,
  provider,
  phoneNumber,
  details,
  trace,
})

/** The calls that every kind of payment has, made from what differs between the kinds. */
export type KindOfCalls = {
  readonly kind: PaymentKind
  readonly group: ScopeGroup
  readonly idField: string
  /** For identifiers of operations: `getDeposit`, `resendDepositCallback`. */
  readonly name: string
  readonly status: TSchema
  readonly action: TSchema
  readonly record: (payment: Payment) => object
  readonly examples: {
    readonly status: Readonly<Record<string, object>>
    readonly resend: Readonly<Record<string, object>>
    readonly cancel?: Readonly<Record<string, object>>
  }
}

export function statusEndpoint(ctx: PaymentContext, calls: KindOfCalls): Endpoint {
  const { kind, idField } = calls
  return {
    method: 'GET',
    path: `/v2/${calls.group}/:${idField}`,
    operationId: `get${calls.name}`,
    tag: calls.group,
    summary: `Check a ${kind}`,
    description:
      `Answers FOUND with the ${kind} in \`data\`, or NOT_FOUND. The record is the same as in the ` +
      'callback.',
    access: { group: calls.group, level: 'read' },
    failureShape: { kind: 'lookup' },
    answer: calls.status,
    examples: calls.examples.status,
    refusals: [400, 401, 403],
    handle: async ({ caller, params }) => {
      const payment = await findPayment(ctx, caller.merchant, kind, pathId(params, idField))
      if (payment === undefined) return { status: 'NOT_FOUND' }
      return { status: 'FOUND', data: calls.record(payment) }
    },
  }
}

/** What a call that acts on something by its identifier needs to know. */
type Actions = Pick<KindOfCalls, 'group' | 'idField' | 'name' | 'action'>

export function resendEndpoint(
  ctx: Context,
  calls: Actions & {
    readonly kind: CallbackKind
    readonly examples: { readonly resend: Readonly<Record<string, object>> }
  },
): Endpoint {
  const { kind } = calls
  const word = SUBJECT_WORDS[kind]
  return actionEndpoint(calls, {
    path: 'resend-callback',
    operationId: `resend${calls.name}Callback`,
    summary: `Send the callback of a ${word} again`,
    description:
      `For a ${word} that is final. REJECTED with NOT_FOUND or INVALID_STATE otherwise. ` +
      'The callback is signed afresh. Needs no body.',
    examples: calls.examples.resend,
    act: (merchant, id) => resendCallback(ctx, merchant, kind, id),
  })
}

export function cancelEndpoint(ctx: PaymentContext, calls: KindOfCalls): Endpoint {
  const { kind } = calls
  return actionEndpoint(calls, {
    path: 'fail-enqueued',
    operationId: `cancelEnqueued${calls.name}`,
    summary: `Cancel a ${kind} that is enqueued`,
    description:
      `For a ${kind} that is ENQUEUED, because its provider is DELAYED. It becomes FAILED with ` +
      'MANUALLY_CANCELLED, the money held for it is back in the wallet, and the callback follows. ' +
      'REJECTED with NOT_FOUND or INVALID_STATE otherwise. Needs no body.',
    examples: calls.examples.cancel ?? {},
    act: (merchant, id) => cancelEnqueued(ctx, merchant, kind, id),
  })
}

type Action = Pick<Endpoint, 'operationId' | 'summary' | 'description'> & {
  readonly path: string
  readonly examples: Readonly<Record<string, object>>
  /** Undefined when it was done. */
  readonly act: (merchant: Merchant, id: PaymentId) => Promise<Failure | undefined>
}

function actionEndpoint(calls: Actions, action: Action): Endpoint {
  const { path, act, ...texts } = action
  const { idField, group } = calls
  return {
    ...texts,
    method: 'POST',
    path: `/v2/${group}/${path}/:${idField}`,
    tag: group,
    access: { group, level: 'write' },
    failureShape: { kind: 'lookup' },
    answer: calls.action,
    refusals: [400, 401, 403],
    handle: async ({ caller, params }) => {
      const failure = await act(caller.merchant, pathId(params, idField))
      const named = { [idField]: params[idField] }
      if (failure === undefined) return { ...named, status: 'ACCEPTED' }
      return { ...named, status: 'REJECTED', failureReason: fromFailure(failure) }
    },
  }
}

/** What the account may not do at all is a refusal of the call, not an answer to it. */
export function orForbidden(initiation: Initiation): Initiation {
  if (initiation.status === 'REJECTED' && HTTP_STATUS[initiation.failure.code] === 403) {
    throw new RequestFault(initiation.failure.code, initiation.failure.message)
  }
  return initiation
}

/** Sentences that every initiation has in common. */
export const ACCEPTED_MEANS =
  'The answer only tells whether the request was accepted; the outcome comes by callback, or by ' +
  'asking for the status. Check `status` in the answer: a refused request is answered with HTTP ' +
  '200 and REJECTED. Repeating a request with the same identifier is safe and answers ' +
  'DUPLICATE_IGNORED. After HTTP 500 the outcome is not known: ask for the status before trying ' +
  'again.'
