/** Days, moments and periods as people type them and read them, in their own time zone. */
import { dateFormat } from '../dates.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/
const INSTANT = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/

/**
 * The first moment of a day, or the moment itself. `isEnd`: a day includes its end, so the first
 * moment after it; a moment as the end does not belong to the period. Undefined for what is neither.
 */
export function readMoment(text: string, zone: string, isEnd = false): number | undefined {
  if (DAY.test(text)) {
    if (!isDay(text)) return undefined
    return isEnd ? dayEnds(text, zone) : dayBegins(text, zone)
  }
  const local = LOCAL.exec(text)
  if (local !== null) {
    const [hour = 0, minute = 0, second = 0] = local.slice(4).map((part) => Number(part ?? 0))
    if (!isDay(text.slice(0, 10)) || hour > 23 || minute > 59 || second > 59) return undefined
    return inZone(
      Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + seconds(hour, minute, second),
      zone,
    )
  }
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

const seconds = (hour: number, minute: number, second: number): number =>
  ((hour * 60 + minute) * 60 + second) * 1000

/** False for the 30th of February. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

export const dayBegins = (day: string, zone: string): number =>
  inZone(Date.parse(`${day}T00:00:00Z`), zone)

/** When the next day begins. */
export const dayEnds = (day: string, zone: string): number => dayBegins(dayBefore(day, -1), zone)

/** The day of a moment, such as 2026-11-17. */
export const dayOf = (ms: number, zone: string): string =>
  new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 10)

/** So many days earlier on the calendar, however long the days were. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

/** For a field of a day and a time. */
export const localText = (at: number, zone: string): string =>
  new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16)

/** The moment at which clocks of the zone show this time, given as if it were UTC. */
function inZone(shown: number, zone: string): number {
  // Clocks may change in between, so it is found in two steps.
  const first = shown - offsetAt(shown, zone)
  return shown - offsetAt(first, zone)
}

function offsetAt(ms: number, timeZone: string): number {
  const parts = dateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms)
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '00'
  const day = `${part('year')}-${part('month')}-${part('day')}`
  const local = Date.parse(`${day}T${part('hour')}:${part('minute')}:${part('second')}Z`)
  return local - Math.floor(ms / 1000) * 1000
}

/** A browser offers a calendar for days; a moment that came by a link has to stay as it is. */
export const dayType = (...given: readonly (string | undefined)[]): 'date' | 'text' =>
  given.every((text) => text === undefined || DAY.test(text)) ? 'date' : 'text'

type Preset = {
  readonly name: 'hour' | 'today' | 'yesterday' | 'week' | 'allTime'
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Periods that people ask for most. Weeks begin on Monday. */
export function presetsAt(now: number, zone: string): readonly Preset[] {
  const today = dayOf(now, zone)
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const yesterday = dayBefore(today, 1)
  return [
    { name: 'hour', from: new Date(now - HOUR_MS).toISOString(), to: undefined },
    { name: 'today', from: today, to: today },
    { name: 'yesterday', from: yesterday, to: yesterday },
    { name: 'week', from: dayBefore(today, weekday), to: today },
    { name: 'allTime', from: undefined, to: undefined },
  ]
}
