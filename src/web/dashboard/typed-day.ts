/** Days as people type them and as pages print them in both languages. */

import { dayBefore } from './period.ts'

const ISO = /^\d{4}-\d\d-\d\d$/
const TIME = /,?\s+\d\d:\d\d(?::\d\d)?$/
const BY_NUMBERS = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})$/
const BY_NAME = /^(\d{1,2})(?:er)?\s+(\p{L}{3,})\.?(?:\s+(\d{4}))?$/u
const MONTH_FIRST = /^(\p{L}{3,})\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/u
const DAYS_AGO: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ["aujourd'hui", 0],
  ['yesterday', 1],
  ['hier', 1],
])

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The names of each month, in English and in French. */
const MONTHS: readonly (readonly string[])[] = Array.from({ length: 12 }, (_, month) =>
  ['en', 'fr'].map((lang) =>
    plain(
      new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' }).format(
        Date.UTC(2026, month),
      ),
    ),
  ),
)

/**
 * As in 2026-11-27; undefined where the text is no day. A time after it is passed over. Where `today`
 * is known, a day without its year is the latest such day, and days may be named by it.
 */
export function readTypedDay(text: string, today?: string): string | undefined {
  const day = text.trim().replace(TIME, '')
  if (ISO.test(day)) return day
  const numbers = BY_NUMBERS.exec(day)
  if (numbers !== null) return dayFrom(wholeYear(numbers[3]), Number(numbers[2]), numbers[1])
  const ago = DAYS_AGO.get(plain(day).replace('’', "'"))
  if (ago !== undefined) return today && dayBefore(today, ago)
  const named = BY_NAME.exec(day)
  if (named !== null) return ofYear(named[3], monthNamed(named[2] ?? ''), named[1], today)
  const [, month, date, year] = MONTH_FIRST.exec(day) ?? []
  return month === undefined ? undefined : ofYear(year, monthNamed(month), date, today)
}

const wholeYear = (year = ''): string => (year.length === 2 ? `20${year}` : year)

/** Without a year, the latest such day that has begun. */
function ofYear(year: string | undefined, month: number, date: string | undefined, today?: string) {
  if (year !== undefined || today === undefined) return dayFrom(year, month, date)
  const years = [0, 1].map((back) => String(Number(today.slice(0, 4)) - back))
  const days = years.map((one) => dayFrom(one, month, date))
  return days.find((day) => day !== undefined && day <= today)
}

/** By any part that begins the name of one month alone; zero where there is none. */
function monthNamed(text: string): number {
  const months = MONTHS.filter((names) => names.some((name) => name.startsWith(plain(text))))
  const [month] = months
  return month === undefined || months.length > 1 ? 0 : MONTHS.indexOf(month) + 1
}

function dayFrom(year = '', month = 0, day = ''): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : undefined
}
