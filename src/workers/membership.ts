import { type NodeId, UNHELD } from '../domain/ids.ts'
import {
  hasForgotten,
  markRestored,
  notePlace,
  type Place,
  readPlace,
} from '../store/cluster/lineage.ts'
import {
  type Beat,
  beat,
  DEAD_AFTER_MS,
  type NodeRow,
  registerNode,
  removeNode,
} from '../store/cluster/nodes.ts'
import type { Database } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'

/**
 * This process as a node: it beats, watches the others, and removes those that stand still. A node
 * that was removed, or lost the database, joins again under a new name; what it held under the old
 * one is freed and claimed like that of any dead node.
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

export type MembershipOptions = {
  readonly db: Database
  readonly log: Log
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
  heartbeat(heartbeat: Beat): Promise<void>
  /** The node has lost everything it held. */
  lost(): void
}

const BEAT_EVERY_MS = 1000
/** Shorter than the time after which others act, by more than a step of work takes. */
const MAY_ACT_FOR_MS = 3500

/**
 * The steady clock stands still while the machine is suspended, and the clock on the wall may be set
 * back; whichever says that more time has gone by counts.
 */
type Moment = { readonly steady: number; readonly wall: number }

const NO_EVENTS: MembershipEvents = { heartbeat: async () => {}, lost: () => {} }

type Sighting = { readonly beat: string; readonly since: number }

export function createMembership(options: MembershipOptions): NodeMembership {
  const { db, log } = options
  const sightings = new Map<NodeId, Sighting>()
  let node = UNHELD
  /** The name before, until it is given up in the database too. */
  let former = UNHELD
  let lastBeat: Moment | undefined
  /** Those that the database has confirmed under the present name. */
  let beats = 0
  let place: Place | undefined
  /** Marked already by a join that came no further. */
  let doubted = ''
  let restoredAt = Number.NEGATIVE_INFINITY
  let outdated = false
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let stopped = false
  let events: MembershipEvents = NO_EVENTS

  const moment = (): Moment => ({ steady: performance.now(), wall: options.realNow() })
  const sinceBeatMs = (): number =>
    lastBeat === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(performance.now() - lastBeat.steady, options.realNow() - lastBeat.wall)

  /**
   * Where the data are now, something may be missing that was confirmed where they were before. What
   * another node that is at work has noted already counts, and what this one knows itself.
   */
  async function arrive(): Promise<void> {
    const now = await answered(readPlace(db))
    const name = node === UNHELD ? former : node
    const isAsked = place !== undefined && now.lineage !== doubted
    if (isAsked && (await answered(hasForgotten(db, name, beats)))) await doubt(now)
    else if (now.noted === undefined) await notePlace(db)
    else if (now.noted !== now.lineage) {
      if (place?.isSynchronous === true) {
        await notePlace(db)
        log.warn({}, 'a standby of the database took over; it had confirmed everything')
      } else await doubt(now)
    }
    if (place === undefined && !now.isWhole) {
      log.warn(
        {},
        'the database does not tell its timeline: after a restore run "malipo restored" before a ' +
          'node starts, or payments may be sent twice',
      )
    }
    place = now
  }

  /** With many open payments this takes longer than a silent server is waited for. */
  async function doubt(now: Place): Promise<void> {
    // All of them, until the next beat says which.
    restoredAt = Number.POSITIVE_INFINITY
    const unsent = await db.inLongTransaction(markRestored)
    doubted = now.lineage
    log.warn(
      { unsent },
      'the database was restored or moved, or a standby took over that may lack what came last; ' +
        'payments that were not sent are looked up at their operators first',
    )
  }

  async function join(): Promise<void> {
    await arrive()
    if (node !== UNHELD) {
      former = node
      node = UNHELD
      events.lost()
    }
    node = await answered(registerNode(db, options, former, options.now()))
    // Not before the next beat has told what was restored.
    lastBeat = undefined
    outdated = false
    doubted = ''
    beats = 0
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
    if (node === UNHELD || outdated) await join()
    const startedAt = moment()
    const heard = await answered(beat(db, node))
    if (heard === undefined) {
      log.warn({ node }, 'this node was taken for dead by another one; it starts afresh')
      outdated = true
      return tick()
    }
    beats += 1
    if (heard.lineage !== place?.lineage) {
      outdated = true
      return tick()
    }
    lastBeat = startedAt
    restoredAt = heard.restoredAt
    place = { ...place, isSynchronous: heard.isSynchronous }
    await removeDeadNodes(heard.nodes)
    await events.heartbeat(heard)
  }

  async function removeDeadNodes(nodes: readonly NodeRow[]): Promise<void> {
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
    mayAct: () => !outdated && sinceBeatMs() < MAY_ACT_FOR_MS,
    restoredAt: () => restoredAt,
    lineage: () => place?.lineage ?? '',
    isJoined: () => node !== UNHELD && !outdated && sinceBeatMs() < DEAD_AFTER_MS,
    renew: () => {
      outdated = true
    },
    start: async (followers) => {
      events = followers
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
