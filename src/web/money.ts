/** Amounts and moments as people read them. Amounts stay text: no float ever holds money. */
import type { Lang } from './words.ts'

/** `15` in ZMW is `15.00 ZMW`; with a no-break space, so that no line parts them. */
export const money = (
  amount: string,
  currency: string,
  lang: Lang,
  leastDecimals = decimalsOf(currency),
): string => `${digits(amount, lang, leastDecimals)}\u00a0${currency}`

/** For a sentence: between 1 and 250,000 KES. */
export const moneyLimits = (
  { min, max, currency }: { readonly min: string; readonly max: string; readonly currency: string },
  lang: Lang,
) => ({ min: digits(min, lang, decimalsOf(currency)), max: money(max, currency, lang) })

function digits(amount: string, lang: Lang, leastDecimals: number): string {
  const given = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  const shown = Math.max(given === 0 ? 0 : 2, given, leastDecimals)
  return formatFor(lang, shown).format(amount as Intl.StringNumericLiteral)
}

/** Making one takes longer than using it a hundred times, and pages have hundreds of amounts. */
const formats = new Map<string, Intl.NumberFormat>()

function formatFor(lang: Lang, digitsShown: number): Intl.NumberFormat {
  const name = `${lang} ${digitsShown}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(lang, {
    minimumFractionDigits: digitsShown,
    maximumFractionDigits: digitsShown,
  })
  formats.set(name, made)
  return made
}

/** A provider takes whole amounts of these, so nobody expects decimals, whatever ISO 4217 has. */
const WHOLE: ReadonlySet<string> = new Set(['CDF', 'KES', 'MZN', 'NGN', 'TZS'])

const decimals = new Map<string, number>()

export function decimalsOf(currency: string): number {
  if (WHOLE.has(currency)) return 0
  const known = decimals.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const found = format.resolvedOptions().maximumFractionDigits ?? 2
  decimals.set(currency, found)
  return found
}

/** Where the wallet is, people read their own time; elsewhere UTC, which says so. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  BEN: 'Africa/Porto-Novo',
  BFA: 'Africa/Ouagadougou',
  CIV: 'Africa/Abidjan',
  CMR: 'Africa/Douala',
  COD: 'Africa/Kinshasa',
  COG: 'Africa/Brazzaville',
  ETH: 'Africa/Addis_Ababa',
  GAB: 'Africa/Libreville',
  GHA: 'Africa/Accra',
  KEN: 'Africa/Nairobi',
  LSO: 'Africa/Maseru',
  MOZ: 'Africa/Maputo',
  MWI: 'Africa/Blantyre',
  NGA: 'Africa/Lagos',
  RWA: 'Africa/Kigali',
  SEN: 'Africa/Dakar',
  SLE: 'Africa/Freetown',
  TZA: 'Africa/Dar_es_Salaam',
  UGA: 'Africa/Kampala',
  ZMB: 'Africa/Lusaka',
}

export function moment(at: number, country: string, lang: Lang): string {
  return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'shortOffset',
    timeZone: TIME_ZONES[country] ?? 'UTC',
  }).format(at)
}
