import type { Lang } from './words.ts'

/** A moment as people write it, in UTC and with its zone. */
export function timeText(at: number, lang: Lang, hasDate = true): string {
  return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    ...(hasDate ? { day: 'numeric', month: 'short', year: 'numeric' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone: 'UTC',
  }).format(at)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The two largest units: seconds do not matter for a clock that was moved by days. */
export function durationText(
  ms: number,
  lang: Lang,
  unitDisplay: 'long' | 'short' = 'long',
): string {
  let left = Math.round(Math.abs(ms) / 1000)
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay })
    return count === 0 ? [] : [format.format(count)]
  })
  return parts.slice(0, 2).join(' ') || '0'
}
