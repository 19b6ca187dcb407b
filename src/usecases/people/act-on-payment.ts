/**
 * What people do with a payment: the audit log says so in the transaction in which it happens.
 */
import { createHash } from 'node:crypto'
import { isSameSum } from '../../domain/amount.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Db } from '../../store/engine/database.ts'
import { findEntries } from '../../store/people/audit.ts'
import { cancelEnqueued } from '../payments/cancel-enqueued.ts'
import type { PaymentContext } from '../payments/context.ts'
import { findPayment } from '../payments/find-payment.ts'
import { initiateRefund } from '../payments/initiate-refund.ts'
import { recordChange } from './change.ts'
import type { PeopleContext, Person } from './context.ts'

type ActContext = PeopleContext & PaymentContext

const REFUND = 'refund requested'
const CANCELLATION = 'cancellation requested'

/**
 * The identifier of the next refund of a deposit. It follows from the one before, so two pages that
 * show the same state ask for the same refund.
 */
export function nextRefundId(deposit: Payment, refunds: readonly Payment[]): string {
  const seed = `refund of ${deposit.key} after ${refunds[0]?.id ?? 'none'}`
  const hex = createHash('sha256').update(seed).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

type RefundOrder = {
  readonly deposit: Payment
  readonly refundId: PaymentId
  readonly amount: string
}

type Refunded =
  | { readonly result: 'DONE' | 'DONE_BEFORE' }
  /** The identifier is that of a refund of another amount, made meanwhile. */
  | { readonly result: 'ANOTHER'; readonly amount: string }
  | { readonly result: 'REFUSED'; readonly failure: Failure }

export async function refundAs(
  ctx: ActContext,
  person: Person,
  { deposit, refundId, amount }: RefundOrder,
): Promise<Refunded> {
  const { merchant } = person
  const after = { refundId, amount, currency: deposit.currency }
  const change = { action: REFUND, object: deposit.id, after }
  const asked = await initiateRefund(ctx, merchant, {
    generation: 'v2',
    idAsSent: refundId,
    depositId: deposit.idAsSent,
    amount,
    details: { source: 'DASHBOARD' },
    record: (tx) => recordChange(ctx, tx, person, change),
  })
  if (asked.status === 'REJECTED') return { result: 'REFUSED', failure: asked.failure }
  if (asked.status === 'DUPLICATE_IGNORED') {
    const earlier = await findPayment(ctx, merchant, 'refund', refundId)
    if (earlier !== undefined && !isSameSum(earlier.amount, amount)) {
      return { result: 'ANOTHER', amount: earlier.amount }
    }
  }
  return { result: asked.status === 'ACCEPTED' ? 'DONE' : 'DONE_BEFORE' }
}

type Cancelled =
  | { readonly result: 'DONE' | 'DONE_BEFORE' }
  | { readonly result: 'REFUSED'; readonly failure: Failure }

export async function cancelAs(
  ctx: ActContext,
  person: Person,
  { kind, id, state }: Payment,
): Promise<Cancelled> {
  const { merchant } = person
  const change = { action: CANCELLATION, object: id, before: { state } }
  const record = (tx: Db): Promise<void> => recordChange(ctx, tx, person, change)
  const failure = await cancelEnqueued(ctx, merchant, kind, id, record)
  if (failure === undefined) return { result: 'DONE' }
  const now = await findPayment(ctx, merchant, kind, id)
  const isCancelled = now?.failure?.code === 'MANUALLY_CANCELLED'
  return isCancelled ? { result: 'DONE_BEFORE' } : { result: 'REFUSED', failure }
}

/** The people behind a payment, as far as the audit log knows any. */
export type Doers = {
  /** By the identifier of the refund: this one, or those of this deposit. */
  readonly refunders: ReadonlyMap<string, string>
  readonly canceller: string | undefined
}

export async function doersOf(
  { db }: PeopleContext,
  payment: Payment,
  refunds: readonly Payment[],
): Promise<Doers> {
  const { merchantId, id, failure } = payment
  const object = payment.refundOf ?? (refunds.length > 0 ? id : undefined)
  const entries = object && (await findEntries(db, { merchantId, action: REFUND, object }))
  const isCancelled = failure?.code === 'MANUALLY_CANCELLED'
  const [cancelled] = isCancelled
    ? await findEntries(db, { merchantId, action: CANCELLATION, object: id })
    : []
  return {
    refunders: new Map((entries || []).map(({ actor, after }) => [String(after?.refundId), actor])),
    canceller: cancelled?.actor,
  }
}
