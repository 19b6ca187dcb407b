import type { NodeId } from '../domain/ids.ts'
import type { NodeTiming } from '../domain/timing.ts'
import { type NodeRow, removeNode } from '../store/cluster/nodes.ts'
import type { Db } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'

type DeadNodesOptions = {
  readonly db: Db
  readonly log: Log
  readonly timing: NodeTiming
  readonly machine: string
  readonly isProcessAlive: (pid: number) => boolean
}

type Sighting = { readonly signOfLife: string; readonly since: number }

/**
 * Removes other nodes that are dead: their heartbeat and pulse have stood still for a while, by the clock of
 * this node, or their process on this machine is gone.
 */
export function createDeadNodeRemoval({
  db,
  log,
  timing,
  machine,
  isProcessAlive,
}: DeadNodesOptions) {
  const sightings = new Map<NodeId, Sighting>()

  /** Compares with what was seen before; the first sight of a sign of life starts its time. */
  function hasStoodStill({ nodeId, signOfLife }: NodeRow, now: number): boolean {
    const seen = sightings.get(nodeId)
    if (seen?.signOfLife === signOfLife) return now - seen.since >= timing.deadAfterMs
    sightings.set(nodeId, { signOfLife, since: now })
    return false
  }

  return async (nodes: readonly NodeRow[], self: NodeId): Promise<void> => {
    const now = performance.now()
    for (const other of nodes) {
      if (other.nodeId === self) continue
      const isGone = other.machine === machine && !isProcessAlive(other.pid)
      if (!hasStoodStill(other, now) && !isGone) continue
      if (await removeNode(db, other.nodeId, other.signOfLife)) {
        log.warn({ node: other.nodeId }, 'a node is dead; its work is taken over')
      }
      sightings.delete(other.nodeId)
    }
  }
}
