import { setTimeout as pause } from 'node:timers/promises'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import { LIMITS, NODE_TIMING } from '../../domain/timing.ts'
import { carrySendings } from '../callbacks/sendings.ts'
import { type Database, type Db, untilItPasses } from '../engine/database.ts'
import { isSynchronous, LINEAGE, STANDBYS, type Standbys } from './lineage.ts'

/**
 * Nodes watch each other by counting heartbeats, not by comparing clocks: a node is dead when an
 * observer has seen its heartbeat and its pulse stand still for a while on the observer's own clock.
 */
export type NodeRow = {
  readonly nodeId: NodeId
  readonly machine: string
  readonly pid: number
  /** With the pulse: changes as long as the node lives. */
  readonly signOfLife: string
}

export type Heartbeat = {
  readonly nodes: readonly NodeRow[]
  readonly clockOffsetMs: number
  readonly configVersion: number
  readonly lineage: string
  readonly isSynchronous: boolean
  /** Payments made before it may have been sent in a time that the database has lost. */
  readonly restoredAt: number
}

/** A new name; the former one goes, and what is being sent under it is carried over. */
export async function registerNode(
  db: Database,
  node: { machine: string; pid: number; version: string; startedAt: number },
  former: NodeId,
  now: number,
): Promise<NodeId> {
  const register = async (tx: Db): Promise<NodeId> => {
    const rows = await tx.query<{ node_id: number }>(
      `insert into nodes (machine, pid, beat, version, started_at)
       values ($1, $2, 0, $3, to_timestamp($4::float8 / 1000)) returning node_id`,
      [node.machine, node.pid, node.version, node.startedAt],
    )
    const name = rows[0]?.node_id as NodeId
    if (former !== UNHELD) {
      await carrySendings(tx, former, name, now)
      await removeNode(tx, former)
    }
    // Last, as where settings are changed.
    await tx.query('update service_state set last_node = greatest(last_node, $1)', [name])
    return name
  }
  return untilItPasses(() => db.inTransaction(register))
}

const SIGN_OF_LIFE = `n.beat || '.' || n.pulse`

/** Undefined when the node was declared dead by another: it must begin anew. */
export async function sendHeartbeat(db: Db, node: NodeId): Promise<Heartbeat | undefined> {
  type Row = {
    node_id: number
    machine: string
    pid: number
    sign_of_life: string
    clock_offset_ms: string
    config_version: string
    lineage: string
    restored_ms: number | null
  } & Standbys
  const rows = await db.query<Row>(
    `with mine as (update nodes set beat = beat + 1 where node_id = $1 returning node_id)
     select n.node_id, n.machine, n.pid, ${SIGN_OF_LIFE} as sign_of_life, s.clock_offset_ms, s.config_version,
            ${LINEAGE} as lineage, ${STANDBYS},
            (extract(epoch from s.restored_at) * 1000)::float8 as restored_ms
     from nodes n cross join service_state s
     where exists (select from mine)`,
    [node],
    'heartbeat',
  )
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    nodes: rows.map((row) => ({
      nodeId: row.node_id as NodeId,
      machine: row.machine,
      pid: row.pid,
      signOfLife: row.sign_of_life,
    })),
    clockOffsetMs: Number(first.clock_offset_ms),
    configVersion: Number(first.config_version),
    lineage: first.lineage,
    isSynchronous: isSynchronous(first),
    restoredAt: first.restored_ms ?? Number.NEGATIVE_INFINITY,
  }
}

/** While the main thread of the node is busy; what it has read meanwhile is another matter. */
export async function sendPulse(db: Db, node: NodeId): Promise<void> {
  await db.query('update nodes set pulse = pulse + 1 where node_id = $1', [node])
}

/** True for the one observer that removes it; the sign of life must still be the last one seen. */
export async function removeNode(db: Db, node: NodeId, seen?: string): Promise<boolean> {
  const rows = await db.query(
    `delete from nodes n where node_id = $1 and ($2::text is null or ${SIGN_OF_LIFE} = $2)
     returning 1`,
    [node, seen ?? null],
  )
  return rows.length === 1
}

/** Nodes that have joined; one that was killed is counted until another one notices. */
export async function countNodes(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from nodes')
  return row?.count ?? 0
}

export type JoinedNode = {
  readonly nodeId: NodeId
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly signOfLife: string
}

/** Whether they still live, the next look at their signs of life says. */
export async function listNodes(db: Db): Promise<readonly JoinedNode[]> {
  return db.query<JoinedNode>(
    `select node_id as "nodeId", machine, pid, version, ${SIGN_OF_LIFE} as "signOfLife"
     from nodes n order by node_id`,
  )
}

/**
 * Waits until every other node has sent two heartbeats, or is gone: by the second it has followed
 * the settings that it read with the first.
 */
export async function awaitHeartbeats(db: Db, self: () => NodeId): Promise<void> {
  const look = () =>
    db.query<{ node_id: NodeId; beat: number }>('select node_id, beat::float8 as beat from nodes')
  const before = new Map((await look()).map((node) => [node.node_id, node.beat]))
  const isBehind = (node: { node_id: NodeId; beat: number }): boolean =>
    node.node_id !== self() && node.beat < (before.get(node.node_id) ?? 0) + 2
  while ((await look()).some(isBehind)) await pause(LIMITS.othersLookEveryMs)
}

/**
 * The nodes that send heartbeats, in words. A name alone may be that of a node that was killed, or of
 * a backup.
 */
export async function nodesAtWork(db: Db): Promise<readonly string[]> {
  type Row = { node_id: number; machine: string; pid: number; version: string; beat: string }
  const look = () => db.query<Row>('select node_id, machine, pid, version, beat from nodes')
  const before = new Map((await look()).map((node) => [node.node_id, node.beat]))
  const until = performance.now() + NODE_TIMING.deadAfterMs
  while (before.size > 0 && performance.now() < until) {
    await pause(LIMITS.othersLookEveryMs)
    const alive = (await look()).filter((node) => node.beat !== before.get(node.node_id))
    if (alive.length > 0) {
      return alive.map(
        ({ version, machine, pid }) => `version ${version} on ${machine}, process ${pid}`,
      )
    }
  }
  return []
}
