import type { Db } from '../engine/database.ts'

/** Everything that is stored sealed, so that a change of the sealing key misses nothing. */
const SEALED = [
  { table: 'signing_keys', column: 'sealed_private_key', key: 'key_number::text' },
  { table: 'operator_accounts', column: 'sealed_secrets', key: 'name' },
  { table: 'users', column: 'sealed_code_key', key: 'user_id::text' },
  { table: 'merchant_sign_ins', column: 'sealed_client_secret', key: 'merchant_id::text' },
  { table: 'service_state', column: 'sealed_sandbox_token', key: 'only_row::text' },
] as const

/** Opens and seals each of them anew, in a transaction of the caller; answers how many there are. */
export async function resealAll(tx: Db, reseal: (sealed: string) => string): Promise<number> {
  let count = 0
  for (const { table, column, key } of SEALED) {
    const rows = await tx.query<{ key: string; sealed: string }>(
      `select ${key} as key, ${column} as sealed from ${table} where ${column} is not null for update`,
    )
    for (const row of rows) {
      await tx.query(`update ${table} set ${column} = $2 where ${key} = $1`, [
        row.key,
        reseal(row.sealed),
      ])
      count += 1
    }
  }
  return count
}
