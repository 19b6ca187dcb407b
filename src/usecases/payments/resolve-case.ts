import { type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import {
  type AccountName,
  type AccountType,
  correctionOf,
  floatOf,
} from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { findMerchant } from '../../store/accounts/merchants.ts'
import type { Database } from '../../store/engine/database.ts'
import {
  closeContradiction,
  findOpenContradiction,
  isRefunded,
  isTooMuch,
  lockForDispute,
} from '../../store/payments/cases.ts'
import { findPayment } from '../../store/payments/payments.ts'

/** What a person decided about an operator that took back its word. */
export type Verdict = {
  /** CORRECTED: the operator is right now, and the money is moved to where it really is. */
  readonly resolution: 'CORRECTED' | 'DISMISSED'
  readonly by: string
  readonly note: string
  readonly now: number
}

export type Resolved =
  | { readonly result: 'DONE'; readonly payment: Payment; readonly transfer: Transfer | undefined }
  | { readonly result: 'NOT_OPEN' }
  /** The deposit was refunded meanwhile: its money has left the wallet once already. */
  | { readonly result: 'REFUNDED' }
  /** Other refunds have taken what this one would take from the deposit. */
  | { readonly result: 'TOO_MUCH' }
  /** The wallet holds less than what would have to be taken out of it. */
  | { readonly result: 'SHORT'; readonly wallet: AccountName }

type Transfer = { readonly debit: AccountName; readonly credit: AccountName }

/**
 * Closes a contradiction. The payment keeps the state that was reported; if the operator turned out
 * to be right, a transfer of its own sets the books right, with who decided it and why.
 */
export async function resolveCase(
  database: Database,
  paymentKey: string,
  verdict: Verdict,
): Promise<Resolved> {
  const open = await findOpenContradiction(database, paymentKey)
  if (open === undefined) return { result: 'NOT_OPEN' }
  const { merchantId, kind, paymentId, said } = open
  const payment = await findPayment(database, merchantId, kind, paymentId as PaymentId)
  const merchant = await findMerchant(database, merchantId)
  if (payment === undefined || merchant === undefined) return { result: 'NOT_OPEN' }
  const transfer =
    verdict.resolution === 'CORRECTED' ? transferOf(payment, merchant, said) : undefined
  try {
    const closing = { payment, ...verdict, ...present({ transfer }) }
    return await database.inTransaction(async (tx) => {
      await lockForDispute(tx, payment)
      const corrects = transfer === undefined ? undefined : `${payment.kind} ${said}`
      if (corrects === 'deposit FAILED' && (await isRefunded(tx, payment)))
        return { result: 'REFUNDED' }
      if (corrects === 'refund COMPLETED' && (await isTooMuch(tx, payment)))
        return { result: 'TOO_MUCH' }
      const isClosed = await closeContradiction(tx, closing)
      return isClosed ? { result: 'DONE', payment, transfer } : { result: 'NOT_OPEN' }
    })
  } catch (error) {
    if (transfer === undefined || !isOverdraft(error)) throw error
    return { result: 'SHORT', wallet: transfer.debit }
  }
}

function transferOf(payment: Payment, merchant: Merchant, said: 'COMPLETED' | 'FAILED'): Transfer {
  const { debit, credit } = correctionOf(payment.kind, said)
  const accountOf = (type: AccountType): AccountName =>
    type === 'float' ? floatOf(payment) : (payment.heldFrom ?? walletOf(merchant, payment))
  return { debit: accountOf(debit), credit: accountOf(credit) }
}

/** The database itself keeps a wallet from going below zero. */
const isOverdraft = (error: unknown): boolean =>
  (error as { constraint?: unknown } | undefined)?.constraint === 'money_is_never_overdrawn'
