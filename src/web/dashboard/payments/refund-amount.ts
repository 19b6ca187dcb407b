/** The amount of a refund as somebody typed it, or what is wrong with it. */
import {
  type Amount,
  formatBalance,
  hasAtMostDecimals,
  parseAmount,
} from '../../../domain/amount.ts'
import { readTypedAmount, type TypedAmount } from '../../../domain/payments/typed-amount.ts'
import { decimalsOf, money as shortMoney } from '../../money.ts'
import { fill, type Lang } from '../../words.ts'
import { money } from '../money-text.ts'
import { REFUND_WORDS } from './refund-words.ts'

export type ReadAmount =
  | { readonly amount: string; readonly rest: string }
  | { readonly problem: string }

/** What of the deposit is left, and how it can be given back. */
type Limits = {
  readonly refundable: string
  readonly currency: string
  /** As many as the provider takes. */
  readonly decimals: number
  readonly lang: Lang
}

export function readAmount(text: string, limits: Limits): ReadAmount {
  const { refundable, currency, decimals, lang } = limits
  const words = REFUND_WORDS[lang]
  const typed = text.trim()
  const example = asTyped(refundable, currency, lang)
  const values = { typed: typed.slice(0, 40), example, currency, decimals }
  const bare = withoutCurrency(typed, currency)
  if (bare === '') return { problem: fill(words.amountNone, values) }
  const printed = asPrinted(bare, currency, lang)
  const read =
    printed === undefined ? readTypedAmount(bare) : ({ meaning: 'ONE', amount: printed } as const)
  if (read?.meaning === 'TWO')
    return { problem: fill(words.amountUnclear, { ...values, ...bothOf(read, lang) }) }
  const asked = read && parseAmount(read.amount)
  if (
    read?.meaning === 'TOO_FINE' ||
    (asked !== undefined && !hasAtMostDecimals(asked, decimals))
  ) {
    if (decimals === 0) return { problem: fill(words.amountWhole, values) }
    const whole = withComma(formatBalance(parseAmount(refundable) ?? (0n as Amount)), lang)
    return { problem: fill(words.amountDecimals, { ...values, example: whole }) }
  }
  if (read === undefined || asked === undefined) return { problem: fill(words.amountForm, values) }
  if (asked === 0n) return { problem: fill(words.amountZero, values) }
  const rest = ((parseAmount(refundable) ?? 0n) - asked) as Amount
  if (rest >= 0n) return { amount: read.amount, rest: formatBalance(rest) }
  const left = money(refundable, currency, lang)
  return { problem: fill(words.amountMore, { ...values, left }) }
}

/** Both meanings, each written so that it has no other. */
const bothOf = ({ thousands, decimals }: Extract<TypedAmount, { meaning: 'TWO' }>, lang: Lang) => ({
  thousands,
  decimals: withComma(decimals.slice(0, -1), lang),
})

/** As pages for customers print it, which leaves no doubt: `1,500` of a currency without decimals. */
function asPrinted(bare: string, currency: string, lang: Lang): string | undefined {
  const digits = bare.replaceAll(/\D/g, '')
  if (!/^[1-9]\d{0,17}$/.test(digits)) return undefined
  return spaceless(shortMoney(digits, currency, lang)) === spaceless(bare + currency)
    ? digits
    : undefined
}

const spaceless = (text: string): string => text.replaceAll(/\s/g, '')

/** Copied from the page, the currency may come along. */
const withoutCurrency = (typed: string, currency: string): string =>
  typed.toUpperCase().endsWith(currency) ? typed.slice(0, -currency.length).trim() : typed

/** As people would type it: `1500.00`, in French `1500,00`, and `1500` of a currency without decimals. */
export function asTyped(amount: string, currency: string, lang: Lang): string {
  const short = decimalsOf(currency) === 0 ? amount.replace(/\.0+$/, '') : amount
  return withComma(short, lang)
}

const withComma = (amount: string, lang: Lang): string =>
  lang === 'fr' ? amount.replace('.', ',') : amount
