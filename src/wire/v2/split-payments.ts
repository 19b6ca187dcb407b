import {
  SPLIT_STATES,
  type SplitPart,
  type SplitPayment,
} from '../../domain/payments/split-payment.ts'
import { invalid } from '../fault.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  UuidV4,
  uuidV4,
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
  initiationAnswer,
  PaidOutState,
  type PaymentRequest,
  RECORD_TAIL,
  Recipient,
  statusAnswer,
  withTail,
} from './payment-parts.ts'

/** Split payments: one deposit, and the payouts that its money is meant for. */
const Payer = account('the wallet the money comes from')

export const SplitPaymentRequest = Type.Object(
  {
    splitPaymentId: uuidV4(
      'the deposit gets the same identifier',
      'b2f6b0f0-8a3a-4d0a-9a77-0b6f3f1c2d4e',
    ),
    amount: AmountText,
    currency: CurrencyCode,
    payer: Payer,
    splits: Type.Array(
      Type.Object(
        {
          payoutId: Type.String({ ...UuidV4, examples: ['0c9a1c52-6b1e-4f5e-8c39-5d1a2b3c4d5e'] }),
          amount: AmountText,
          recipient: Recipient,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 20, description: 'payouts; together at most the amount collected' },
    ),
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
  },
  { $id: 'SplitPaymentRequest', additionalProperties: false },
)

export const SplitPaymentAnswer = initiationAnswer('splitPaymentId', 'SplitPaymentAnswer')
export const SplitPaymentActionAnswer = actionAnswer('splitPaymentId', 'SplitPaymentActionAnswer')

export const SplitPaymentRecord = Type.Object(
  {
    splitPaymentId: Type.String({ description: 'as sent' }),
    depositId: Type.String({ description: 'the same identifier, for the calls about deposits' }),
    status: Type.Enum([...SPLIT_STATES], {
      description:
        'COMPLETED: collected and all paid out; PAYOUT_FAILED: collected, but at least one payout ' +
        'failed; FAILED: nothing was collected, so nothing is paid out',
    }),
    amount: Type.String({ description: 'exactly as requested', examples: ['100'] }),
    currency: CurrencyCode,
    country: CountryCode,
    payer: Payer,
    splits: Type.Array(
      Type.Object({
        payoutId: Type.String(),
        status: PaidOutState,
        amount: Type.String(),
        recipient: Recipient,
      }),
      { description: 'each payout; ACCEPTED until the deposit is COMPLETED' },
    ),
    ...RECORD_TAIL,
  },
  { $id: 'SplitPaymentRecord' },
)
export const SplitPaymentStatus = statusAnswer(
  SplitPaymentRecord,
  'split payment',
  'SplitPaymentStatus',
)

const readBody = createReader(SplitPaymentRequest)

export function readSplitPaymentRequest(
  body: unknown,
  ids: IdentifierRule,
): PaymentRequest & { readonly parts: readonly SplitPart[] } {
  const request = readBody(body, ids)
  const details = commonDetails(request)
  const { preAuthorisationCode } = request
  if (preAuthorisationCode !== undefined) details.preAuthorisationCode = preAuthorisationCode
  return {
    idAsSent: request.splitPaymentId,
    amount: request.amount,
    currency: request.currency,
    ...request.payer.accountDetails,
    details,
    parts: partsOf(request.splits),
  }
}

function partsOf(splits: Static<typeof SplitPaymentRequest>['splits']): readonly SplitPart[] {
  const seen = new Set<string>()
  return splits.map(({ payoutId, amount, recipient }) => {
    if (seen.has(payoutId.toLowerCase())) {
      throw invalid('payoutId', `'${payoutId}' stands in 'splits' more than once`)
    }
    seen.add(payoutId.toLowerCase())
    return { payoutId, amount, ...recipient.accountDetails }
  })
}

/** One function makes the record of the status check and the body of the callback. */
export function fromSplitPayment(split: SplitPayment): Static<typeof SplitPaymentRecord> {
  const { deposit } = split
  const head = {
    splitPaymentId: split.idAsSent,
    depositId: split.idAsSent,
    status: split.state,
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    payer: fromAccount(deposit),
    splits: split.parts.map((part) => ({
      payoutId: part.payoutId,
      status: part.state as Static<typeof PaidOutState>,
      amount: part.amount,
      recipient: fromAccount(part),
    })),
  }
  return withTail(head, deposit)
}
