import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../domain/timing.ts'
import type { Attempt, Recorded } from '../../store/callbacks/attempts.ts'
import { isRecorded, recordAgain } from '../../store/callbacks/sendings.ts'
import { isConnectionLoss } from '../../store/engine/database.ts'
import type { CallbackContext } from './context.ts'

/** Through an outage of the database, too: what was sent is known only here. */
export async function recordAttempt(
  ctx: CallbackContext,
  conclude: () => Promise<Attempt>,
  isStopped: () => boolean,
): Promise<Recorded & Pick<Attempt, 'status'>> {
  let unsure: Attempt | undefined
  for (;;) {
    try {
      if (unsure !== undefined && (await isRecorded(ctx.db, unsure))) {
        return { status: unsure.status, resend: false }
      }
      const attempt = await conclude()
      const isFirst = unsure === undefined
      unsure = attempt
      const { resend } = await (isFirst
        ? ctx.writes.attempts.add(attempt)
        : recordAgain(ctx.db, attempt))
      return { status: attempt.status, resend }
    } catch (error) {
      if (!isConnectionLoss(error) || isStopped()) throw error
      ctx.work.interrupted(error)
      await sleep(LIMITS.recordAgainMs)
    }
  }
}
