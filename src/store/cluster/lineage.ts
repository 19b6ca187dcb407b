import type { NodeId } from '../../domain/ids.ts'
import { UNSENT_STATES } from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'

/** Where the data are. What was acknowledged in one place may be missing in another. */
export type Place = {
  readonly lineage: string
  /** The place that was noted in the data themselves. */
  readonly noted: string | undefined
  readonly isSynchronous: boolean
  /** The server gives its identifier and timeline; otherwise database and table are all there is. */
  readonly isWhole: boolean
}

/** In brackets, so that it is computed once for a statement. */
export const LINEAGE = '(select data_lineage())'

/** What `isSynchronous` reads. */
export const STANDBYS = `current_setting('synchronous_standby_names') as standbys,
  current_setting('synchronous_commit') as commits`
export type Standbys = { readonly standbys: string; readonly commits: string }

const LIST = /^(?:(?:first|any)\s+)?(?:(\d+)\s*)?\((.*)\)$|^(.*)$/is

/**
 * Nothing is confirmed before every standby that is named has it. Where some of them suffice, the one
 * that takes over may be another.
 */
export function isSynchronous({ standbys, commits }: Standbys): boolean {
  const [, count, bracketed, plain] = LIST.exec(standbys.trim()) ?? []
  const names = (bracketed ?? plain ?? '').split(',').map((name) => name.trim())
  if (names.some((name) => name === '' || name === '*')) return false
  return ['on', 'remote_apply'].includes(commits) && Number(count ?? 1) === names.length
}

export async function readPlace(db: Db): Promise<Place> {
  const [row] = await db.query<{ lineage: string; noted: string | null } & Standbys>(
    `select ${LINEAGE} as lineage, lineage as noted, ${STANDBYS} from service_state`,
  )
  if (row === undefined) throw new Error('The database holds no service state.')
  return {
    lineage: row.lineage,
    noted: row.noted ?? undefined,
    isSynchronous: isSynchronous(row),
    isWhole: row.lineage.split('.').length === 4,
  }
}

export async function notePlace(db: Db): Promise<void> {
  await db.query(`update service_state set lineage = ${LINEAGE}`)
}

/** True where the database does not know this node, or not as many of its beats as it confirmed. */
export async function hasForgotten(db: Db, node: NodeId, beats: number): Promise<boolean> {
  const [row] = await db.query<{ has_forgotten: boolean }>(
    `select coalesce((select beat < $2 from nodes where node_id = $1), last_node < $1)
       as has_forgotten from service_state`,
    [node, beats],
  )
  return row?.has_forgotten ?? true
}

/**
 * What is older than this moment may have been sent already; answers how many payments wait. By the
 * clock of payments, which the sandbox may have moved; where the clock of a node was ahead of the
 * server's, by its last payment.
 */
export async function markRestored(db: Db): Promise<number> {
  const [row] = await db.query<{ unsent: number }>(
    `update service_state set lineage = ${LINEAGE}, restored_at = greatest(last_made,
       clock_timestamp() + clock_offset_ms * interval '1 millisecond')
     from (select count(*)::int as unsent, max(created_at) as last_made from payments
           where due_at is not null and state in (${sqlList(UNSENT_STATES)})) as waiting
     returning unsent`,
  )
  return row?.unsent ?? 0
}
