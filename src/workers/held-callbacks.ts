import { traceOf } from '../domain/callbacks/callback-subject.ts'
import { traceFacts } from '../domain/trace.ts'
import type { OwedCallback } from '../store/callbacks/callbacks.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import type { Log } from '../usecases/context.ts'
import type { Trouble } from './trouble.ts'

/** The callbacks that this node holds: how many, and the ways in which it lets go of them. */
export type HeldCallbacks = {
  count(): number
  room(): number
  /** Changes when the node loses its name: work begun before leaves alone what is held now. */
  epoch(): number
  add(count: number): void
  /** One needs nothing more. */
  remove(): void
  /** Gives one back to the database; undefined as date: the endpoint is paused, and it too. */
  giveBack(owed: OwedCallback, dueAt: number | undefined): void
  /** Gives back what waits when the node stops, and waits until that is written. */
  giveBackAll(rest: readonly OwedCallback[]): Promise<void>
  /** A step of one has failed: by an outage, or by a bug, after which it is tried later. */
  failed(owed: OwedCallback, error: unknown, startedIn: number): void
  forget(): void
}

const HELD_MAX = 20_000

export function createHeldCallbacks(
  ctx: CallbackContext,
  log: Log,
  trouble: Trouble,
): HeldCallbacks {
  const { now } = ctx.clock
  let count = 0
  let epoch = 0

  const release = async (owed: OwedCallback, dueAt: number | undefined): Promise<void> => {
    count -= 1
    await ctx.writes.release.add({ owed, holder: ctx.node.id(), dueAt })
    owed.noteEnded?.()
  }
  const giveBack = (owed: OwedCallback, dueAt: number | undefined): void => {
    release(owed, dueAt).catch((error) => trouble.report(error))
  }
  return {
    count: () => count,
    room: () => HELD_MAX - count,
    epoch: () => epoch,
    add: (more) => {
      count += more
    },
    remove: () => {
      count -= 1
    },
    giveBack,
    giveBackAll: async (rest) => {
      const released = rest.map((owed) => release(owed, now()))
      await Promise.all(released).catch((error) => trouble.report(error))
    },
    failed: (owed, error, startedIn) => {
      if (trouble.isOutage(error)) return trouble.report(error)
      if (startedIn !== epoch) return
      const { subject } = owed
      const traced = traceFacts(traceOf(subject).traceparent)
      log.error({ err: error, paymentKey: subject.key, ...traced }, 'a callback step failed')
      giveBack(owed, now() + ctx.timing.retryAfterBugMs)
    },
    forget: () => {
      epoch += 1
      count = 0
    },
  }
}
