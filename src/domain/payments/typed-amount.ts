/** Amounts as people write them: digits in groups, a comma or a point before the decimals. */
import { AMOUNT_PATTERN, parseAmount } from '../amount.ts'

export type TypedAmount =
  | { readonly meaning: 'ONE'; readonly amount: string }
  /** `1,000` is a thousand to some and one to others. */
  | {
      readonly meaning: 'TWO'
      readonly thousands: string
      readonly decimals: string
      readonly mark: string
    }
  /** More decimals than any currency has. */
  | { readonly meaning: 'TOO_FINE'; readonly amount: string }

/** Groups of three by one sign, where the other sign follows or there are two groups at least. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+(?=\.)|(?:,\d{3}){2,}$|(?:\.\d{3})+(?=,)|(?:\.\d{3}){2,}$)/
const SPACED = /^\d{1,3}(?: \d{3})+(?=[.,]|$)/
const PLAIN = /^0*(\d+)(?:([.,])(\d+))?$/
/** What could also be one group of thousands. */
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/

/** As the API writes amounts, however large; undefined where the text is none. */
export function readTypedAmount(text: string): TypedAmount | undefined {
  const typed = text.normalize('NFKC').trim().replaceAll(/[\s']/g, ' ')
  const ungrouped = typed
    .replace(SPACED, (groups) => groups.replaceAll(' ', ''))
    .replace(GROUPED, (groups) => groups.replaceAll(/[.,]/g, ''))
  const [, whole, mark = '', fraction] = PLAIN.exec(ungrouped) ?? []
  if (whole === undefined) return undefined
  if (fraction === undefined) return { meaning: 'ONE', amount: whole }
  const amount = `${whole}.${fraction}`
  if (fraction.length <= 2) return { meaning: 'ONE', amount }
  if (!ONE_GROUP.test(typed)) return { meaning: 'TOO_FINE', amount }
  return { meaning: 'TWO', thousands: whole + fraction, decimals: amount, mark }
}

/** Where money is to move: undefined unless the text has one meaning. */
export function typedAmount(text: string): string | undefined {
  const read = readTypedAmount(text)
  return read?.meaning === 'ONE' ? read.amount : undefined
}

/** Where amounts are looked for: of two meanings the one that English pages print. */
export function likelyAmount(text: string): string | undefined {
  const read = readTypedAmount(text)
  if (read === undefined) return undefined
  const amount =
    read.meaning === 'TWO' ? (read.mark === ',' ? read.thousands : read.decimals) : read.amount
  return parseAmount(amount) === undefined ? undefined : amount
}

/** As the API takes it, where the text is an amount in one way or the other; else as it was typed. */
export const plainAmount = (text: string): string =>
  new RegExp(AMOUNT_PATTERN).test(text) ? text : (typedAmount(text) ?? text)

/** Why an amount was not read: more decimals than any currency has, and not a thousand. */
export function hasTooManyDecimals(text: string): boolean {
  const read = readTypedAmount(text)
  return read?.meaning === 'TOO_FINE' || (read?.meaning === 'TWO' && read.mark === '.')
}
