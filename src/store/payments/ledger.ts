import type { MerchantId } from '../../domain/ids.ts'
import type { Account, AccountName } from '../../domain/payments/ledger.ts'
import type { Db } from '../engine/database.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'

/** Accounts and postings that no payment causes; payments post through `advance.ts`. */
export async function openAccounts(
  db: Db,
  merchantId: MerchantId,
  accounts: readonly Account[],
): Promise<void> {
  await db.query(
    `insert into accounts (merchant_id, account, type, country, currency, provider)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     on conflict do nothing`,
    [
      merchantId,
      accounts.map((one) => one.name),
      accounts.map((one) => one.type),
      accounts.map((one) => one.country ?? null),
      accounts.map((one) => one.currency),
      accounts.map((one) => one.provider ?? null),
    ],
  )
}

/**
 * Brings an account to a balance by one posting against another account, in a transaction of the
 * caller: the row stays locked between reading and posting. The accounts must exist.
 */
export async function adjustTo(
  tx: Db,
  merchantId: MerchantId,
  posting: {
    key: string
    account: AccountName
    against: AccountName
    balance: string
    now: number
  },
): Promise<void> {
  const { key, account, against, balance, now } = posting
  await tx.query(
    `select account from accounts where merchant_id = $1 and account = any($2)
     order by account for update`,
    [merchantId, [account, against]],
  )
  await tx.query(
    `with postings as (
       select $1::int as merchant_id, $5::uuid as key, null::uuid as payment_id,
              'ADJUSTMENT' as cause,
              case when $3::numeric > balance then $4::text else $2::text end as debit,
              case when $3::numeric > balance then $2::text else $4::text end as credit,
              abs($3::numeric - balance) as amount, to_timestamp($6::float8 / 1000) as at
       from accounts where merchant_id = $1 and account = $2 and balance <> $3::numeric
     ), ${POST_TRANSFERS}
     select ${POSTED_WHOLE}`,
    [merchantId, account, balance, against, key, now],
  )
}

export type WalletBalance = {
  readonly country: string
  readonly currency: string
  readonly provider: string | null
  readonly balance: string
}

export async function findWallets(
  db: Db,
  merchantId: MerchantId,
  country: string | undefined,
): Promise<readonly WalletBalance[]> {
  return db.query<WalletBalance>(
    `select country, currency, provider, balance::text as balance from accounts
     where merchant_id = $1 and type = 'wallet' and ($2::text is null or country = $2)
     order by account`,
    [merchantId, country ?? null],
    'find-wallets',
  )
}
