/** Moments as the person reads them, in their time zone. */
import { dateFormat } from '../dates.ts'
import type { Lang } from '../words.ts'
import type { Visit } from './visit.ts'

export const momentText = ({ lang, person }: Visit, ms: number, hasSeconds = true): string =>
  momentIn(lang, person.user.timeZone, ms, hasSeconds)

/** The same for who is not here: in a mail. */
export function momentIn(lang: Lang, timeZone: string, ms: number, hasSeconds = false): string {
  return dateFormat(lang === 'en' ? 'en-GB' : 'fr', {
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
