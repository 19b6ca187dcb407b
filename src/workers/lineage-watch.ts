import type { NodeId } from '../domain/ids.ts'
import {
  hasForgotten,
  markRestored,
  notePlace,
  type Place,
  readPlace,
} from '../store/cluster/lineage.ts'
import type { Heartbeat } from '../store/cluster/nodes.ts'
import type { Database } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'
import type { Answered } from './fail-over.ts'

/** Notices when the data are no longer where they were, and may lack what came last. */
type LineageWatch = {
  /** Where the data are, as far as this node knows; empty before it has joined. */
  lineage(): string
  /** Payments made before it may have been sent in a time that the database has lost. */
  restoredAt(): number
  /** Part of joining: compares the data with what this node knows from its time as `name`. */
  arrive(name: NodeId, confirmedHeartbeats: number): Promise<void>
  /** The node has its new name. */
  joined(): void
  follow(heartbeat: Heartbeat): void
}

export function createLineageWatch(db: Database, log: Log, answered: Answered): LineageWatch {
  let place: Place | undefined
  /** Where the data were marked as restored by a join that came no further. */
  let markedAt = ''
  let restoredAt = Number.NEGATIVE_INFINITY

  /** With many open payments this takes longer than a silent server is waited for. */
  async function mark(now: Place): Promise<void> {
    // All of them, until the next heartbeat reports which.
    restoredAt = Number.POSITIVE_INFINITY
    const unsent = await db.inLongTransaction(markRestored)
    markedAt = now.lineage
    log.warn(
      { unsent },
      'the database was restored or moved, or a standby took over that may lack what came last; ' +
        'payments that were not sent are looked up at their operators first',
    )
  }

  /**
   * Where the data are now, something may be missing that was confirmed where they were before. What
   * another node that is at work has noted already counts, and what this one knows itself.
   */
  async function compare(now: Place, name: NodeId, confirmedHeartbeats: number): Promise<void> {
    const isAsked = place !== undefined && now.lineage !== markedAt
    if (isAsked && (await answered(hasForgotten(db, name, confirmedHeartbeats)))) return mark(now)
    if (now.noted === undefined) return notePlace(db)
    if (now.noted === now.lineage) return
    if (place?.isSynchronous !== true) return mark(now)
    await notePlace(db)
    log.warn({}, 'a standby of the database took over; it had confirmed everything')
  }

  return {
    lineage: () => place?.lineage ?? '',
    restoredAt: () => restoredAt,
    arrive: async (name, confirmedHeartbeats) => {
      const now = await answered(readPlace(db))
      await compare(now, name, confirmedHeartbeats)
      if (place === undefined && !now.isWhole) {
        log.warn(
          {},
          'the database does not report its timeline: after a restore run "malipo restored" before ' +
            'a node starts, or payments may be sent twice',
        )
      }
      place = now
    },
    joined: () => {
      markedAt = ''
    },
    follow: (heartbeat) => {
      restoredAt = heartbeat.restoredAt
      if (place !== undefined) place = { ...place, isSynchronous: heartbeat.isSynchronous }
    },
  }
}
