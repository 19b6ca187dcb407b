import { LIFETIMES } from '../../domain/timing.ts'
import { sweepPeople } from '../../store/people/sweep.ts'
import { FORGOTTEN_AFTER_MS } from './attempts.ts'
import type { PeopleContext } from './context.ts'

const EVERY_MS = 600_000

/** Deletes what signing in left behind, every few minutes. */
export function createPeopleSweep(ctx: PeopleContext): () => Promise<void> {
  let sweptAt = ctx.clock.realNow()
  return async () => {
    const now = ctx.clock.realNow()
    if (now - sweptAt < EVERY_MS) return
    sweptAt = now
    await sweepPeople(ctx.db, now, {
      sessionMs: LIFETIMES.sessionMs,
      failureMs: FORGOTTEN_AFTER_MS,
      mailMs: LIFETIMES.keptMailMs,
      none: 0,
    })
  }
}
