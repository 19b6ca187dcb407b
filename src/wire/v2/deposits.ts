import type { Initiation, Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { isFinal } from '../../domain/payments/payment-state.ts'
import type { Writable } from '../../domain/present.ts'
import type { AuthorisationType } from '../../domain/provider.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  ProviderReturnUrl,
  timestampText,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import {
  account,
  actionAnswer,
  ClientReference,
  commonDetails,
  fromAccount,
  fromInitiation,
  initiationAnswer,
  type PaymentRequest,
  RECORD_TAIL,
  statusAnswer,
  withTail,
} from './payment-parts.ts'

/** Deposits in the current generation: requests in, answers and records out. */
const Payer = account('the wallet the money comes from')

export const DepositRequest = Type.Object(
  {
    depositId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    payer: Payer,
    preAuthorisationCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 36,
        description: 'the one-time code of the customer, where the provider asks for one',
      }),
    ),
    clientReferenceId: Type.Optional(ClientReference),
    customerMessage: Type.Optional(CustomerMessage),
    metadata: Type.Optional(MetadataRequest),
    successfulUrl: Type.Optional(ProviderReturnUrl),
    failedUrl: Type.Optional(ProviderReturnUrl),
  },
  { $id: 'DepositRequest', additionalProperties: false },
)

export const DepositAnswer = Type.Object(
  {
    ...initiationAnswer('depositId', 'DepositAnswer').properties,
    nextStep: Type.Optional(
      Type.Enum(['FINAL_STATUS', 'GET_AUTH_URL'], {
        description: 'with ACCEPTED: wait for the final status, or first get the address to visit',
      }),
    ),
  },
  { $id: 'DepositAnswer' },
)

export const DepositRecord = Type.Object(
  {
    depositId: Type.String({ description: 'as sent' }),
    status: Type.Enum(['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'], {
      description: 'the state of the payment; COMPLETED and FAILED are final',
    }),
    amount: Type.String({ description: 'exactly as requested', examples: ['15'] }),
    currency: CurrencyCode,
    country: CountryCode,
    payer: Payer,
    ...RECORD_TAIL,
    nextStep: Type.Optional(
      Type.Enum(['FINAL_STATUS', 'GET_AUTH_URL', 'REDIRECT_TO_AUTH_URL'], {
        description:
          'only for providers that redirect the customer: wait for the final status, ask again ' +
          'for the address, or send the customer to it',
      }),
    ),
    authorizationUrl: Type.Optional(
      Type.String({ description: 'where to send the customer, with REDIRECT_TO_AUTH_URL' }),
    ),
    successfulUrl: Type.Optional(Type.String()),
    failedUrl: Type.Optional(Type.String()),
  },
  { $id: 'DepositRecord' },
)

export const DepositStatus = statusAnswer(DepositRecord, 'deposit', 'DepositStatus')
export const DepositActionAnswer = actionAnswer('depositId', 'DepositActionAnswer')

const readBody = createReader(DepositRequest)

export function readDepositRequest(body: unknown, ids: IdentifierRule): PaymentRequest {
  const request = readBody(body, ids)
  const { depositId, payer, amount, currency } = request
  const { phoneNumber, provider } = payer.accountDetails
  const details = detailsOf(request)
  return { idAsSent: depositId, amount, currency, phoneNumber, provider, details }
}

function detailsOf(request: Static<typeof DepositRequest>): PaymentDetails {
  const details = commonDetails(request)
  const { preAuthorisationCode, successfulUrl, failedUrl } = request
  if (preAuthorisationCode !== undefined) details.preAuthorisationCode = preAuthorisationCode
  if (successfulUrl !== undefined) details.successfulUrl = successfulUrl
  if (failedUrl !== undefined) details.failedUrl = failedUrl
  return details
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
  const { status } = initiation
  if (status !== 'ACCEPTED') return { depositId, ...fromInitiation(initiation) }
  const created = timestampText(initiation.createdAt)
  return { depositId, status, created, nextStep: NEXT_STEP[authType] }
}

/** One function makes the record of the status check and the body of the callback. */
export function fromDeposit(deposit: Payment): Static<typeof DepositRecord> {
  const { successfulUrl, failedUrl, redirects } = deposit.details
  const head = {
    depositId: deposit.idAsSent,
    status: deposit.state as Static<typeof DepositRecord>['status'],
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    payer: fromAccount(deposit),
  }
  const record: Writable<Static<typeof DepositRecord>> = withTail(head, deposit)
  if (redirects === true) Object.assign(record, redirection(deposit))
  if (successfulUrl !== undefined) record.successfulUrl = successfulUrl
  if (failedUrl !== undefined) record.failedUrl = failedUrl
  return record
}

/** What a merchant does next about a deposit that the customer approves on a page. */
function redirection({ state, authorizationUrl }: Payment) {
  if (isFinal('deposit', state)) return { nextStep: 'FINAL_STATUS' as const }
  if (authorizationUrl === undefined) return { nextStep: 'GET_AUTH_URL' as const }
  return { nextStep: 'REDIRECT_TO_AUTH_URL' as const, authorizationUrl }
}
