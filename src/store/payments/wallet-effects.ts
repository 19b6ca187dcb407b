import type { MerchantId } from '../../domain/ids.ts'
import { walletNamed } from '../../domain/payments/ledger.ts'
import type { WalletEffect } from '../../domain/statements/list-line.ts'
import type { Db } from '../engine/database.ts'
import { amountOf } from './movements.ts'

/** What payments did to their wallets, by their keys; those that moved no money are left out. */
export async function findWalletEffects(
  db: Db,
  merchantId: MerchantId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, WalletEffect>> {
  if (keys.length === 0) return new Map()
  const rows = await db.query<{ key: string; wallet: string; net: string; fee: string }>(
    `select t.key, w.wallet,
            sum(case when t.credit = w.wallet then t.amount else -t.amount end)::text as net,
            coalesce(sum(t.amount) filter (where t.credit like 'fees:%'), 0)::text as fee
     from transfers t, lateral (
       select case when t.debit like 'wallet:%' then t.debit else t.credit end as wallet) w
     where t.merchant_id = $1 and t.key = any($2::uuid[]) and w.wallet like 'wallet:%'
     group by t.key, w.wallet`,
    [merchantId, keys],
  )
  return new Map(
    rows.map(({ key, wallet, net, fee }) => [
      key,
      { wallet: walletNamed(wallet), net: amountOf(net), fee: amountOf(fee) },
    ]),
  )
}
