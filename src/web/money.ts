/** Amounts and moments as people read them. Amounts stay text: no float ever holds money. */
import type { Lang } from './words.ts'

/** `15` in ZMW is `15.00 ZMW`; with a no-break space, so that no line parts them. */
export const money = (amount: string, currency: string, lang: Lang): string =>
  `${digits(amount, currency, lang)}\u00a0${currency}`

/** For a sentence: between 1 and 250,000 KES. */
export const moneyLimits = (
  { min, max, currency }: { readonly min: string; readonly max: string; readonly currency: string },
  lang: Lang,
) => ({ min: digits(min, currency, lang), max: money(max, currency, lang) })

function digits(amount: string, currency: string, lang: Lang): string {
  const given = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  const shown = Math.max(given === 0 ? 0 : 2, given, decimalsOf(currency))
  const format = new Intl.NumberFormat(lang, {
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

/** A provider takes whole amounts of these, so nobody expects decimals, whatever ISO 4217 has. */
const WHOLE: ReadonlySet<string> = new Set(['CDF', 'KES', 'MZN', 'NGN', 'TZS'])

export function decimalsOf(currency: string): number {
  if (WHOLE.has(currency)) return 0
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
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
