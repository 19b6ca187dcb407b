import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import { browsePayments } from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import type { Context } from '../context.ts'
import { findPayment } from './find-payment.ts'
import { type PaymentStory, storyOf } from './payment-story.ts'

/** Looking up payments of every kind at once, for programs of a merchant. */

/** Only what has an index: a question costs what it finds, however many payments there are. */
export type LookUp = Pick<
  BrowseFilter,
  | 'kinds'
  | 'states'
  | 'clientReferenceId'
  | 'phoneNumbers'
  | 'transactionId'
  | 'metadata'
  | 'fromMs'
  | 'toMs'
>

type LookedUp = {
  readonly payments: readonly Payment[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

/** Newest first. */
export async function lookUpPayments(
  ctx: Context,
  { id: merchantId }: Merchant,
  asked: LookUp,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<LookedUp> {
  const filter = { ...asked, merchantId, within: [] }
  const found = await browsePayments(ctx.db, filter, { after, limit: limit + 1 })
  const payments = found.slice(0, limit)
  return {
    payments: payments.map(asReported),
    next: found.length > limit ? payments.at(-1)?.key : undefined,
  }
}

/** Of whatever has that identifier: kinds are independent, so it may be a deposit and a payout. */
export async function storiesOf(
  ctx: Context,
  merchant: Merchant,
  kinds: readonly PaymentKind[],
  id: PaymentId,
): Promise<readonly PaymentStory[]> {
  const found = await Promise.all(kinds.map((kind) => findPayment(ctx, merchant, kind, id)))
  const payments = found.filter((one) => one !== undefined)
  return Promise.all(payments.map((payment) => storyOf(ctx.db, payment)))
}

/** As the status check has it: what waits for the deposit of its split payment is ACCEPTED. */
const asReported = (payment: Payment): Payment =>
  payment.state === 'WAITING' ? { ...payment, state: 'ACCEPTED' } : payment
