import { HOUR_MS, type Period } from '../../../domain/payments/hours.ts'
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import { readConfiguration } from '../../../usecases/accounts/read-configuration.ts'
import { PLACE_OF } from '../payments/parts.tsx'
import { dayBefore, dayBegins, dayOf } from '../period.ts'
import type { Visit } from '../visit.ts'

export const RANGES = ['today', '7d', '30d'] as const
type Range = (typeof RANGES)[number]

/** What Home is asked to show. */
export type Asked = {
  readonly range: Range
  /** The kind that the charts show. */
  readonly kind: PaymentKind
  /** Volume is drawn of every currency, not only of those with the most payments. */
  readonly isWhole: boolean
  readonly country: string | undefined
  /** Those of the country filter, or all that the person may see; undefined: all there are. */
  readonly countries: readonly string[] | undefined
  readonly fromMs: number
  /** Not included. */
  readonly toMs: number
  /** The bars of the charts: hours of today, or days of the person's time zone. */
  readonly periods: readonly Period[]
}

const DAYS: Readonly<Record<Range, number>> = { today: 1, '7d': 7, '30d': 30 }

/** Undefined for a country that is not there for the person. */
export function readAsked(visit: Visit): Asked | undefined {
  const { query } = visit.request
  const range = RANGES.find((one) => one === query.range) ?? 'today'
  const kind = PAYMENT_KINDS.find((one) => PLACE_OF[one] === query.kind) ?? 'deposit'
  const country =
    typeof query.country === 'string' && query.country !== '' ? query.country : undefined
  const options = countriesFor(visit)
  if (country !== undefined && !options.some(({ code }) => code === country)) return undefined
  const { countries: limit } = visit.person
  const allowed = limit.length === 0 ? undefined : limit
  const periods = periodsOf(range, visit.ctx.clock.now(), visit.person.user.timeZone)
  return {
    range,
    kind,
    isWhole: query.currencies === 'all',
    country,
    countries: country === undefined ? allowed : [country],
    periods,
    fromMs: periods[0]?.fromMs ?? 0,
    toMs: periods.at(-1)?.toMs ?? 0,
  }
}

type CountryOption = { readonly code: string; readonly name: string }

/** Countries of the merchant's providers that the person may see. */
export function countriesFor({ ctx, person, lang }: Visit): readonly CountryOption[] {
  return readConfiguration(ctx, person.merchant, {})
    .filter(({ country }) => person.countries.length === 0 || person.countries.includes(country))
    .map(({ country, name }) => ({ code: country, name: name[lang] }))
}

/** They follow each other without a gap, and the last one ends now. */
function periodsOf(range: Range, now: number, timeZone: string): readonly Period[] {
  const begins = range === 'today' ? hoursOf(now, timeZone) : daysOf(DAYS[range], now, timeZone)
  return begins
    .map((fromMs, at) => ({ fromMs, toMs: begins[at + 1] ?? now }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
}

function hoursOf(now: number, timeZone: string): number[] {
  const first = dayBegins(dayOf(now, timeZone), timeZone)
  const count = Math.floor((now - first) / HOUR_MS) + 1
  return Array.from({ length: count }, (_, at) => first + at * HOUR_MS)
}

function daysOf(count: number, now: number, timeZone: string): number[] {
  const today = dayOf(now, timeZone)
  return Array.from({ length: count }, (_, at) =>
    dayBegins(dayBefore(today, count - 1 - at), timeZone),
  )
}
