import type { MerchantId } from '../domain/ids.ts'
import type { Account, AccountName } from '../domain/ledger.ts'
import type { Db } from './database.ts'

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
    `with difference as (
       select $3::numeric - balance as amount from accounts where merchant_id = $1 and account = $2
     ), posted as (
       insert into transfers (merchant_id, key, cause, debit, credit, amount, at)
       select $1, $5, 'ADJUSTMENT', case when amount > 0 then $4 else $2 end,
              case when amount > 0 then $2 else $4 end, abs(amount), to_timestamp($6::float8 / 1000)
       from difference where amount <> 0
     )
     update accounts a set balance = a.balance + case when a.account = $2 then d.amount
                                                      else -d.amount end
     from difference d where a.merchant_id = $1 and a.account in ($2, $4)`,
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
