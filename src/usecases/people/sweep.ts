import { LIFETIMES } from '../../domain/timing.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { sweepPeople } from '../../store/people/sweep.ts'
import type { PeopleContext } from './context.ts'

/** Deletes what signing in left behind, every few minutes. */
export function createPeopleSweep(ctx: PeopleContext): () => Promise<void> {
  let sweptAt = ctx.clock.realNow()
  return async () => {
    const now = ctx.clock.realNow()
    if (now - sweptAt < UPKEEP.peopleSweptEveryMs) return
    sweptAt = now
    await sweepPeople(ctx.db, now, {
      sessionMs: LIFETIMES.sessionMs,
      failureMs: UPKEEP.failuresForgottenMs,
      mailMs: LIFETIMES.keptMailMs,
      none: 0,
    })
  }
}
