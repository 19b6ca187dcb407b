import type { LogFilter } from '../../../usecases/people/audit-log.ts'
import { readMoment } from '../period.ts'
import type { Visit } from '../visit.ts'

/** What the address asks for, as it stands there and as the log takes it. */
export type GivenFilter = {
  readonly given: Readonly<Partial<Record<'actor' | 'action' | 'from' | 'to', string>>>
  readonly filter: LogFilter
  /** Times that cannot be read; they filter nothing, and the page says so. */
  readonly wrong: readonly ('from' | 'to')[]
}

export function readFilter({ request, person }: Visit): GivenFilter {
  const text = (name: string): string | undefined => {
    const value = request.query[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const given = {
    actor: text('actor'),
    action: text('action'),
    from: text('from'),
    to: text('to'),
  }
  const { timeZone } = person.user
  const fromMs = given.from && readMoment(given.from, timeZone)
  const toMs = given.to && readMoment(given.to, timeZone, true)
  const after = text('after')
  return {
    given: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    filter: {
      actor: given.actor?.toLowerCase(),
      action: given.action,
      fromMs: fromMs || undefined,
      toMs: toMs || undefined,
      before: after !== undefined && /^\d{1,15}$/.test(after) ? Number(after) : undefined,
    },
    wrong: [
      ...(given.from !== undefined && fromMs === undefined ? (['from'] as const) : []),
      ...(given.to !== undefined && toMs === undefined ? (['to'] as const) : []),
    ],
  }
}
