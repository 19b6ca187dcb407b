import { type NodeId, UNHELD } from '../domain/ids.ts'
import type { Database, Db } from './database.ts'
import { carrySendings } from './sendings.ts'

/**
 * Nodes watch each other by counting beats, not by comparing clocks: a node is dead when an
 * observer has seen its beat stand still for a while on the observer's own clock.
 */
export type NodeRow = {
  readonly nodeId: NodeId
  readonly machine: string
  readonly pid: number
  readonly beat: string
}

export type Beat = {
  readonly nodes: readonly NodeRow[]
  readonly clockOffsetMs: number
  readonly configVersion: number
}

/** A node whose beat has stood still for so long is taken for dead. */
export const DEAD_AFTER_MS = 5000

/** A new name; the former one goes, and what is being sent under it is carried over. */
export async function registerNode(
  db: Database,
  node: { machine: string; pid: number; version: string; startedAt: number },
  former: NodeId,
  now: number,
): Promise<NodeId> {
  return db.inTransaction(async (tx) => {
    const rows = await tx.query<{ node_id: number }>(
      `insert into nodes (machine, pid, beat, version, started_at)
       values ($1, $2, 0, $3, to_timestamp($4::float8 / 1000)) returning node_id`,
      [node.machine, node.pid, node.version, node.startedAt],
    )
    const name = rows[0]?.node_id as NodeId
    if (former === UNHELD) return name
    await carrySendings(tx, former, name, now)
    await removeNode(tx, former)
    return name
  })
}

/** Undefined when the node was declared dead by another: it must begin anew. */
export async function beat(db: Db, node: NodeId): Promise<Beat | undefined> {
  type Row = {
    node_id: number
    machine: string
    pid: number
    beat: string
    clock_offset_ms: string
    config_version: string
  }
  const rows = await db.query<Row>(
    `with mine as (update nodes set beat = beat + 1 where node_id = $1 returning node_id)
     select n.node_id, n.machine, n.pid, n.beat, s.clock_offset_ms, s.config_version
     from nodes n cross join service_state s
     where exists (select from mine)`,
    [node],
    'beat',
  )
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    nodes: rows.map((row) => ({
      nodeId: row.node_id as NodeId,
      machine: row.machine,
      pid: row.pid,
      beat: row.beat,
    })),
    clockOffsetMs: Number(first.clock_offset_ms),
    configVersion: Number(first.config_version),
  }
}

/** True for the one observer that removes it; the beat must still be the one that stood still. */
export async function removeNode(db: Db, node: NodeId, beatSeen?: string): Promise<boolean> {
  const rows = await db.query(
    `delete from nodes where node_id = $1 and ($2::bigint is null or beat = $2) returning 1`,
    [node, beatSeen ?? null],
  )
  return rows.length === 1
}

/** Nodes that have joined; one that was killed is counted until another one notices. */
export async function countNodes(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from nodes')
  return row?.count ?? 0
}
