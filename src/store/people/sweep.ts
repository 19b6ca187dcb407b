import type { Db } from '../engine/database.ts'

/** What signing in leaves behind, and since when nobody needs it. */
const LEFT_BEHIND = [
  { table: 'user_sessions', column: 'created_at', age: 'sessionMs' },
  { table: 'sign_in_failures', column: 'last_at', age: 'failureMs' },
  { table: 'user_links', column: 'expires_at', age: 'none' },
  { table: 'used_challenges', column: 'expires_at', age: 'none' },
  { table: 'mails', column: 'at', age: 'mailMs' },
] as const

type Ages = Readonly<Record<(typeof LEFT_BEHIND)[number]['age'], number>>

/** Deletes it; `ages` says how many milliseconds each kind is kept. */
export async function sweepPeople(db: Db, now: number, ages: Ages): Promise<void> {
  for (const { table, column, age } of LEFT_BEHIND) {
    await db.query(`delete from ${table} where ${column} < to_timestamp($1::float8 / 1000)`, [
      now - ages[age],
    ])
  }
}
