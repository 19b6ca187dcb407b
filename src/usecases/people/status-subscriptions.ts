/** Who wants a mail when the status of a provider changes. */
import type { MerchantId } from '../../domain/ids.ts'
import { createLinkTokens } from '../../signing/link-token.ts'
import {
  deleteStatusSubscription,
  findStatusSubscription,
  putStatusSubscription,
  type StatusSubscription,
} from '../../store/people/status-subscriptions.ts'
import { findUser } from '../../store/people/users.ts'
import { recordAbout, recordChange } from './change.ts'
import type { Origin, PeopleContext, Person } from './context.ts'

export const statusSubscriptionOf = (
  ctx: PeopleContext,
  { user, merchant }: Person,
): Promise<StatusSubscription | undefined> =>
  findStatusSubscription(ctx.db, user.userId, merchant.id)

/** `country`: undefined for every one that the person may see. */
export async function subscribeToStatus(
  ctx: PeopleContext,
  person: Person,
  wanted: { readonly country: string | undefined; readonly language: 'en' | 'fr' },
): Promise<void> {
  const { user, merchant } = person
  const { userId } = user
  const { country = null, language } = wanted
  await ctx.db.inTransaction(async (tx) => {
    const former = await findStatusSubscription(tx, userId, merchant.id)
    await putStatusSubscription(tx, { userId, merchantId: merchant.id, country, language })
    await recordChange(ctx, tx, person, {
      action: 'status mails wanted',
      object: user.email,
      before: former && { country: former.country },
      after: { country },
    })
  })
}

/** False where there was nothing to end. */
export async function unsubscribeFromStatus(ctx: PeopleContext, person: Person): Promise<boolean> {
  const { user, merchant } = person
  return ctx.db.inTransaction(async (tx) => {
    const former = await deleteStatusSubscription(tx, user.userId, merchant.id)
    if (former === undefined) return false
    const before = { country: former.country }
    await recordChange(ctx, tx, person, { ...ENDED, object: user.email, before })
    return true
  })
}

const ENDED = { action: 'status mails ended' }

/** For a link in a mail: it works without signing in, and for nothing else. */
export const unsubscribeToken = (
  ctx: PeopleContext,
  userId: number,
  merchantId: MerchantId,
): string => {
  const facts = Buffer.alloc(8)
  facts.writeUInt32BE(userId, 0)
  facts.writeUInt32BE(merchantId, 4)
  return tokensOf(ctx).write(SUBJECT, facts)
}

const SUBJECT = 'provider status'
const tokensOf = ({ people }: PeopleContext) => createLinkTokens(people.secretKey, 'unsubscribe v1')

/** Whose mails of which merchant a link ends; undefined where it was not written here. */
export async function readUnsubscribeToken(
  ctx: PeopleContext,
  token: string,
): Promise<{ readonly email: string; readonly merchant: string } | undefined> {
  const found = await subscriberOf(ctx, token)
  return found && { email: found.user.email, merchant: found.merchant.name }
}

async function subscriberOf(ctx: PeopleContext, token: string) {
  const facts = tokensOf(ctx).read(SUBJECT, token)
  if (facts?.length !== 8) return undefined
  const user = await findUser(ctx.db, facts.readUInt32BE(0))
  const merchant = await ctx.merchants.byId(facts.readUInt32BE(4) as MerchantId)
  return user && merchant && { user, merchant }
}

/** For any holder of the mail; again and again the same. False where the link was not written here. */
export async function unsubscribeByLink(
  ctx: PeopleContext,
  token: string,
  { address }: Origin,
): Promise<boolean> {
  const found = await subscriberOf(ctx, token)
  if (found === undefined) return false
  const { user, merchant } = found
  const at = ctx.clock.realNow()
  await ctx.db.inTransaction(async (tx) => {
    const former = await deleteStatusSubscription(tx, user.userId, merchant.id)
    if (former === undefined) return
    const after = { by: 'link in a mail' }
    const entry = { ...ENDED, at, actor: user.email, address, after }
    await recordAbout(tx, user, { ...entry, before: { country: former.country } }, merchant.id)
  })
  return true
}
