/** The amount of a refund as somebody typed it, or what is wrong with it. */
import { type Amount, formatBalance, parseAmount } from '../../../domain/amount.ts'
import { hasTooManyDecimals, typedAmount } from '../../../domain/hosted/typed-text.ts'
import { decimalsOf, money } from '../../money.ts'
import { fill, type Lang } from '../../words.ts'
import { REFUND_WORDS } from './refund-words.ts'

export type ReadAmount =
  | { readonly amount: string; readonly rest: string }
  | { readonly problem: string }

export function readAmount(
  text: string,
  { refundable, currency, lang }: { refundable: string; currency: string; lang: Lang },
): ReadAmount {
  const words = REFUND_WORDS[lang]
  const typed = text.trim()
  const example = asTyped(refundable, currency, lang)
  const values = { typed: typed.slice(0, 40), example }
  const bare = withoutCurrency(typed, currency)
  if (bare === '') return { problem: fill(words.amountNone, values) }
  const amount = asPrinted(bare, currency, lang) ?? typedAmount(bare)
  const asked = amount === undefined ? undefined : parseAmount(amount)
  if (amount === undefined || asked === undefined) return { problem: problemOf(bare, values, lang) }
  if (asked === 0n) return { problem: fill(words.amountZero, values) }
  const rest = ((parseAmount(refundable) ?? 0n) - asked) as Amount
  if (rest >= 0n) return { amount, rest: formatBalance(rest) }
  const left = money(refundable, currency, lang)
  return { problem: fill(words.amountMore, { ...values, left }) }
}

type Values = { readonly typed: string; readonly example: string }

function problemOf(bare: string, values: Values, lang: Lang): string {
  const words = REFUND_WORDS[lang]
  const [, whole = '', three = ''] = UNCLEAR.exec(bare) ?? []
  if (three !== '') {
    const thousands = `${whole}${three}`
    const decimals = withComma(`${whole}.${three.slice(0, 2)}`, lang)
    return fill(words.amountUnclear, { ...values, thousands, decimals })
  }
  return fill(hasTooManyDecimals(bare) ? words.amountDecimals : words.amountForm, values)
}

/** Thousands to some, decimals to others. */
const UNCLEAR = /^(\d{1,3})[.,](\d{3})$/

/** Exactly as the page prints it, which leaves no doubt: `1,500` of a currency without decimals. */
function asPrinted(bare: string, currency: string, lang: Lang): string | undefined {
  const digits = bare.replaceAll(/\D/g, '')
  if (!/^[1-9]\d{0,17}$/.test(digits)) return undefined
  return spaceless(money(digits, currency, lang)) === spaceless(bare + currency)
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
