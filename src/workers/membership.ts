import { type NodeId, UNHELD } from '../domain/ids.ts'
import type { Database } from '../store/database.ts'
import {
  type Beat,
  beat,
  DEAD_AFTER_MS,
  type NodeRow,
  registerNode,
  removeNode,
} from '../store/nodes.ts'
import type { Log } from '../usecases/context.ts'

/**
 * This process as a node: it beats, watches the others, and removes those that stand still. A node
 * that was removed, or lost the database, joins again under a new name; what it held under the old
 * one is freed and claimed like that of any dead node.
 */
export type NodeMembership = {
  id(): NodeId
  mayAct(): boolean
  /** Leaves and joins again; called when it is not known what became of the last write. */
  renew(): void
  isJoined(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

export type MembershipOptions = {
  readonly db: Database
  readonly log: Log
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly startedAt: number
  readonly now: () => number
  readonly isProcessAlive: (pid: number) => boolean
  /** Called with every beat: what all nodes agree on may have changed. */
  readonly onBeat: (beat: Beat) => Promise<void>
  /** The node has lost everything it held. */
  readonly onLost: () => void
}

const BEAT_EVERY_MS = 1000
/** Shorter than the time after which others act, by more than a step of work takes. */
const MAY_ACT_FOR_MS = 3500

type Sighting = { readonly beat: string; readonly since: number }

export function createMembership(options: MembershipOptions): NodeMembership {
  const { db, log } = options
  const sightings = new Map<NodeId, Sighting>()
  let node = UNHELD
  /** The name before, until it is given up in the database too. */
  let former = UNHELD
  let lastBeatAt = Number.NEGATIVE_INFINITY
  let outdated = false
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let stopped = false

  async function join(): Promise<void> {
    if (node !== UNHELD) {
      former = node
      node = UNHELD
      options.onLost()
    }
    node = await registerNode(db, options, former, options.now())
    outdated = false
    log.info({ node }, former === UNHELD ? 'joined as a node' : 'joined again as a new node')
    former = UNHELD
  }

  /** A server that is silent for as long as a node that counts as dead is dead as well. */
  async function answered<T>(question: Promise<T>): Promise<T> {
    const late = setTimeout(() => {
      if (db.turnAway()) log.warn({}, 'the database does not answer; the next server is looked for')
    }, DEAD_AFTER_MS)
    return question.finally(() => clearTimeout(late))
  }

  async function tick(): Promise<void> {
    if (node === UNHELD || outdated) await answered(join())
    const startedAt = performance.now()
    const heard = await answered(beat(db, node))
    if (heard === undefined) {
      log.warn({ node }, 'this node was taken for dead by another one; it starts afresh')
      outdated = true
      return tick()
    }
    lastBeatAt = startedAt
    await buryTheDead(heard.nodes)
    await options.onBeat(heard)
  }

  async function buryTheDead(nodes: readonly NodeRow[]): Promise<void> {
    const now = performance.now()
    for (const other of nodes) {
      if (other.nodeId === node) continue
      const seen = sightings.get(other.nodeId)
      if (seen === undefined || seen.beat !== other.beat) {
        sightings.set(other.nodeId, { beat: other.beat, since: now })
      }
      const stoodStill = seen?.beat === other.beat && now - seen.since >= DEAD_AFTER_MS
      const isGone = other.machine === options.machine && !options.isProcessAlive(other.pid)
      if (!stoodStill && !isGone) continue
      if (await removeNode(db, other.nodeId, other.beat)) {
        log.warn({ node: other.nodeId }, 'a node is dead; its work is taken over')
      }
      sightings.delete(other.nodeId)
    }
  }

  async function loop(): Promise<void> {
    try {
      await tick()
    } catch (error) {
      // Without the database nothing is known any more; begin anew when it is back.
      outdated = true
      log.warn({ reason: (error as Error).message }, 'the database cannot be reached')
    }
    beatLater()
  }

  function beatLater(): void {
    if (stopped) return
    timer = setTimeout(() => {
      underWay = loop()
    }, BEAT_EVERY_MS)
  }

  return {
    id: () => node,
    mayAct: () => !outdated && performance.now() - lastBeatAt < MAY_ACT_FOR_MS,
    isJoined: () => node !== UNHELD && !outdated && performance.now() - lastBeatAt < DEAD_AFTER_MS,
    renew: () => {
      outdated = true
    },
    start: async () => {
      await tick()
      beatLater()
    },
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      // A beat under way may be joining again, and that name has to be removed as well.
      await underWay
      const name = node === UNHELD ? former : node
      if (name !== UNHELD) await removeNode(db, name).catch(() => false)
      node = UNHELD
    },
  }
}
