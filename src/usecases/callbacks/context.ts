import type { CallbackSender } from '../../callbacks/send.ts'
import type { Attempt, Recorded } from '../../store/callbacks/attempts.ts'
import type { CallbackRelease } from '../../store/callbacks/callbacks.ts'
import type { Begun, Sending } from '../../store/callbacks/sendings.ts'
import type { Group } from '../../store/engine/group.ts'
import type { LastUses } from '../accounts/last-uses.ts'
import type { LinkContext } from '../hosted/context.ts'

/** What delivering callbacks needs besides; those of checkouts carry the link to their page. */
export type CallbackContext = LinkContext & {
  readonly callbacks: CallbackSender
  readonly writes: CallbackWrites
  readonly measure: CallbackMeasure
  readonly lastUses: LastUses
}

/** Writes that concurrent deliveries share. */
export type CallbackWrites = {
  readonly attempts: Group<Attempt, Recorded>
  readonly release: Group<CallbackRelease, undefined>
  readonly sendings: Group<Sending, Begun>
}

/** What is counted; the names that others see are given where the counters are made. */
export type CallbackMeasure = {
  callback(
    result: 'delivered' | 'failed' | 'given_up' | 'paused' | 'no_address',
    ms: number,
    traceparent: string | undefined,
  ): void
}
