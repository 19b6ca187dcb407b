/** Moments and days as the person reads them, in their time zone. */
import type { Lang } from '../words.ts'
import type { Visit } from './visit.ts'

export const momentText = ({ lang, person }: Visit, ms: number, hasSeconds = true): string =>
  momentIn(lang, person.user.timeZone, ms, hasSeconds)

/** The same for who is not here: in a mail. */
export function momentIn(lang: Lang, timeZone: string, ms: number, hasSeconds = false): string {
  return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds ? { second: '2-digit' } : {}),
    timeZone,
  }).format(ms)
}

/** In the person's time zone; UTC stands in the title. */
export function When({ visit, ms }: { readonly visit: Visit; readonly ms: number }) {
  const iso = new Date(ms).toISOString()
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`}>
      {momentText(visit, ms)}
    </time>
  )
}

const DAY_MS = 86_400_000

/** When a day begins in a time zone. Clocks may change in the night, so it is found in two steps. */
export function dayBegins(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  const once = utc - offsetAt(utc, timeZone)
  return utc - offsetAt(once, timeZone)
}

/** When the next day begins. */
export const dayEnds = (day: string, timeZone: string): number =>
  dayBegins(new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10), timeZone)

/** The day of a moment, such as 2026-11-17. */
export const dayOf = (ms: number, timeZone: string): string =>
  new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 10)

function offsetAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
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

/** A day includes its end; a moment as the end does not. Undefined where the text is neither. */
export function readTime(text: string, timeZone: string, isEnd: boolean): number | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    if (Number.isNaN(Date.parse(text))) return undefined
    return isEnd ? dayEnds(text, timeZone) : dayBegins(text, timeZone)
  }
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
