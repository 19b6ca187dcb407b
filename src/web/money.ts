/** Amounts and moments as people read them. Amounts stay text: no float ever holds money. */
import type { Lang } from './words.ts'

/** `15` in ZMW is `15.00 ZMW`; with a no-break space, so that no line parts them. */
export function money(amount: string, currency: string, lang: Lang): string {
  const usual = decimalsOf(currency)
  const given = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  const format = new Intl.NumberFormat(lang, {
    minimumFractionDigits: usual,
    maximumFractionDigits: Math.max(usual, given),
  })
  return `${format.format(amount as Intl.StringNumericLiteral)}\u00a0${currency}`
}

function decimalsOf(currency: string): number {
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
