import { type Checkout, isFinalCheckout } from '../../domain/hosted/checkout.ts'
import { askExpiry } from '../../store/hosted/checkouts.ts'
import { addAuditEntryOnce } from '../../store/people/audit.ts'
import { entryOf } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { HostedContext } from './context.ts'
import { expireCheckout } from './expire-checkout.ts'

/** ENDED: it was paid or cancelled before. */
type Expired = 'DONE' | 'DONE_BEFORE' | 'ENDED'

/** Expires a checkout in the name of a person; asked for again, it is not noted again. */
export async function expireAs(
  ctx: PeopleContext & HostedContext,
  person: Person,
  { id, state }: Checkout,
): Promise<Expired> {
  const { merchant } = person
  const isNew = await ctx.db.inTransaction(async (tx) => {
    if (!(await askExpiry(tx, merchant.id, id, ctx.clock.now()))) return false
    const change = { action: 'checkout expiry requested', object: id, before: { state } }
    return addAuditEntryOnce(tx, entryOf(ctx, person, change))
  })
  // Asked a second time it changes nothing, and says so to the customer who waits.
  const now = await expireCheckout(ctx, merchant, id)
  if (isNew) return 'DONE'
  const hasEnded = now !== undefined && isFinalCheckout(now.state) && now.state !== 'EXPIRED'
  return hasEnded ? 'ENDED' : 'DONE_BEFORE'
}
