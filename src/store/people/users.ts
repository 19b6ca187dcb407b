import type { MerchantId } from '../../domain/ids.ts'
import type { Role } from '../../domain/people/roles.ts'
import type { Db } from '../engine/database.ts'

/** People, by their e-mail in lower case. */
export type User = {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly isStaff: boolean
  readonly passwordHash: string | null
  /** Sealed; it counts once `hasCode` is true. */
  readonly sealedCodeKey: string | null
  readonly hasCode: boolean
  readonly codeStep: number
  readonly passkeys: number
  readonly language: 'en' | 'fr' | null
  readonly timeZone: string
  readonly isDisabled: boolean
}

const COLUMNS = `u.user_id as "userId", u.email, u.name, u.is_staff as "isStaff",
  u.password_hash as "passwordHash", u.sealed_code_key as "sealedCodeKey",
  u.code_since is not null as "hasCode", u.code_step::float8 as "codeStep", u.language,
  (select count(*)::int from passkeys p where p.user_id = u.user_id) as passkeys,
  u.time_zone as "timeZone", u.disabled_at is not null as "isDisabled"`

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [row] = await db.query<User>(`select ${COLUMNS} from users u where email = $1`, [email])
  return row
}

export async function findUser(db: Db, userId: number): Promise<User | undefined> {
  const [row] = await db.query<User>(`select ${COLUMNS} from users u where user_id = $1`, [userId])
  return row
}

/** What concerns one person takes turns here. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx.query('select from users where user_id = $1 for no key update', [userId])
}

export async function listUsers(
  db: Db,
): Promise<readonly (User & { readonly merchants: string })[]> {
  return db.query(
    `select ${COLUMNS}, coalesce(string_agg(m.slug || ' (' || ms.role || ')', ', ' order by m.slug), '')
       as merchants
     from users u left join memberships ms on ms.user_id = u.user_id and ms.disabled_at is null
     left join merchants m using (merchant_id) group by u.user_id order by u.email`,
  )
}

/** The person of this e-mail, who is made where there is none. */
export async function putUser(
  db: Db,
  user: { readonly email: string; readonly isStaff: boolean; readonly now: number },
): Promise<User | undefined> {
  await db.query(
    `insert into users (email, is_staff, created_at)
     values ($1, $2, to_timestamp($3::float8 / 1000)) on conflict (email) do nothing`,
    [user.email, user.isStaff, user.now],
  )
  return findUserByEmail(db, user.email)
}

type UserChange = {
  readonly name?: string
  readonly passwordHash?: string | null
  readonly sealedCodeKey?: string | null
  readonly codeSinceMs?: number | null
  readonly codeStep?: number
  readonly language?: 'en' | 'fr'
  readonly timeZone?: string
  readonly disabledMs?: number | null
}

const TIME = 'to_timestamp($2::float8 / 1000)'
const CHANGES: Readonly<Record<keyof UserChange, string>> = {
  name: 'name = $2',
  passwordHash: 'password_hash = $2',
  sealedCodeKey: 'sealed_code_key = $2',
  codeSinceMs: `code_since = ${TIME}`,
  codeStep: 'code_step = $2',
  language: 'language = $2',
  timeZone: 'time_zone = $2',
  disabledMs: `disabled_at = ${TIME}`,
}

export async function changeUser(db: Db, userId: number, change: UserChange): Promise<void> {
  for (const [name, value] of Object.entries(change)) {
    const set = CHANGES[name as keyof UserChange]
    await db.query(`update users set ${set} where user_id = $1`, [userId, value])
  }
}

/** Takes a code of the authenticator, once: false where another request was first. */
export async function takeCodeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const rows = await db.query(
    'update users set code_step = $2 where user_id = $1 and code_step < $2 returning 1',
    [userId, step],
  )
  return rows.length === 1
}

export type Membership = {
  readonly merchantId: MerchantId
  readonly userId: number
  readonly slug: string
  readonly merchantName: string
  readonly role: Role
  readonly countries: readonly string[]
}

/** Where a person belongs, as far as nobody ended it. */
export async function listMemberships(db: Db, userId: number): Promise<readonly Membership[]> {
  return db.query<Membership>(
    `select ms.merchant_id as "merchantId", ms.user_id as "userId", m.slug, m.name as "merchantName",
            ms.role, ms.countries
     from memberships ms join merchants m using (merchant_id)
     where ms.user_id = $1 and ms.disabled_at is null order by m.name`,
    [userId],
  )
}

export async function putMembership(
  db: Db,
  membership: {
    readonly merchantId: MerchantId
    readonly userId: number
    readonly role: Role
    readonly countries: readonly string[]
    readonly now: number
  },
): Promise<void> {
  const { merchantId, userId, role, countries, now } = membership
  await db.query(
    `insert into memberships (merchant_id, user_id, role, countries, created_at)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
     on conflict (merchant_id, user_id) do update
     set role = excluded.role, countries = excluded.countries, disabled_at = null`,
    [merchantId, userId, role, countries, now],
  )
}

/** The person signed in: they have joined, and were seen. */
export async function noteSeen(
  db: Db,
  { merchantId, userId }: Pick<Membership, 'merchantId' | 'userId'>,
  now: number,
): Promise<void> {
  await db.query(
    `update memberships set seen_at = to_timestamp($3::float8 / 1000),
       joined_at = coalesce(joined_at, to_timestamp($3::float8 / 1000))
     where merchant_id = $1 and user_id = $2`,
    [merchantId, userId, now],
  )
}
