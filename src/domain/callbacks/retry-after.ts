import { LIMITS } from '../timing.ts'

/** `Retry-After` as RFC 9110 has it: seconds, or a date in one of three spellings. */

/** How long the receiver asks us to wait, at most 24 hours; undefined for what cannot be read. */
export function retryAfterMs(text: string | undefined, realNow: number): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d{1,12}$/.test(value)) return Math.min(Number(value) * 1000, LIMITS.retryAfterAtMostMs)
  const at = dateOf(value)
  return at === undefined
    ? undefined
    : Math.min(Math.max(0, at - realNow), LIMITS.retryAfterAtMostMs)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'
const MONTH = `(?<month>${MONTHS.join('|')})`

/** Today's form, and the two that a recipient has to take as well. */
const FORMS: readonly RegExp[] = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
]

function dateOf(text: string): number | undefined {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups
    if (found === undefined) continue
    const part = (name: string): number => Number(found[name])
    const year = part('year') < 100 ? 2000 + part('year') : part('year')
    const month = MONTHS.indexOf(found.month ?? '')
    return Date.UTC(year, month, part('day'), part('hour'), part('minute'), part('second'))
  }
  return undefined
}
