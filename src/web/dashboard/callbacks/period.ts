/** Days and moments as people type them, in their own time zone. */
import type { Lang } from '../../words.ts'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/

/**
 * The first moment of a day, or the moment itself. `isEnd`: a day includes its end, so the first
 * moment after it. Undefined for what is neither.
 */
export function readMoment(text: string, zone: string, isEnd = false): number | undefined {
  const day = DAY.exec(text)
  if (day !== null) {
    const [year = 0, month = 0, date = 0] = day.slice(1).map(Number)
    if (!isDate(year, month, date)) return undefined
    return inZone(Date.UTC(year, month - 1, date + (isEnd ? 1 : 0)), zone)
  }
  const local = LOCAL.exec(text)
  if (local !== null) {
    const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = local
      .slice(1)
      .map((part) => Number(part ?? 0))
    if (!isDate(year, month, date) || hour > 23 || minute > 59 || second > 59) return undefined
    return inZone(Date.UTC(year, month - 1, date, hour, minute, second), zone)
  }
  const instant = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

const isDate = (year: number, month: number, date: number): boolean =>
  new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date && month >= 1 && month <= 12

/** The moment at which clocks of the zone show this time, given as if it were UTC. */
function inZone(shown: number, zone: string): number {
  const first = shown - offsetAt(shown, zone)
  return shown - offsetAt(first, zone)
}

function offsetAt(at: number, zone: string): number {
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = partsAt(at, zone)
  return Date.UTC(year, month - 1, date, hour, minute, second) - Math.floor(at / 1000) * 1000
}

function partsAt(at: number, zone: string): readonly number[] {
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(at)
  const names = ['year', 'month', 'day', 'hour', 'minute', 'second']
  return names.map((name) => Number(parts.find(({ type }) => type === name)?.value ?? 0))
}

/** For a field of a day and a time. */
export function localText(at: number, zone: string): string {
  const [year = 0, ...rest] = partsAt(at, zone)
  const [month, date, hour, minute] = rest.map((part) => String(part).padStart(2, '0'))
  return `${year}-${month}-${date}T${hour}:${minute}`
}

/** A moment as people of the zone read it. */
export const momentText = (at: number, zone: string, lang: Lang): string =>
  new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
  }).format(at)
