import type { Payment } from '../../domain/payments/payment.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { bulkOf } from '../bulk.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  ProviderCode,
  timestampText,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import {
  account,
  CustomerTimestamp,
  fromAccount,
  type PaymentRequest,
  REJECTION,
  recordEnd,
  recordMiddle,
  requestOf,
  STATES,
  withTextAmount,
} from './payment-parts.ts'

/** Deposits in the earlier generation: requests in, answers and records out. */
export const LegacyDepositRequest = Type.Object(
  {
    depositId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    country: Type.Optional(CountryCode),
    correspondent: ProviderCode,
    payer: account('whom the money comes from'),
    customerTimestamp: CustomerTimestamp,
    statementDescription: CustomerMessage,
    preAuthorisationCode: Type.Optional(Type.String({ minLength: 1, maxLength: 36 })),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'LegacyDepositRequest', additionalProperties: false },
)

export const LegacyDepositAnswer = Type.Object(
  {
    depositId: Type.String(),
    status: Type.Enum(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED']),
    created: Type.Optional(Type.String()),
    rejectionReason: REJECTION,
  },
  { $id: 'LegacyDepositAnswer' },
)

const readBody = createReader(LegacyDepositRequest)

export function readDepositRequest(body: unknown, ids: IdentifierRule): PaymentRequest {
  const request = readBody(withTextAmount(body), ids)
  return requestOf(request, request.depositId, request.payer.address.value)
}

export const LegacyBulkDeposits = bulkOf(
  LegacyDepositRequest,
  LegacyDepositAnswer,
  'deposits',
  readDepositRequest,
)

export const LegacyDepositRecord = Type.Object(
  {
    depositId: Type.String(),
    status: Type.Enum(['ACCEPTED', 'SUBMITTED', 'COMPLETED', 'FAILED']),
    requestedAmount: Type.String(),
    currency: CurrencyCode,
    country: CountryCode,
    correspondent: ProviderCode,
    payer: account('whom the money comes from'),
    customerTimestamp: Type.String(),
    statementDescription: Type.String(),
    created: Type.String(),
    depositedAmount: Type.Optional(Type.String({ description: 'once the deposit is COMPLETED' })),
    respondedByPayer: Type.Optional(Type.String({ description: 'when the deposit ended' })),
    correspondentIds: Type.Optional(Type.Record(Type.String(), Type.String())),
    failureReason: Type.Optional(
      Type.Object({ failureCode: Type.String(), failureMessage: Type.String() }),
    ),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'LegacyDepositRecord' },
)

/** One function makes the record of the status check and the body of the callback. */
export function fromDeposit(deposit: Payment): Static<typeof LegacyDepositRecord> {
  const { amount, endedAt, state } = deposit
  return {
    depositId: deposit.idAsSent,
    status: STATES[state] as Static<typeof LegacyDepositRecord>['status'],
    requestedAmount: amount,
    ...recordMiddle(deposit),
    payer: fromAccount(deposit),
    ...(state === 'COMPLETED' ? { depositedAmount: amount } : {}),
    ...present({ respondedByPayer: ifGiven(endedAt, timestampText) }),
    ...recordEnd(deposit),
  }
}
