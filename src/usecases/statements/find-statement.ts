import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { findStatement as find } from '../../store/statements/statements.ts'
import type { Context } from '../context.ts'

/** A status check of the merchant's own; any other is not found. */
export async function findStatement(
  ctx: Context,
  merchant: Merchant,
  id: PaymentId,
): Promise<Statement | undefined> {
  return find(ctx.db, merchant.id, id)
}
