import type { Merchant } from '../domain/merchant.ts'
import { findWallets, type WalletBalance } from '../store/ledger.ts'
import type { Context } from './context.ts'

export async function readBalances(
  ctx: Context,
  merchant: Merchant,
  country: string | undefined,
): Promise<readonly WalletBalance[]> {
  return findWallets(ctx.db, merchant.id, country)
}
