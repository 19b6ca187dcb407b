import { PAUSED } from '../callbacks/endpoints.ts'
import { LISTENER_LEFT } from '../callbacks/listeners.ts'
import type { Db } from '../engine/database.ts'
import { SESSION_IS_OLD } from '../hosted/page-sessions.ts'
import { FILE_IS_OLD } from '../statements/file-pieces.ts'
import { ANY_ORPHANS } from './takeover.ts'

/** What there is to put in order after a heartbeat. */
type DueSweeps = {
  readonly orphans: boolean
  readonly paused: boolean
  readonly statements: boolean
  readonly exports: boolean
  readonly listeners: boolean
  readonly sessions: boolean
}

/** Before these moments, what ended or was last used is too old to be kept. */
export type KeptSince = {
  readonly statements: number
  readonly exports: number
  readonly listeners: number
  readonly sessions: number
}

/** One statement, since every node asks it with each heartbeat, mostly for nothing. */
export async function dueSweeps(db: Db, since: KeptSince): Promise<DueSweeps> {
  const [row] = await db.query<DueSweeps>(
    `select ${ANY_ORPHANS} as orphans,
       ${some('callbacks', PAUSED, 'merchant_id, kind')} as paused,
       ${some('statements', FILE_IS_OLD('$1'), 'ended_at')} as statements,
       ${some('exports', FILE_IS_OLD('$2'), 'ended_at')} as exports,
       ${some('listeners', LISTENER_LEFT('$3'), 'asked_at')} as listeners,
       ${some('page_sessions', SESSION_IS_OLD('$4'), 'expires_at')} as sessions`,
    [since.statements, since.exports, since.listeners, since.sessions],
    'due-sweeps',
  )
  return row as DueSweeps
}

/** The order makes it the reading of one entry of an index; see `due-work.ts`. */
const some = (table: string, where: string, order: string): string =>
  `coalesce((select true from ${table} where ${where} order by ${order} limit 1), false)`
