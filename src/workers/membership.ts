import { type NodeId, UNHELD } from '../domain/ids.ts'
import type { NodeTiming } from '../domain/timing.ts'
import { type Heartbeat, registerNode, removeNode, sendHeartbeat } from '../store/cluster/nodes.ts'
import type { Database } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'
import { createDeadNodeRemoval } from './dead-nodes.ts'
import { failOverWhenSilent } from './fail-over.ts'
import { createHeartbeatLoop } from './heartbeat-loop.ts'
import { createLease } from './lease.ts'
import { createLineageWatch } from './lineage-watch.ts'

/**
 * This process as a node: it sends heartbeats, watches those of the others, and removes nodes whose
 * heartbeat stands still. A node that was removed, or lost the database, joins again under a new
 * name; what it held under the old one is freed and claimed like that of any dead node.
 */
export type NodeMembership = {
  id(): NodeId
  mayAct(): boolean
  restoredAt(): number
  lineage(): string
  /** Leaves and joins again; called when it is not known what became of the last write. */
  renew(): void
  isJoined(): boolean
  /** Joins the other nodes; from then on the events are called. */
  start(events: MembershipEvents): Promise<void>
  stop(): Promise<void>
}

type MembershipOptions = {
  readonly db: Database
  readonly log: Log
  readonly timing: NodeTiming
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly startedAt: number
  readonly now: () => number
  readonly realNow: () => number
  readonly isProcessAlive: (pid: number) => boolean
}

export type MembershipEvents = {
  /** Called after every heartbeat: what all nodes agree on may have changed. */
  heartbeat(heartbeat: Heartbeat): Promise<void>
  /** A heartbeat failed: nothing is certain until the database is back, and the node begins anew. */
  unreachable(): void
  /** The node has lost everything it held. */
  lost(): void
}

export function createMembership(options: MembershipOptions): NodeMembership {
  const { db, log, timing } = options
  const answered = failOverWhenSilent(db, log, timing.deadAfterMs)
  const lineage = createLineageWatch(db, log, answered)
  const lease = createLease(options.realNow)
  const removeDeadNodes = createDeadNodeRemoval(options)
  const loop = createHeartbeatLoop(timing.heartbeatEveryMs, heartbeat, failed)
  let events: MembershipEvents | undefined
  let node = UNHELD
  /** The name before, until it is given up in the database too. */
  let former = UNHELD
  /** Those that the database has confirmed under the present name. */
  let heartbeats = 0
  let outdated = false

  const lastName = (): NodeId => (node === UNHELD ? former : node)

  async function join(): Promise<void> {
    await lineage.arrive(lastName(), heartbeats)
    if (node !== UNHELD) {
      former = node
      node = UNHELD
      events?.lost()
    }
    node = await answered(registerNode(db, options, former, options.now()))
    // Until the next heartbeat has reported what was restored, this node may not act.
    lease.drop()
    lineage.joined()
    outdated = false
    heartbeats = 0
    log.info({ node }, former === UNHELD ? 'joined as a node' : 'joined again as a new node')
    former = UNHELD
  }

  async function heartbeat(): Promise<void> {
    if (node === UNHELD || outdated) await join()
    const sentAt = lease.moment()
    const sent = await answered(sendHeartbeat(db, node))
    if (sent !== undefined) heartbeats += 1
    else log.warn({ node }, 'this node was taken for dead by another one; it starts afresh')
    if (sent?.lineage !== lineage.lineage()) {
      outdated = true
      return heartbeat()
    }
    lease.renew(sentAt)
    lineage.follow(sent)
    await removeDeadNodes(sent.nodes, node)
    await events?.heartbeat(sent)
  }

  function failed(error: Error): void {
    outdated = true
    events?.unreachable()
    log.warn({ reason: error.message }, 'the database cannot be reached')
  }

  return {
    id: () => node,
    mayAct: () => !outdated && lease.ageMs() < timing.mayActForMs,
    restoredAt: lineage.restoredAt,
    lineage: lineage.lineage,
    isJoined: () => node !== UNHELD && !outdated && lease.ageMs() < timing.deadAfterMs,
    renew: () => {
      outdated = true
    },
    start: async (followers) => {
      events = followers
      await heartbeat()
      loop.start()
    },
    stop: async () => {
      // A heartbeat under way may be joining again, and that name has to be removed as well.
      await loop.stop()
      if (lastName() !== UNHELD) await removeNode(db, lastName()).catch(() => false)
      node = UNHELD
    },
  }
}
