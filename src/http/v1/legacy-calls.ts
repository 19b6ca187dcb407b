import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { ScopeGroup } from '../../domain/accounts/token.ts'
import type { Failure } from '../../domain/failure.ts'
import { type PaymentId, parsePaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import { resendCallback } from '../../usecases/callbacks/resend-callback.ts'
import type { PaymentContext } from '../../usecases/payments/context.ts'
import { findPayment } from '../../usecases/payments/find-payment.ts'
import { invalid, missing, unsupported } from '../../wire/fault.ts'
import { NOT_ANY_UUID } from '../../wire/identifiers.ts'
import { Type } from '../../wire/schema.ts'
import { inLegacyWords } from '../../wire/v1/words.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { actionExamples, EXAMPLE_ID } from './examples.ts'

/** The calls that every kind of payment of the earlier generation has. */
export type LegacyKind = {
  readonly kind: PaymentKind
  readonly group: ScopeGroup
  readonly idField: string
  readonly name: string
  readonly record: (payment: Payment) => object
  readonly recordSchema: Endpoint['answer'] & object
  readonly statusExamples: NonNullable<Endpoint['examples']>
}

export const legacy = (group: ScopeGroup, level: 'read' | 'write') =>
  ({
    tag: 'earlier-generation',
    access: { group, level },
    failureShape: { kind: 'legacy' },
    refusals: [400, 401, 403],
  }) as const

export function legacyStatus(ctx: PaymentContext, calls: LegacyKind): Endpoint {
  const { kind, group, idField } = calls
  return {
    ...legacy(group, 'read'),
    method: 'GET',
    path: `/${group}/:${idField}`,
    operationId: `legacyGet${calls.name}`,
    summary: `Check a ${kind}`,
    description: 'Answers an array with the payment, or an empty one.',
    replacement: `GET /v2/${group}/{${idField}}`,
    answer: Type.Array(calls.recordSchema, { maxItems: 1 }),
    examples: calls.statusExamples,
    handle: async ({ caller, params }) => {
      const payment = await findPayment(ctx, caller.merchant, kind, pathId(params, idField))
      return payment === undefined ? [] : [calls.record(payment)]
    },
  }
}

const actionSchemas = (idField: string) => ({
  body: Type.Object(
    {
      [idField]: Type.String({
        format: 'uuid',
        examples: [EXAMPLE_ID],
      }),
    },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    [idField]: Type.String(),
    status: Type.Enum(['ACCEPTED', 'REJECTED', 'FAILED']),
    rejectionReason: Type.Optional(Type.String({ description: 'with REJECTED: why, in words' })),
  }),
})

export function legacyResend(ctx: PaymentContext, calls: LegacyKind): Endpoint {
  const { kind, group, idField } = calls
  return legacyAction(calls, {
    path: `/${group}/resend-callback`,
    operationId: `legacyResend${calls.name}Callback`,
    summary: `Send the callback of a ${kind} again`,
    description: `For a ${kind} that is COMPLETED or FAILED; REJECTED with a reason otherwise.`,
    replacement: `POST /v2/${group}/resend-callback/{${idField}}`,
    examples: actionExamples(
      idField,
      `The ${kind} '${EXAMPLE_ID}' has not finished processing: it is SUBMITTED. ` +
        'Its callback is sent when it is COMPLETED or FAILED.',
    ),
    act: (merchant, id) => resendCallback(ctx, merchant, kind, id),
  })
}

type Action = Pick<Endpoint, 'path' | 'operationId' | 'summary' | 'description' | 'examples'> & {
  readonly replacement: string
  /** Undefined when it was done. */
  readonly act: (merchant: Merchant, id: PaymentId) => Promise<Failure | undefined>
}

/** Takes the identifier from the body, or from the path where the path has a place for it. */
export function legacyAction(calls: LegacyKind, action: Action): Endpoint {
  const { act, ...texts } = action
  const { group, idField } = calls
  const isInPath = action.path.includes(`:${idField}`)
  const { body: bodySchema, answer } = actionSchemas(idField)
  return {
    ...legacy(group, 'write'),
    ...texts,
    method: 'POST',
    ...(isInPath ? {} : { body: bodySchema }),
    answer,
    handle: async ({ caller, params, body }) => {
      const text = isInPath ? (params[idField] ?? '') : idInBody(body(), idField)
      const id = parsePaymentId(text)
      if (id === undefined) throw invalid(idField, NOT_ANY_UUID)
      const failure = await act(caller.merchant, id)
      const named = { [idField]: text }
      if (failure === undefined) return { ...named, status: 'ACCEPTED' }
      return { ...named, status: 'REJECTED', rejectionReason: inLegacyWords(failure.message) }
    },
  }
}

function idInBody(body: unknown, idField: string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('body', 'it must be an object')
  }
  const stranger = Object.keys(body).find((name) => name !== idField)
  if (stranger !== undefined) throw unsupported(stranger)
  const text = (body as Record<string, unknown>)[idField]
  if (text === undefined || text === null) throw missing(idField)
  if (typeof text !== 'string') throw invalid(idField, 'it must be a text in quotes')
  return text
}
