import type { Merchant } from '../../domain/accounts/merchant.ts'
import { type CallbackSubject, subjectAsOf } from '../../domain/callbacks/callback-subject.ts'
import { LIMITS } from '../../domain/timing.ts'
import {
  dropListeners,
  type FeedPlace,
  findFeed,
  noteListener,
  presentPlace,
} from '../../store/callbacks/listeners.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { CallbackContext } from './context.ts'

/** Where somebody is in the feed: of which database and merchant, and how far. */
export type Place = FeedPlace & { readonly database: string; readonly merchantId: number }

/** Callbacks as they were owed, and where to go on from. */
type FeedPage = {
  readonly next: Place
  readonly callbacks: readonly {
    readonly place: Place
    readonly subject: CallbackSubject
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
}

const AT_ONCE_MAX = 100

/** The place is none of this feed: of another database, another merchant, or a restored one. */
type Misplaced = { readonly misplaced: string }

/**
 * The callbacks of a merchant after a place, signed afresh for an address; when there are none, it
 * waits for some. Without a place it begins with what is owed from now on.
 */
export async function listen(
  ctx: CallbackContext,
  merchant: Merchant,
  request: {
    readonly after: Place | undefined
    readonly address: string
    readonly waitMs: number
  },
): Promise<FeedPage | Misplaced> {
  await keepListener(ctx, merchant)
  const present = await presentPlace(ctx.db)
  const { after } = request
  const here = { database: present.database, merchantId: merchant.id }
  if (after === undefined) return { next: { ...present, ...here }, callbacks: [] }
  const misplaced = misplacedIn(after, { ...present, ...here })
  if (misplaced !== undefined) return { misplaced }
  const endsAt = ctx.clock.realNow() + request.waitMs
  for (;;) {
    const entries = await findFeed(ctx.db, merchant.id, after, AT_ONCE_MAX)
    if (entries.length > 0 || ctx.clock.realNow() >= endsAt) {
      const callbacks = entries.map(({ place, state, subject: now }) => {
        const subject = subjectAsOf(now, state)
        const envelope = ctx.callbacks.envelope(subject, merchant, request.address)
        return { place: { ...place, ...here }, subject, ...envelope }
      })
      return { next: callbacks.at(-1)?.place ?? after, callbacks }
    }
    await new Promise((resolve) => setTimeout(resolve, LIMITS.feedLooksEveryMs))
  }
}

function misplacedIn(after: Place, present: Place): string | undefined {
  if (after.database !== present.database) return 'it belongs to another database'
  if (after.merchantId !== present.merchantId) return 'it belongs to another account'
  // A database restored from a dump counts its transactions anew.
  if (BigInt(after.transaction) > BigInt(present.transaction)) {
    return 'it is ahead of this database, which was restored since'
  }
  return undefined
}

/** From the first question on, callbacks of this merchant are marked, and owed without an address. */
async function keepListener(ctx: CallbackContext, merchant: Merchant): Promise<void> {
  const isNew = await ctx.db.inTransaction(async (tx) => {
    const noted = await noteListener(tx, merchant.id, ctx.clock.realNow())
    if (noted) await announceChange(tx)
    return noted
  })
  if (isNew) ctx.merchants.forget()
}

export async function forgetListeners(ctx: CallbackContext, askedBefore: number): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const dropped = await dropListeners(tx, askedBefore)
    if (dropped > 0) await announceChange(tx)
  })
}
