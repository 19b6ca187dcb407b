import type { Initiation, Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import type { PaymentKind, PaymentState } from '../../domain/payments/payment-state.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { invalid } from '../fault.ts'
import { PhoneNumber, timestampText } from '../formats.ts'
import { type Static, Type } from '../schema.ts'
import { fromMetadata, type MetadataRequest, readMetadata } from './metadata.ts'
import { failureCodeOf, inLegacyWords, rejectionOf } from './words.ts'

/** What all payments of the earlier generation have in common: accounts, answers and records. */
export const account = (description: string) =>
  Type.Object(
    {
      type: Type.Literal('MSISDN', { description: 'a phone number' }),
      address: Type.Object({ value: PhoneNumber }, { additionalProperties: false }),
    },
    { additionalProperties: false, description },
  )

export const CustomerTimestamp = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:' +
    '([0-5][0-9]|60)([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
  description:
    'date and time at which the payment was started (RFC 3339), to the second, with Z or an offset',
  examples: ['2026-11-15T10:14:00Z'],
})

/** An amount may be a number here, and is read as it prints; nothing else is ever converted. */
export function withTextAmount(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('amount' in body)) return body
  const { amount } = body
  return typeof amount === 'number' ? { ...body, amount: String(amount) } : body
}

export const REJECTION = Type.Optional(
  Type.Object(
    { rejectionCode: Type.String(), rejectionMessage: Type.String() },
    { description: 'with REJECTED: why' },
  ),
)

/** Everything of the answer to an initiation but the identifier. */
export function fromInitiation(kind: PaymentKind, initiation: Initiation): InitiationBody {
  const { status } = initiation
  return status === 'REJECTED'
    ? { status, rejectionReason: rejectionOf(kind, initiation.failure) }
    : { status, created: timestampText(initiation.createdAt) }
}

export type InitiationBody = {
  readonly status: Initiation['status'] | 'ENQUEUED'
  readonly created?: string
  readonly rejectionReason?: { rejectionCode: string; rejectionMessage: string }
}

/** The states as the earlier generation names them: it has no word for doubt. */
export const STATES: Readonly<Record<PaymentState, string>> = {
  WAITING: 'ACCEPTED',
  ACCEPTED: 'ACCEPTED',
  ENQUEUED: 'ENQUEUED',
  PROCESSING: 'SUBMITTED',
  IN_RECONCILIATION: 'SUBMITTED',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
}

export const fromAccount = ({ phoneNumber }: Payment) => ({
  type: 'MSISDN' as const,
  address: { value: phoneNumber },
})

/** The fields that every record has between its own and its end. */
export function recordMiddle(payment: Payment) {
  const { details } = payment
  return {
    currency: payment.currency,
    country: payment.country,
    correspondent: payment.provider,
    // A payment of the current generation, and a refund, was never given one.
    customerTimestamp: details.customerTimestamp ?? timestampText(payment.createdAt),
    statementDescription: details.customerMessage ?? '',
    created: timestampText(payment.createdAt),
  }
}

export function recordEnd(payment: Payment) {
  const { failure, details } = payment
  const ids = correspondentIds(payment)
  const metadata = fromMetadata(details.metadata)
  return present({
    correspondentIds: ids,
    failureReason: ifGiven(failure, ({ code, message }) => ({
      failureCode: failureCodeOf(payment.kind, code),
      failureMessage: inLegacyWords(message),
    })),
    metadata,
  })
}

/** What the operator calls the payment, once it is over: under its own name, as MTN_FINAL. */
function correspondentIds(payment: Payment): Record<string, string> | undefined {
  if (payment.endedAt === undefined || payment.providerReference === undefined) return undefined
  const [operator = ''] = payment.provider.split('_')
  const { providerReference, providerTransactionId } = payment
  return {
    [`${operator}_INIT`]: providerReference,
    ...(providerTransactionId === undefined
      ? {}
      : { [`${operator}_FINAL`]: providerTransactionId }),
  }
}

/** What a merchant sent beside the money, in the words of the domain. */
export function detailsOf(request: {
  readonly statementDescription?: string
  readonly customerTimestamp?: string
  readonly preAuthorisationCode?: string
  readonly metadata?: Static<typeof MetadataRequest>
}): PaymentDetails {
  const { statementDescription, customerTimestamp, preAuthorisationCode } = request
  const metadata = readMetadata(request.metadata)
  return {
    ...present({
      customerMessage: statementDescription,
      customerTimestamp: ifGiven(customerTimestamp, onADay),
      preAuthorisationCode,
      metadata,
    }),
  }
}

/** What a deposit and a payout of this generation have in common, in the words of the domain. */
export function requestOf(
  request: Parameters<typeof detailsOf>[0] & {
    readonly amount: string
    readonly currency: string
    readonly country?: string
    readonly correspondent: string
  },
  idAsSent: string,
  phoneNumber: string,
): PaymentRequest {
  const { amount, currency, country, correspondent: provider } = request
  return {
    idAsSent,
    amount,
    currency,
    ...present({ country }),
    provider,
    phoneNumber,
    details: detailsOf(request),
  }
}

/** The pattern knows the form of a day, not how many days its month has. */
function onADay(timestamp: string): string {
  const day = timestamp.slice(0, 10)
  if (new Date(day).toISOString().startsWith(day)) return timestamp
  throw invalid('customerTimestamp', 'its month has no such day')
}

/** A payment as a request gives it, in the words of the domain. */
export type PaymentRequest = {
  readonly idAsSent: string
  readonly amount: string
  readonly currency: string
  readonly country?: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
}
