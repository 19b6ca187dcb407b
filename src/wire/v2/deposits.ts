import Type, { type Static } from 'typebox'
import type { Initiation, Payment, PaymentDetails } from '../../domain/payment.ts'
import type { AuthorisationType } from '../../domain/provider.ts'
import { invalid } from '../fault.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  PhoneNumber,
  ProviderCode,
  Timestamp,
  timestampText,
  UuidV4,
} from '../formats.ts'
import { createReader } from '../reader.ts'
import { FailureReason, fromFailure, PaymentFailureReason } from './errors.ts'
import { fromMetadata, MetadataRecord, MetadataRequest, readMetadata } from './metadata.ts'

/** Deposits in the current generation: requests in, answers and records out. */
const Account = Type.Object(
  {
    type: Type.Literal('MMO', { description: 'a mobile-money wallet' }),
    accountDetails: Type.Object(
      { phoneNumber: PhoneNumber, provider: ProviderCode },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'the wallet the money comes from' },
)

const DepositId = Type.String({
  description: 'as sent',
  examples: ['f4401bd2-1568-4140-bf2d-eb77d2b2b639'],
})

const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'an absolute http or https address; only for providers that redirect the customer',
})

export const DepositRequest = Type.Object(
  {
    depositId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    payer: Account,
    preAuthorisationCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 36,
        description: 'the one-time code of the customer, where the provider asks for one',
      }),
    ),
    clientReferenceId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'your own reference, such as an invoice number',
        examples: ['INV-123456'],
      }),
    ),
    customerMessage: Type.Optional(CustomerMessage),
    metadata: Type.Optional(MetadataRequest),
    successfulUrl: Type.Optional(ReturnUrl),
    failedUrl: Type.Optional(ReturnUrl),
  },
  { $id: 'DepositRequest', additionalProperties: false },
)

export const DepositAnswer = Type.Object(
  {
    depositId: DepositId,
    status: Type.Enum(['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'], {
      description: 'the answer to this request; not the state of the payment',
    }),
    nextStep: Type.Optional(
      Type.Enum(['FINAL_STATUS', 'GET_AUTH_URL'], {
        description: 'with ACCEPTED: wait for the final status, or first get the address to visit',
      }),
    ),
    created: Type.Optional(Timestamp),
    failureReason: Type.Optional(FailureReason),
  },
  { $id: 'DepositAnswer' },
)

export const DepositRecord = Type.Object(
  {
    depositId: DepositId,
    status: Type.Enum(['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'], {
      description: 'the state of the payment; COMPLETED and FAILED are final',
    }),
    amount: Type.String({ description: 'exactly as requested', examples: ['15'] }),
    currency: CurrencyCode,
    country: CountryCode,
    payer: Account,
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
    successfulUrl: Type.Optional(Type.String()),
    failedUrl: Type.Optional(Type.String()),
  },
  { $id: 'DepositRecord' },
)

export const DepositStatus = Type.Object(
  {
    status: Type.Enum(['FOUND', 'NOT_FOUND'], { description: 'whether the deposit exists' }),
    data: Type.Optional(DepositRecord),
  },
  { $id: 'DepositStatus' },
)

export const ResendAnswer = Type.Object(
  {
    depositId: DepositId,
    status: Type.Enum(['ACCEPTED', 'REJECTED']),
    failureReason: Type.Optional(FailureReason),
  },
  { $id: 'ResendAnswer' },
)

export type DepositCommand = {
  readonly idAsSent: string
  readonly amount: string
  readonly currency: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
}

const readBody = createReader(DepositRequest)

export function readDepositRequest(body: unknown): DepositCommand {
  const request = readBody(body)
  return {
    idAsSent: request.depositId,
    amount: request.amount,
    currency: request.currency,
    provider: request.payer.accountDetails.provider,
    phoneNumber: request.payer.accountDetails.phoneNumber,
    details: detailsOf(request),
  }
}

function detailsOf(request: Static<typeof DepositRequest>): PaymentDetails {
  const details: { -readonly [Name in keyof PaymentDetails]: PaymentDetails[Name] } = {}
  if (request.customerMessage !== undefined) details.customerMessage = request.customerMessage
  if (request.clientReferenceId !== undefined) details.clientReferenceId = request.clientReferenceId
  const metadata = readMetadata(request.metadata)
  if (metadata !== undefined) details.metadata = metadata
  const { preAuthorisationCode, successfulUrl, failedUrl } = request
  if (preAuthorisationCode !== undefined) details.preAuthorisationCode = preAuthorisationCode
  if (successfulUrl !== undefined)
    details.successfulUrl = webAddress('successfulUrl', successfulUrl)
  if (failedUrl !== undefined) details.failedUrl = webAddress('failedUrl', failedUrl)
  return details
}

function webAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return text
  throw invalid(name, 'it must be an absolute http or https address')
}

const NEXT_STEP: Readonly<Record<AuthorisationType, 'FINAL_STATUS' | 'GET_AUTH_URL'>> = {
  PROVIDER_AUTH: 'FINAL_STATUS',
  PREAUTH: 'FINAL_STATUS',
  REDIRECT_AUTH: 'GET_AUTH_URL',
}

export function fromDepositInitiation(
  depositId: string,
  initiation: Initiation,
  authType: AuthorisationType,
): Static<typeof DepositAnswer> {
  switch (initiation.status) {
    case 'ACCEPTED':
      return {
        depositId,
        status: 'ACCEPTED',
        nextStep: NEXT_STEP[authType],
        created: timestampText(initiation.createdAt),
      }
    case 'DUPLICATE_IGNORED':
      return {
        depositId,
        status: 'DUPLICATE_IGNORED',
        created: timestampText(initiation.createdAt),
      }
    case 'REJECTED':
      return { depositId, status: 'REJECTED', failureReason: fromFailure(initiation.failure) }
  }
}

/** One function makes the record of the status check and the body of the callback. */
export function fromDeposit(deposit: Payment): Static<typeof DepositRecord> {
  const { details } = deposit
  const metadata = fromMetadata(details.metadata)
  return {
    depositId: deposit.idAsSent,
    status: deposit.state,
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: deposit.phoneNumber, provider: deposit.provider },
    },
    ...optional('customerMessage', details.customerMessage),
    ...optional('clientReferenceId', details.clientReferenceId),
    created: timestampText(deposit.createdAt),
    ...optional('providerTransactionId', deposit.providerTransactionId),
    ...(deposit.failure === undefined ? {} : { failureReason: fromFailure(deposit.failure) }),
    ...(metadata === undefined ? {} : { metadata }),
    ...optional('successfulUrl', details.successfulUrl),
    ...optional('failedUrl', details.failedUrl),
  }
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>)
}
