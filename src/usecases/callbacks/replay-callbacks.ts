import { randomUUID } from 'node:crypto'
import type { CallbackFilter } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/timing.ts'
import {
  countMatching,
  insertReplay,
  moveReplay,
  oweNext,
  type Replay,
  takeDueReplay,
} from '../../store/callbacks/replays.ts'
import type { Database } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'

/** A dry run: how many callbacks a replay would send if it began now. Changes nothing. */
export function planReplay(
  database: Database,
  merchantId: MerchantId,
  filter: CallbackFilter,
  now: number,
): Promise<number> {
  return countMatching(database, merchantId, filter, now)
}

/**
 * Begins to send callbacks again, so many per second. The nodes do the work, so it goes on whatever
 * becomes of the caller. It is a resend: what it sends goes to paused endpoints as well, and the
 * first success ends the pause.
 */
export async function startReplay(
  database: Database,
  order: { merchantId: MerchantId; filter: CallbackFilter; perSecond: number; now: number },
): Promise<Pick<Replay, 'id' | 'matched'>> {
  const { merchantId, filter, perSecond, now } = order
  const id = randomUUID()
  return database.inTransaction(async (tx) => {
    const matched = await countMatching(tx, merchantId, filter, now)
    await insertReplay(tx, { merchantId, id, filter, perSecond, matched, startedMs: now })
    return { id, matched }
  })
}

/**
 * The next second's worth of one replay that is due, if there is one; answers how many callbacks
 * are owed again. One transaction: a step that is cut off never was.
 */
export async function stepReplay(ctx: Context): Promise<number> {
  return ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.now()
    const replay = await takeDueReplay(tx, now)
    if (replay === undefined) return 0
    let [taken, sent] = [0, 0]
    let { atStatus, afterKey } = replay
    const { statuses } = replay.filter
    while (taken < replay.perSecond) {
      const status = statuses[atStatus]
      if (status === undefined) break
      const from = { ...replay, afterKey }
      const page = await oweNext(tx, from, status, replay.perSecond - taken, now)
      taken += page.taken
      sent += page.sent
      if (page.lastKey === undefined) {
        atStatus += 1
        afterKey = null
      } else {
        afterKey = page.lastKey
      }
    }
    const dueAt = atStatus < statuses.length ? now + LIMITS.replayStepMs : undefined
    await moveReplay(tx, replay, { sent, atStatus, afterKey: afterKey ?? undefined, dueAt }, now)
    return sent
  })
}
