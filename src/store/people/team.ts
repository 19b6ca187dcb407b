import type { MerchantId } from '../../domain/ids.ts'
import type { Role } from '../../domain/people/roles.ts'
import type { Db } from '../engine/database.ts'

/** Somebody of a merchant, as its team sees them. */
export type Member = {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly countries: readonly string[]
  readonly state: MemberState
  /** By the merchant's team; the staff of the service can disable people too. */
  readonly isDisabledHere: boolean
  readonly seenMs: number | null
  readonly hasPassword: boolean
  readonly hasCode: boolean
  readonly passkeys: number
  /** They belong to another merchant too: nobody here decides how they sign in. */
  readonly isElsewhere: boolean
  readonly language: 'en' | 'fr' | null
}

type MemberState = 'active' | 'pending' | 'disabled'

const MEMBERS = `
  select u.user_id as "userId", u.email, u.name, ms.role, ms.countries, u.language,
    case when ms.disabled_at is not null or u.disabled_at is not null then 'disabled'
      when ms.joined_at is null then 'pending' else 'active' end as state,
    ms.disabled_at is not null as "isDisabledHere",
    (extract(epoch from ms.seen_at) * 1000)::float8 as "seenMs",
    u.password_hash is not null as "hasPassword", u.code_since is not null as "hasCode",
    (select count(*)::int from passkeys p where p.user_id = u.user_id) as passkeys,
    exists (select from memberships other where other.user_id = u.user_id
      and other.merchant_id <> ms.merchant_id) as "isElsewhere"
  from memberships ms join users u using (user_id) where ms.merchant_id = $1`

/** All of a merchant: companies have tens of people here, hardly ever hundreds. */
export async function listMembers(db: Db, merchantId: MerchantId): Promise<readonly Member[]> {
  return db.query<Member>(`${MEMBERS} order by lower(u.email)`, [merchantId])
}

export async function findMember(
  db: Db,
  merchantId: MerchantId,
  userId: number,
): Promise<Member | undefined> {
  const [row] = await db.query<Member>(`${MEMBERS} and ms.user_id = $2`, [merchantId, userId])
  return row
}

/**
 * The owners of a merchant who can sign in. Their rows stay locked until the end of the transaction,
 * so that of two changes at once the second one sees what the first one left.
 */
export async function lockOwners(tx: Db, merchantId: MerchantId): Promise<readonly number[]> {
  await tx.query(
    `select from memberships where merchant_id = $1 and role = 'owner' order by user_id for update`,
    [merchantId],
  )
  const rows = await tx.query<{ userId: number }>(
    `select ms.user_id as "userId" from memberships ms join users u using (user_id)
     where ms.merchant_id = $1 and ms.role = 'owner' and ms.disabled_at is null
       and ms.joined_at is not null and u.disabled_at is null`,
    [merchantId],
  )
  return rows.map(({ userId }) => userId)
}

/** Another change of the same person waits. */
export async function lockMember(tx: Db, merchantId: MerchantId, userId: number): Promise<void> {
  await tx.query('select from memberships where merchant_id = $1 and user_id = $2 for update', [
    merchantId,
    userId,
  ])
}

/** False where the person belongs here already, also as one who is disabled. */
export async function insertMember(
  db: Db,
  member: {
    readonly merchantId: MerchantId
    readonly userId: number
    readonly role: Role
    readonly countries: readonly string[]
    readonly now: number
  },
): Promise<boolean> {
  const { merchantId, userId, role, countries, now } = member
  const rows = await db.query(
    `insert into memberships (merchant_id, user_id, role, countries, created_at)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
     on conflict (merchant_id, user_id) do nothing returning 1`,
    [merchantId, userId, role, countries, now],
  )
  return rows.length === 1
}

export async function changeMember(
  db: Db,
  merchantId: MerchantId,
  userId: number,
  change: { readonly role: Role; readonly countries: readonly string[] },
): Promise<void> {
  await db.query(
    'update memberships set role = $3, countries = $4 where merchant_id = $1 and user_id = $2',
    [merchantId, userId, change.role, change.countries],
  )
}

export async function setMemberDisabled(
  db: Db,
  merchantId: MerchantId,
  userId: number,
  disabledMs: number | null,
): Promise<void> {
  await db.query(
    `update memberships set disabled_at = to_timestamp($3::float8 / 1000)
     where merchant_id = $1 and user_id = $2`,
    [merchantId, userId, disabledMs],
  )
}
