import { UNHELD } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { NOTIFICATIONS_DUE } from '../sandbox/orders.ts'

/** Of which kinds of work some is due that no node holds. */
type DueWork = {
  readonly checkouts: boolean
  readonly payments: boolean
  readonly replays: boolean
  readonly callbacks: boolean
  readonly statements: boolean
  readonly bulkPayouts: boolean
  readonly exports: boolean
  /** What the simulated operator reports by itself. */
  readonly notifications: boolean
}

/**
 * Nothing for a node that has not noticed yet that the test clock was moved: it would take up what
 * is not due. One statement, since every node asks it several times a second, mostly for nothing. The order
 * makes each part the reading of one entry of an index; "exists" would let PostgreSQL look through
 * a table that it thinks to be full of due work.
 */
export async function dueWork(
  db: Db,
  clock: { readonly now: number; readonly offsetMs: number },
): Promise<DueWork> {
  const rows = await db.query<DueWork>(
    `select ${part('checkouts')} as checkouts, ${part('payments', UNHELD)} as payments,
       ${part('callback_replays')} as replays, ${part('callbacks', UNHELD)} as callbacks,
       ${part('statements', UNHELD)} as statements, ${part('exports', UNHELD)} as exports,
       ${part('bulk_payouts', UNHELD)} as "bulkPayouts",
       ${first(NOTIFICATIONS_DUE.table, NOTIFICATIONS_DUE.at)} as notifications
     from service_state where clock_offset_ms = $2`,
    [clock.now, clock.offsetMs],
    'due-work',
  )
  return rows[0] ?? NOTHING
}

const NOTHING: DueWork = {
  checkouts: false,
  payments: false,
  replays: false,
  callbacks: false,
  statements: false,
  bulkPayouts: false,
  exports: false,
  notifications: false,
}

function part(table: string, holder?: number): string {
  return first(table, 'due_at', holder === undefined ? '' : `holder = ${holder} and `)
}

function first(table: string, at: string, unheld = ''): string {
  const due = `${unheld}${at} <= to_timestamp($1::float8 / 1000)`
  return `coalesce((select true from ${table} where ${due} order by ${at} limit 1), false)`
}
