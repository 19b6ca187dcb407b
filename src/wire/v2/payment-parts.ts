import type { Initiation, Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { REFERENCE_MAX } from '../../domain/payments/request-limits.ts'
import type { Writable } from '../../domain/present.ts'
import { PhoneNumber, ProviderCode, Timestamp, timestampText } from '../formats.ts'
import { type Static, type TObject, type TSchema, Type } from '../schema.ts'
import { FailureReason, fromFailure, PaymentFailureReason } from './errors.ts'
import { fromMetadata, MetadataRecord, readMetadata } from './metadata.ts'

/** What all kinds of payments have in common on the wire: accounts, answers and records. */
export const account = (description: string) =>
  Type.Object(
    {
      type: Type.Literal('MMO', { description: 'a mobile-money wallet' }),
      accountDetails: Type.Object(
        { phoneNumber: PhoneNumber, provider: ProviderCode },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false, description },
  )

export const Recipient = account('the wallet the money goes to')

export const ClientReference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_MAX,
  description: 'your own reference, such as an invoice number',
  examples: ['INV-123456'],
})

const EchoedId = Type.String({
  description: 'as sent',
  examples: ['f4401bd2-1568-4140-bf2d-eb77d2b2b639'],
})

type IdField =
  | 'depositId'
  | 'payoutId'
  | 'refundId'
  | 'remittanceId'
  | 'splitPaymentId'
  | 'checkoutId'

/** The schema of an object that begins with the identifier of its kind. */
function withId<Field extends IdField, Rest extends Record<string, TSchema>>(
  field: Field,
  rest: Rest,
  name: string,
) {
  const properties = { [field]: EchoedId, ...rest } as { [Name in Field]: typeof EchoedId } & Rest
  return Type.Object(properties, { $id: name })
}

export const initiationAnswer = <Field extends IdField>(field: Field, name: string) =>
  withId(
    field,
    {
      status: Type.Enum(['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'], {
        description: 'the answer to this request; not the state of the payment',
      }),
      created: Type.Optional(Timestamp),
      failureReason: Type.Optional(FailureReason),
    },
    name,
  )

/** The answer to a resend or a cancellation. */
export const actionAnswer = <Field extends IdField>(field: Field, name: string) =>
  withId(
    field,
    {
      status: Type.Enum(['ACCEPTED', 'REJECTED']),
      failureReason: Type.Optional(FailureReason),
    },
    name,
  )

export const statusAnswer = <Data extends TSchema>(data: Data, what: string, name: string) =>
  Type.Object(
    {
      status: Type.Enum(['FOUND', 'NOT_FOUND'], { description: `whether the ${what} exists` }),
      data: Type.Optional(data),
    },
    { $id: name },
  )

export const PaidOutState = Type.Enum(
  ['ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'],
  {
    description:
      'the state of the payment; COMPLETED and FAILED are final; ENQUEUED waits until the ' +
      'provider works again',
  },
)

/** The fields with which every record of a payment ends. */
export const RECORD_TAIL = {
  customerMessage: Type.Optional(
    Type.String({ description: 'your company name by default', examples: ['Order 12345'] }),
  ),
  clientReferenceId: Type.Optional(Type.String({ examples: ['INV-123456'] })),
  created: Timestamp,
  providerTransactionId: Type.Optional(
    Type.String({
      description: "the provider's own identifier, once the payment is COMPLETED",
      examples: ['SBXDD0E0B6979C2AA06'],
    }),
  ),
  failureReason: Type.Optional(PaymentFailureReason),
  metadata: Type.Optional(MetadataRecord),
}

type InitiationBody = {
  readonly status: Initiation['status']
  readonly created?: string
  readonly failureReason?: Static<typeof FailureReason>
}

/** Everything of the answer but the identifier. */
export function fromInitiation(initiation: Initiation): InitiationBody {
  const { status } = initiation
  return status === 'REJECTED'
    ? { status, failureReason: fromFailure(initiation.failure) }
    : { status, created: timestampText(initiation.createdAt) }
}

export function fromAccount({ phoneNumber, provider }: { phoneNumber: string; provider: string }) {
  return { type: 'MMO' as const, accountDetails: { phoneNumber, provider } }
}

type RecordTail = Static<TObject<typeof RECORD_TAIL>>

/**
 * Adds the tail to the head of a record. Field by field: each payment needs its record, and spreading
 * what may be absent takes several times as long.
 */
export function withTail<Head extends object>(head: Head, payment: Payment): Head & RecordTail {
  const { details, providerTransactionId, failure } = payment
  const record: Head & Partial<Writable<RecordTail>> = head
  const { customerMessage, clientReferenceId } = details
  if (customerMessage !== undefined) record.customerMessage = customerMessage
  if (clientReferenceId !== undefined) record.clientReferenceId = clientReferenceId
  record.created = timestampText(payment.createdAt)
  if (providerTransactionId !== undefined) record.providerTransactionId = providerTransactionId
  if (failure !== undefined) record.failureReason = fromFailure(failure)
  const metadata = fromMetadata(details.metadata)
  if (metadata !== undefined) record.metadata = metadata
  return record as Head & RecordTail
}

/** What a merchant may say beside the money of any payment. */
export function commonDetails(request: {
  readonly customerMessage?: string
  readonly clientReferenceId?: string
  readonly metadata?: readonly Readonly<Record<string, unknown>>[]
}): Writable<PaymentDetails> {
  const details: Writable<PaymentDetails> = {}
  if (request.customerMessage !== undefined) details.customerMessage = request.customerMessage
  if (request.clientReferenceId !== undefined) details.clientReferenceId = request.clientReferenceId
  const metadata = readMetadata(request.metadata)
  if (metadata !== undefined) details.metadata = metadata
  return details
}

/** A payment as a request gives it, in the words of the domain. */
export type PaymentRequest = {
  readonly idAsSent: string
  readonly amount: string
  readonly currency: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
}
