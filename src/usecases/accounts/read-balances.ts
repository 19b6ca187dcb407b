import type { Merchant } from '../../domain/accounts/merchant.ts'
import { findWallets, type WalletBalance } from '../../store/payments/ledger.ts'
import type { Context } from '../context.ts'

export async function readBalances(
  ctx: Context,
  merchant: Merchant,
  country: string | undefined,
): Promise<readonly WalletBalance[]> {
  return findWallets(ctx.db, merchant.id, country)
}
