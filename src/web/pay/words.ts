import type { FailureCode } from '../../domain/failure.ts'
import { type Lang, withFrenchSpaces } from '../words.ts'
import { en, type PayWords } from './words-en.ts'
import { fr } from './words-fr.ts'

export const PAY_WORDS: Readonly<Record<Lang, PayWords>> = { en, fr: withFrenchSpaces(fr) }

/**
 * What a customer reads for each code. Codes that only a merchant's request can get share the text
 * for whatever else may go wrong: the message beside a code is for staff and is never shown.
 */
export const FAILURE_WORDS: Readonly<Record<FailureCode, keyof PayWords>> = {
  PAYMENT_NOT_APPROVED: 'failNotApproved',
  INSUFFICIENT_BALANCE: 'failBalance',
  PAYER_NOT_FOUND: 'failPayer',
  RECIPIENT_NOT_FOUND: 'failPayer',
  PAYER_LIMIT_REACHED: 'failLimit',
  WALLET_LIMIT_REACHED: 'failLimit',
  RECIPIENT_LIMIT_REACHED: 'failLimit',
  PAYMENT_IN_PROGRESS: 'failOpen',
  TRANSACTION_ALREADY_IN_PROCESS: 'failOpen',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'failClosed',
  INVALID_PHONE_NUMBER: 'failNumber',
  INVALID_AMOUNT: 'failAmount',
  AMOUNT_OUT_OF_BOUNDS: 'failAmount',
  AMOUNT_TOO_LARGE: 'failAmount',
  INVALID_CURRENCY: 'failCurrency',
  UNKNOWN_ERROR: 'failUnseen',
  AUTHENTICATION_ERROR: 'failOther',
  AUTHORISATION_ERROR: 'failOther',
  DEPOSITS_NOT_ALLOWED: 'failOther',
  PAYOUTS_NOT_ALLOWED: 'failOther',
  REFUNDS_NOT_ALLOWED: 'failOther',
  REMITTANCES_NOT_ALLOWED: 'failOther',
  SPLIT_PAYMENTS_NOT_ALLOWED: 'failOther',
  INVALID_INPUT: 'failOther',
  MISSING_PARAMETER: 'failOther',
  INVALID_PARAMETER: 'failOther',
  UNSUPPORTED_PARAMETER: 'failOther',
  DUPLICATE_METADATA_FIELD: 'failOther',
  INVALID_PROVIDER: 'failOther',
  INVALID_COUNTRY: 'failOther',
  NOT_FOUND: 'failOther',
  INVALID_STATE: 'failOther',
  REFUND_IN_PROGRESS: 'failOther',
  DEPOSIT_ALREADY_REFUNDED: 'failOther',
  PAYOUT_EXCEEDS_DEPOSIT: 'failOther',
  INVALID_CALLBACK_URL: 'failOther',
  INVALID_DATE_RANGE: 'failOther',
  WALLET_NOT_FOUND: 'failOther',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'failOther',
  MANUALLY_CANCELLED: 'failOther',
  UNSPECIFIED_FAILURE: 'failOther',
  OTHER_ERROR: 'failOther',
}
