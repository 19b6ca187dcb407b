import type { AccountLimits, OperatorAccount } from '../../domain/operators/account.ts'
import type { Db } from '../engine/database.ts'

/** Accounts with operators; their secrets lie sealed. */
export type StoredAccount = OperatorAccount & { readonly sealedSecrets: string }

type Row = {
  readonly name: string
  readonly connector: string
  readonly base_url: string
  readonly providers: OperatorAccount['providers']
  readonly priority: number
  readonly enabled: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly sealed_secrets: string
  readonly callback_secret: string
  readonly callback_sources: readonly string[]
  readonly limits: AccountLimits
}

const toAccount = (row: Row): StoredAccount => ({
  name: row.name,
  connector: row.connector,
  baseUrl: row.base_url,
  providers: row.providers,
  priority: row.priority,
  enabled: row.enabled,
  settings: row.settings,
  sealedSecrets: row.sealed_secrets,
  callbackSecret: row.callback_secret,
  callbackSources: row.callback_sources,
  limits: row.limits,
})

const COLUMNS = `name, connector, base_url, providers, priority, enabled, settings, sealed_secrets,
  callback_secret, callback_sources, limits`

export async function listAccounts(db: Db): Promise<readonly StoredAccount[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} from operator_accounts order by priority, name`,
    [],
    'list-operator-accounts',
  )
  return rows.map(toAccount)
}

/** Locked until the transaction ends, for a change. */
export async function lockAccount(tx: Db, name: string): Promise<StoredAccount | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} from operator_accounts where name = $1 for update`,
    [name],
  )
  return row && toAccount(row)
}

/** False where the name is taken. */
export async function insertAccount(tx: Db, account: StoredAccount, now: number): Promise<boolean> {
  const rows = await tx.query(
    `insert into operator_accounts (${COLUMNS}, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12::float8 / 1000))
     on conflict do nothing returning name`,
    [...valuesOf(account), now],
  )
  return rows.length === 1
}

export async function updateAccount(tx: Db, account: StoredAccount): Promise<void> {
  await tx.query(
    `update operator_accounts
     set connector = $2, base_url = $3, providers = $4, priority = $5, enabled = $6, settings = $7,
         sealed_secrets = $8, callback_secret = $9, callback_sources = $10, limits = $11
     where name = $1`,
    valuesOf(account),
  )
}

const valuesOf = (account: StoredAccount): unknown[] => [
  account.name,
  account.connector,
  account.baseUrl,
  JSON.stringify(account.providers),
  account.priority,
  account.enabled,
  JSON.stringify(account.settings),
  account.sealedSecrets,
  account.callbackSecret,
  account.callbackSources,
  JSON.stringify(account.limits),
]

export async function deleteAccount(tx: Db, name: string): Promise<void> {
  await tx.query('delete from operator_accounts where name = $1', [name])
}

/** How many payments have been sent through an account and are not over; some wait for it in line. */
export async function countOpenPayments(db: Db, name: string): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    `select count(*)::int as open from payments
     where due_at is not null and (operator_account = $1 or operator_ids->>'account' = $1)`,
    [name],
  )
  return row?.open ?? 0
}
