/** Signing in, in the audit log. */
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../../store/engine/database.ts'
import type { User } from '../../store/people/users.ts'
import { noteFailed, type Subjects } from './attempts.ts'
import { recordAbout } from './change.ts'
import type { Origin, PeopleContext, Person } from './context.ts'

/** For people who have not proved who they are. */
export const STRANGER = 'not signed in'

/** How a person proved who they are. */
export type SignInWay =
  | 'password'
  | 'password in a trusted browser'
  | 'password and mailed code'
  | 'password and second factor'
  | 'passkey'
  | 'link'
  | 'company'

export const recordSignIn = (
  ctx: PeopleContext,
  tx: Db,
  user: User,
  entry: {
    readonly origin: Origin
    readonly way: SignInWay
    readonly onlyMerchantId: MerchantId | null
  },
): Promise<void> => {
  const { origin, way, onlyMerchantId } = entry
  const change = { action: 'signed in', after: { with: way } }
  return recordAbout(tx, user, { ...change, ...by(ctx, user.email, origin) }, onlyMerchantId)
}

export const recordSignOut = (
  ctx: PeopleContext,
  tx: Db,
  user: User,
  origin: Origin,
  onlyMerchantId: MerchantId | null,
): Promise<void> =>
  recordAbout(tx, user, { action: 'signed out', ...by(ctx, user.email, origin) }, onlyMerchantId)

/** Counts a failure; the first of a series is an entry where the person exists. */
export async function failedSignIn(
  ctx: PeopleContext,
  user: User | undefined,
  subjects: Subjects,
  { origin, at }: { readonly origin: Origin; readonly at: 'password' | 'second factor' },
): Promise<void> {
  const change = { action: 'sign-in failed', after: { at } }
  const isFirst = await noteFailed(ctx, subjects)
  if (isFirst && user !== undefined) behind(ctx, user, { ...change, ...by(ctx, STRANGER, origin) })
}

/** Somebody who is signed in could not prove once more who they are. */
export async function failedConfirmation(
  ctx: PeopleContext,
  { user, origin }: Person,
  subjects: Subjects,
): Promise<void> {
  const entry = { action: 'confirmation failed', ...by(ctx, user.email, origin) }
  if (await noteFailed(ctx, subjects)) behind(ctx, user, entry)
}

/** Behind the answer, whose time would otherwise reveal whether there is such a person. */
const behind = (ctx: PeopleContext, user: User, entry: Parameters<typeof recordAbout>[2]): void =>
  ctx.people.behind.run(() => ctx.db.inTransaction((tx) => recordAbout(tx, user, entry)))

const by = (ctx: PeopleContext, actor: string, { address }: Origin) => ({
  at: ctx.clock.realNow(),
  actor,
  address,
})
