import { fill, type Lang } from '../../words.ts'
import { dayBegins, dayOf } from '../period.ts'
import { momentIn } from '../time.tsx'
import { MONEY_WORDS } from './words.ts'

type Span = { readonly startAt?: number | undefined; readonly endAt?: number | undefined }

/** Whole days are named as they were asked for, the last one included; else the end is not. */
export function periodText(lang: Lang, timeZone: string, { startAt, endAt }: Span): string {
  const words = MONEY_WORDS[lang]
  if (startAt === undefined && endAt === undefined) return words.allTime
  const isDays = [startAt, endAt].every(
    (at) => at === undefined || dayBegins(dayOf(at, timeZone), timeZone) === at,
  )
  const text = (at: number | undefined): string => {
    if (at === undefined) return '…'
    return isDays ? dayText(lang, timeZone, at) : momentIn(lang, timeZone, at, true)
  }
  const from = text(startAt)
  if (!isDays)
    return fill(endAt === undefined ? words.span : words.spanBefore, { from, to: text(endAt) })
  const to = text(endAt === undefined ? undefined : endAt - 1)
  return from === to ? from : fill(words.span, { from, to })
}

const dayText = (lang: Lang, timeZone: string, at: number): string =>
  new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone,
  }).format(at)
