import type { CallbackSubject } from '../domain/callback-subject.ts'
import type { Merchant } from '../domain/merchant.ts'
import {
  dropListeners,
  type FeedPlace,
  findHeard,
  type HeardCallback,
  noteListener,
  presentPlace,
} from '../store/listeners.ts'
import { announceChange } from '../store/service-state.ts'
import type { Context } from './context.ts'

/** Callbacks as they were owed, and where to go on from. */
export type Heard = {
  readonly next: FeedPlace
  readonly callbacks: readonly {
    readonly place: FeedPlace
    readonly subject: CallbackSubject
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
}

const LOOK_EVERY_MS = 250
const AT_ONCE_MAX = 100
/** A listener that does not come back for so long is forgotten. */
const KEPT_FOR_MS = 7 * 86_400_000

/**
 * The callbacks of a merchant after a place, signed afresh for an address; when there are none, it
 * waits for some. Without a place it begins with what is owed from now on.
 */
export async function listen(
  ctx: Context,
  merchant: Merchant,
  request: {
    readonly after: FeedPlace | undefined
    readonly address: string
    readonly waitMs: number
  },
): Promise<Heard> {
  await keepListener(ctx, merchant)
  if (request.after === undefined) return { next: await presentPlace(ctx.db), callbacks: [] }
  const endsAt = ctx.clock.realNow() + request.waitMs
  for (;;) {
    const heard = await findHeard(ctx.db, merchant.id, request.after, AT_ONCE_MAX)
    const isOver = ctx.clock.realNow() >= endsAt
    if (heard.length > 0 || isOver) return answerOf(ctx, merchant, request, request.after, heard)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

function answerOf(
  ctx: Context,
  merchant: Merchant,
  { address }: { readonly address: string },
  after: FeedPlace,
  heard: readonly HeardCallback[],
): Heard {
  const callbacks = heard.map(({ place, subject }) => ({
    place,
    subject,
    ...ctx.callbacks.envelope(subject, merchant, address),
  }))
  return { next: heard.at(-1)?.place ?? after, callbacks }
}

/** From the first question on, callbacks of this merchant are marked, and owed without an address. */
async function keepListener(ctx: Context, merchant: Merchant): Promise<void> {
  const isNew = await noteListener(ctx.db, merchant.id, ctx.clock.realNow())
  if (!isNew) return
  await announceChange(ctx.db)
  ctx.merchants.forget()
}

export async function forgetListeners(ctx: Context): Promise<void> {
  const dropped = await dropListeners(ctx.db, ctx.clock.realNow() - KEPT_FOR_MS)
  if (dropped > 0) await announceChange(ctx.db)
}
