import type { Merchant } from '../../domain/accounts/merchant.ts'
import { BULK_LIMITS, BULK_MACHINE, type BulkRow } from '../../domain/bulk/bulk-payout.ts'
import { invariant } from '../../domain/invariant.ts'
import { LIMITS } from '../../domain/timing.ts'
import { readProgress } from '../../store/bulk/rows.ts'
import {
  endBulk,
  type HeldBulk,
  nextRows,
  type RowAnswer,
  recordAnswers,
  releaseBulk,
} from '../../store/bulk/sending.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { PaymentContext } from '../payments/context.ts'
import { initiatePayout } from '../payments/initiate-payout.ts'
import { idOf } from '../payments/new-payment.ts'

/**
 * The next rows of a bulk payout that this node holds, then it is given back. Each row is an
 * ordinary payout under the identifier that it got with the upload. If the answer was not recorded,
 * or another node is at it as well, the row is sent again, and the payout is there already: see `sent`.
 */
export async function sendStep(
  ctx: PaymentContext,
  held: HeldBulk,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, node } = ctx
  const merchant = await ctx.merchants.byId(held.merchantId)
  const isKnown = node.restoredAt() < Number.POSITIVE_INFINITY
  if (merchant === undefined || merchant.suspended || !isKnown) {
    return releaseBulk(db, held, { dueAt: clock.now() + LIMITS.bulkLookMaxMs })
  }
  const rows = await nextRows(db, held, BULK_LIMITS.perStep)
  const isLost = held.approvedAt <= node.restoredAt()
  for (let at = 0; at < rows.length; at += BULK_LIMITS.atOnce) {
    if (signal.aborted || !node.mayAct()) return releaseBulk(db, held, { dueAt: clock.now() })
    const part = rows.slice(at, at + BULK_LIMITS.atOnce)
    const answers = isLost
      ? part.map(inDoubt)
      : await Promise.all(part.map((row) => sent(ctx, merchant, held, row)))
    await recordAnswers(db, held, answers, clock.now())
  }
  if (rows.length > 0) return releaseBulk(db, held, { dueAt: clock.now() + LIMITS.bulkStepMs })
  return endOrLookAgain(ctx, held)
}

/** After a restore the payout may exist at the operator and nowhere here: a person has to look. */
const inDoubt = ({ number }: BulkRow): RowAnswer => ({
  number,
  state: 'REJECTED',
  code: 'UNKNOWN_ERROR',
  message:
    'The database was restored while this was being sent, so it may have been paid. Ask the ' +
    'provider before you pay it again.',
})

async function sent(
  ctx: PaymentContext,
  merchant: Merchant,
  { id: bulkId }: HeldBulk,
  { number, payoutId, fields }: BulkRow,
): Promise<RowAnswer> {
  const { amount, currency, phoneNumber, provider, isPredicted: _, ...details } = fields
  const command = {
    generation: 'v2',
    idAsSent: payoutId,
    amount,
    currency,
    phoneNumber,
    provider,
    details: { ...details, source: 'BULK', bulkId },
    onlyFunded: true,
  } as const
  const initiation = await initiatePayout(ctx, merchant, 'payout', command)
  if (initiation.status === 'ACCEPTED') return { number, state: 'ACCEPTED' }
  if (initiation.status === 'REJECTED') {
    const { code, message } = initiation.failure
    return { number, state: 'REJECTED', code, message }
  }
  const earlier = await findPayment(ctx.db, merchant.id, 'payout', idOf(command))
  const isOurs = earlier?.details.bulkId === bulkId
  return { number, state: isOurs ? 'ACCEPTED' : 'DUPLICATE' }
}

/** It is over when its payouts are. They may wait for long, so it is looked at ever more rarely. */
async function endOrLookAgain(ctx: PaymentContext, held: HeldBulk): Promise<void> {
  const { total, open, completed } = await readProgress(ctx.db, held.merchantId, held.id)
  const now = ctx.clock.now()
  if (open > 0) {
    const waited = (now - (held.sentAt ?? now)) / 10
    const pause = Math.min(LIMITS.bulkLookMaxMs, Math.max(LIMITS.bulkStepMs, waited))
    return releaseBulk(ctx.db, held, { dueAt: now + pause, sentAt: now })
  }
  const { complete, fall_short } = BULK_MACHINE.SENDING
  const state = completed === total ? complete : fall_short
  invariant(state !== undefined, 'what is being sent can end')
  return endBulk(ctx.db, held, state, now)
}
