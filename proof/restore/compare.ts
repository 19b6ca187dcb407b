/** What the restored database knows of what was answered to the merchant. */
import type { Db } from '../../src/store/engine/database.ts'
import { readAttempts } from '../support/attempts.ts'
import type { Verdict } from '../support/check.ts'
import type { Listener, Received } from '../support/listener.ts'
import { nameOf } from '../support/names.ts'
import type { Ask } from '../support/shop.ts'

/** The moment by the clock of the server, and by that of the merchant just before and after. */
export type Moment = {
  readonly words: string
  readonly beforeMs: number
  readonly afterMs: number
}

type Compared = {
  /** Acknowledged before the moment, as the merchant saw it. */
  readonly early: readonly Ask[]
  /** Acknowledged, and not in the restored database. */
  readonly missing: readonly Ask[]
  readonly verdicts: readonly Verdict[]
}

export async function compare(
  db: Db,
  asks: readonly Ask[],
  { beforeMs, afterMs }: Moment,
): Promise<Compared> {
  const rows = await db.query<{ kind: string; id: string }>(
    `select kind, id from payments union all select 'splitPayment', id from split_payments`,
  )
  const stored = new Set(rows.map(({ kind, id }) => nameOf(kind, id)))
  const isThere = ({ kind, id }: Ask): boolean => stored.has(nameOf(kind, id))
  const early = asks.filter(({ acceptedAtMs = Infinity }) => acceptedAtMs < beforeMs)
  const late = asks.filter(({ sentAtMs = -Infinity }) => sentAtMs > afterMs)
  const missing = asks.filter((ask) => ask.accepted > 0 && !isThere(ask))
  return {
    early,
    missing,
    verdicts: [
      {
        guarantee: 'what was acknowledged before the moment is in the restored database',
        checked: early.length,
        findings: [
          ...(early.length === 0 ? ['nothing was: this run proves nothing'] : []),
          ...early
            .filter((ask) => !isThere(ask))
            .map((ask) => `${nameOf(ask.kind, ask.id)} is not`),
        ],
      },
      {
        guarantee: 'what was requested after the moment is not',
        checked: late.length,
        findings: [
          ...(missing.length === 0 ? ['nothing is missing: this run proves nothing'] : []),
          ...late.filter(isThere).map((ask) => `${nameOf(ask.kind, ask.id)} is`),
        ],
      },
    ],
  }
}

/** One line for each, as somebody would give it to a merchant. */
export const linesOf = (missing: readonly Ask[]): string =>
  ['kind,id,amount,currency,phoneNumber']
    .concat(
      missing.flatMap(({ kind, id, payments }) =>
        payments
          .slice(0, 1)
          .map(({ amount, currency, phoneNumber }) =>
            [kind, id, amount, currency, phoneNumber].join(','),
          ),
      ),
    )
    .join('\n')

/**
 * Callbacks that the restored database does not remember are sent again. So that the judge can count
 * attempts, the merchant's records go back to that moment as well: of the callbacks that arrived,
 * those stay whose answers are recorded.
 */
export async function rewindRecords(db: Db, listener: Listener): Promise<void> {
  const rows = await readAttempts(db)
  const recorded = new Map(rows.map((row) => [`${nameOf(row.kind, row.id)} ${row.state}`, row]))
  /** Which of these stay: of each state as many as are recorded. */
  const stay = (name: string, states: readonly string[], count: 'answered' | 'ok') => {
    const seen = new Map<string, number>()
    return states.map((state) => {
      const times = (seen.get(state) ?? 0) + 1
      seen.set(state, times)
      return times <= (recorded.get(`${name} ${state}`)?.[count] ?? 0)
    })
  }
  listener.rewind((name, known): Received | undefined => {
    const arrived = stay(name, known.states, 'answered')
    if (!arrived.includes(true)) return undefined
    const answered = stay(name, known.acknowledged, 'ok')
    return {
      ...known,
      states: known.states.filter((_, at) => arrived[at]),
      signedAt: known.signedAt.filter((_, at) => arrived[at]),
      acknowledged: known.acknowledged.filter((_, at) => answered[at]),
    }
  })
}
