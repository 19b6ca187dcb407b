/** What people type on a page, brought into the form that the rest of the service takes. */
import { AMOUNT_PATTERN } from '../amount.ts'

/** Digits of any width become plain ones; everything that is not a digit is dropped. */
export function typedDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^0-9]/g, '')
}

/**
 * The ways in which a typed number can be meant, likeliest first: with the country's code, or as it
 * is dialled inside the country, with or without a zero in front.
 */
export function numberSpellings(text: string, callingCode: string): readonly string[] {
  const digits = typedDigits(text).replace(/^00/, '')
  if (digits === '') return []
  const inside = callingCode + digits
  const whole = digits.startsWith(callingCode) ? [digits, inside] : [inside, digits]
  return whole.flatMap((one) => {
    const national = one.startsWith(callingCode) ? one.slice(callingCode.length) : ''
    return national.startsWith('0') ? [one, callingCode + national.slice(1)] : [one]
  })
}

/** Groups of three by one sign, where the other sign follows or there are two groups at least. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+(?=\.)|(?:,\d{3}){2,}$|(?:\.\d{3})+(?=,)|(?:\.\d{3}){2,}$)/
const TYPED_AMOUNT = /^0*(\d+)(?:[.,](\d{1,2}))?$/
const LONG_FRACTION = /^\d+(?:\.\d{3,}|,\d{4,})$/

/**
 * An amount as people write it: digits in groups, a comma or a point before the decimals. Undefined
 * where it could mean two things: `1,000` is a thousand to some and one to others.
 */
export function typedAmount(text: string): string | undefined {
  const match = TYPED_AMOUNT.exec(ungrouped(text))
  if (match === null) return undefined
  const [, whole = '', fraction] = match
  return fraction === undefined ? whole : `${whole}.${fraction}`
}

/** As the API takes it, where the text is an amount in one way or the other; else as it was typed. */
export const plainAmount = (text: string): string =>
  new RegExp(AMOUNT_PATTERN).test(text) ? text : (typedAmount(text) ?? text)

/** Why an amount was not read: more decimals than any currency has, and not a thousand. */
export const hasTooManyDecimals = (text: string): boolean => LONG_FRACTION.test(ungrouped(text))

function ungrouped(text: string): string {
  const compact = text.normalize('NFKC').replaceAll(/[\s']/g, '')
  return compact.replace(GROUPED, (groups) => groups.replaceAll(/[.,]/g, ''))
}
