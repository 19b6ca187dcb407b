import { type Amount, formatBalance, parseAmount } from '../../domain/amount.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { isFinal, type PaymentKind } from '../../domain/payments/payment-state.ts'
import { browsePayments } from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { Context } from '../context.ts'
import type { Person } from '../people/context.ts'
import { type PaymentStory, storyOf } from './payment-story.ts'

/** Everything that a person of the merchant sees of one payment. */
export type PaymentFile = PaymentStory & {
  /** Of a deposit, newest first. */
  readonly refunds: readonly Payment[]
  /** Of a deposit that was collected: what can still be given back. */
  readonly refundable: string | undefined
}

/** Undefined where it does not exist, is another merchant's, or of a country not theirs. */
export async function paymentOf(
  ctx: Context,
  { merchant, countries }: Person,
  kind: PaymentKind,
  idText: string,
): Promise<Payment | undefined> {
  const id = parsePaymentId(idText)
  const payment = id && (await findPayment(ctx.db, merchant.id, kind, id))
  if (payment === undefined) return undefined
  return countries.length === 0 || countries.includes(payment.country) ? payment : undefined
}

const REFUNDS_SHOWN = 100

export async function fileOf(ctx: Context, payment: Payment): Promise<PaymentFile> {
  const { merchantId, kind, id } = payment
  const filter: BrowseFilter = { merchantId, kinds: ['refund'], within: [], refundOf: id }
  const [story, refunds] = await Promise.all([
    storyOf(ctx.db, payment),
    kind === 'deposit' ? browsePayments(ctx.db, filter, { limit: REFUNDS_SHOWN }) : [],
  ])
  return { ...story, refunds, refundable: refundableOf(payment, refunds) }
}

/** As far as it looks from here; the refund itself is decided under the lock of its deposit. */
function refundableOf(deposit: Payment, refunds: readonly Payment[]): string | undefined {
  const total = parseAmount(deposit.amount)
  if (deposit.kind !== 'deposit' || deposit.state !== 'COMPLETED' || total === undefined) {
    return undefined
  }
  const left = refunds
    .filter(({ state }) => state === 'COMPLETED' || !isFinal('refund', state))
    .reduce((rest, { amount }) => rest - (parseAmount(amount) ?? 0n), total as bigint)
  return left > 0n ? formatBalance(left as Amount) : undefined
}
