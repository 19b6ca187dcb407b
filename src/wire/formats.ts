import { AMOUNT_PATTERN, formatBalance, parseSum } from '../domain/amount.ts'
import { UUID_V4_PATTERN } from '../domain/ids.ts'
import { invariant } from '../domain/invariant.ts'
import { RECEIPT_TEXT } from '../domain/payments/request-limits.ts'
import { PHONE_PATTERN } from '../domain/phone-number.ts'
import { EXAMPLE_ID } from './identifiers.ts'
import { Type } from './schema.ts'

/** Schema pieces that both generations share. Descriptions are printed in error messages too. */
const UUID_WORDS = 'a UUID version 4, in any letter case'

export const UuidV4 = Type.String({
  minLength: 36,
  maxLength: 36,
  pattern: UUID_V4_PATTERN,
  description: UUID_WORDS,
  examples: [EXAMPLE_ID],
})

/** The same with a word about what it names. */
export const uuidV4 = (what: string, example: string) =>
  Type.String({ ...UuidV4, description: `${UUID_WORDS}; ${what}`, examples: [example] })

export const AmountText = Type.String({
  minLength: 1,
  maxLength: 23,
  pattern: AMOUNT_PATTERN,
  description:
    'a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals',
  examples: ['15'],
})

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'a currency as three capital letters (ISO 4217)',
  examples: ['ZMW'],
})

export const CountryCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'a country as three capital letters (ISO 3166-1 alpha-3)',
  examples: ['ZMB'],
})

export const PhoneNumber = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: PHONE_PATTERN,
  description: 'a phone number as digits with the country code: no plus sign, no spaces',
  examples: ['260763456789'],
})

export const PROVIDER_PATTERN = '^[A-Z0-9]+(_[A-Z0-9]+)*$'

export const ProviderCode = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: PROVIDER_PATTERN,
  description: 'a provider code in capital letters, digits and underscores',
  examples: ['MTN_MOMO_ZMB'],
})

/** As the pattern of the specification has it for what a receipt shows. */
const RECEIPT_TEXT_WORDS = '4 to 22 letters (a to z, without accents), digits and spaces'

export const CustomerMessage = Type.String({
  minLength: RECEIPT_TEXT.min,
  maxLength: RECEIPT_TEXT.max,
  pattern: RECEIPT_TEXT.pattern,
  description: `${RECEIPT_TEXT_WORDS}; the customer may see it on the receipt`,
  examples: ['Order 12345'],
})

/** In one language. A refusal names the language alone, so it says of what. */
export const ReasonText = Type.String({
  ...CustomerMessage,
  description: `a text of reason with ${RECEIPT_TEXT_WORDS}`,
})

const RETURN_URL_WORDS =
  'an absolute https address to which the customer comes back, or one of an app whose scheme the ' +
  'account allows; in the sandbox also http to this machine or a private address'

export const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: RETURN_URL_WORDS,
  examples: ['https://shop.example/thanks'],
})

/** The same where the page of a provider leads to. */
export const ProviderReturnUrl = Type.String({
  ...ReturnUrl,
  description: `${RETURN_URL_WORDS}; only for providers that redirect the customer`,
})

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'date and time in UTC (RFC 3339)',
  examples: ['2026-11-15T10:14:00Z'],
})

/**
 * Seconds are enough for people and for every client seen; the ledger keeps milliseconds. Most
 * answers of one second ask for the same text.
 */
export function timestampText(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  }
  return lastText
}

let lastSecond = Number.NaN
let lastText = ''

/** The database prints as many decimals as the payments had; the wire prints two. */
export function balanceText(numeric: string): string {
  const amount = parseSum(numeric)
  invariant(amount !== undefined, `a wallet holds ${numeric}`)
  return formatBalance(amount)
}
