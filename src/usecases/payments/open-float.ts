import { floatAccount, floatName } from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { openAccounts } from '../../store/payments/ledger.ts'
import type { PaymentContext } from './context.ts'

/** Of one database, and of what is in it now: a reset of the sandbox closes accounts. */
const opened = new WeakMap<object, Set<string>>()

/** A server that took over may have lost the latest of them. */
export const forgetFloats = (ctx: object): void => void opened.delete(ctx)

/**
 * The ledger account of what lies in an account with an operator comes into being with the first
 * payment that goes there: merchants and operator accounts are made independently of each other.
 */
export async function openFloat(
  ctx: PaymentContext,
  { merchantId, provider, currency }: Payment,
  operatorAccount: string,
): Promise<void> {
  const known = opened.get(ctx) ?? new Set()
  opened.set(ctx, known)
  const name = `${merchantId} ${floatName(provider, currency, operatorAccount)}`
  if (ctx.environment === 'production' && known.has(name)) return
  await openAccounts(ctx.db, merchantId, [floatAccount(provider, currency, operatorAccount)])
  known.add(name)
}
