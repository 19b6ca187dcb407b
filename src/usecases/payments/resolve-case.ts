import { type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import { wantsCallback } from '../../domain/callbacks/callback-subject.ts'
import { paymentFailure } from '../../domain/failure.ts'
import { type PaymentId, UNHELD } from '../../domain/ids.ts'
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
import { advanceWithin } from '../../store/payments/advance.ts'
import {
  type Case,
  closeContradiction,
  findOpenCase,
  isRefunded,
  isTooMuch,
  lockForDispute,
  signUnknown,
} from '../../store/payments/cases.ts'
import { findPayment } from '../../store/payments/payments.ts'
import { transitionOf } from './advance-payment.ts'

/** What a person decided about each cause of doubt. */
export const RESOLUTIONS = {
  /** The operator is right now, and the money is moved to where it really is; or the books are. */
  CONTRADICTION: ['CORRECTED', 'DISMISSED'],
  /** What the operator's own records show of the payment. */
  UNKNOWN_OUTCOME: ['PAID', 'NOT_PAID'],
} as const satisfies Record<Case['cause'], readonly string[]>

type Resolution<Cause extends Case['cause']> = (typeof RESOLUTIONS)[Cause][number]

type Signed = { readonly by: string; readonly note: string; readonly now: number }

export type Verdict = Signed & {
  readonly resolution: Resolution<Case['cause']>
  /** What the operator calls the transaction, where a payment turned out to be paid. */
  readonly transactionId?: string
}

type Resolved =
  | { readonly result: 'DONE'; readonly payment: Payment; readonly transfer: Transfer | undefined }
  | { readonly result: 'NOT_OPEN' }
  /** The verdict answers another question than the one that is open. */
  | { readonly result: 'OTHER_CAUSE'; readonly cause: Case['cause'] }
  /** The deposit was refunded meanwhile: its money has left the wallet once already. */
  | { readonly result: 'REFUNDED' }
  /** Other refunds have taken what this one would take from the deposit. */
  | { readonly result: 'TOO_MUCH' }
  /** The wallet holds less than what would have to be taken out of it. */
  | { readonly result: 'SHORT'; readonly wallet: AccountName }

type Transfer = { readonly debit: AccountName; readonly credit: AccountName }

export async function resolveCase(
  database: Database,
  paymentKey: string,
  { resolution, transactionId, ...signed }: Verdict,
): Promise<Resolved> {
  const open = await findOpenCase(database, paymentKey)
  if (open === undefined) return { result: 'NOT_OPEN' }
  const { merchantId, kind, paymentId, reported, cause } = open
  const payment = await findPayment(database, merchantId, kind, paymentId as PaymentId)
  const merchant = await findMerchant(database, merchantId)
  if (payment === undefined || merchant === undefined) return { result: 'NOT_OPEN' }
  if (reported !== null && (resolution === 'CORRECTED' || resolution === 'DISMISSED')) {
    const transfer =
      resolution === 'CORRECTED' ? correctionFor(payment, merchant, reported) : undefined
    return endContradiction(database, payment, { ...signed, resolution, reported, transfer })
  }
  if (reported === null && (resolution === 'PAID' || resolution === 'NOT_PAID')) {
    const ending = { ...signed, isPaid: resolution === 'PAID', ...present({ transactionId }) }
    return endUnknown(database, payment, merchant, ending)
  }
  return { result: 'OTHER_CAUSE', cause }
}

type Correction = Signed & {
  readonly resolution: Resolution<'CONTRADICTION'>
  readonly reported: NonNullable<Case['reported']>
  readonly transfer: Transfer | undefined
}

/**
 * The payment keeps the state that was reported; if the operator turned out to be right, a transfer
 * of its own sets the books right, with who decided it and why.
 */
async function endContradiction(
  database: Database,
  payment: Payment,
  { reported, transfer, ...verdict }: Correction,
): Promise<Resolved> {
  try {
    const closing = { payment, ...verdict, ...present({ transfer }) }
    return await database.inTransaction(async (tx) => {
      await lockForDispute(tx, payment)
      const corrects = transfer === undefined ? undefined : `${payment.kind} ${reported}`
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

type Ending = Signed & { readonly isPaid: boolean; readonly transactionId?: string }

/**
 * Ends a payment that no operator will ever answer for, just as the operator's word would: its state,
 * its money, its callback. If the operator speaks after all, and says otherwise, a contradiction is
 * opened as for any payment that is over.
 */
function endUnknown(
  database: Database,
  payment: Payment,
  merchant: Merchant,
  { isPaid, transactionId, by, note, now }: Ending,
): Promise<Resolved> {
  const transition = transitionOf(payment, isPaid ? 'confirm' : 'decline', merchant, now)
  if (transition === undefined) return Promise.resolve({ result: 'NOT_OPEN' })
  return database.inTransaction(async (tx) => {
    const moved = await advanceWithin(tx, {
      ...transition,
      ...(isPaid ? {} : { failure: paymentFailure('UNSPECIFIED_FAILURE') }),
      ...present({ providerTransactionId: transactionId }),
      // Whichever node has room takes the callback.
      ...(wantsCallback(payment.kind, merchant) ? { callbackHolder: UNHELD } : {}),
    })
    if (moved === undefined) return { result: 'NOT_OPEN' }
    await signUnknown(tx, payment, { by, note })
    return { result: 'DONE', payment, transfer: transition.transfer }
  })
}

function correctionFor(
  payment: Payment,
  merchant: Merchant,
  reported: NonNullable<Case['reported']>,
): Transfer {
  const { debit, credit } = correctionOf(payment.kind, reported)
  const accountOf = (type: AccountType): AccountName =>
    type === 'float' ? floatOf(payment) : (payment.heldFrom ?? walletOf(merchant, payment))
  return { debit: accountOf(debit), credit: accountOf(credit) }
}

/** The database itself keeps a wallet from going below zero. */
const isOverdraft = (error: unknown): boolean =>
  (error as { constraint?: unknown } | undefined)?.constraint === 'money_is_never_overdrawn'
