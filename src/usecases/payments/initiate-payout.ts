import { availabilityOf, type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import { paymentFailure } from '../../domain/failure.ts'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { admit } from '../../domain/payments/admission.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { Initiation, Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import type { HoldResult } from '../../store/payments/hold.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'
import {
  accepted,
  holderOf,
  newPayment,
  orderedBy,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
  repeatedOrRejected,
  withReference,
} from './new-payment.ts'

/** A payment that takes money from a wallet. */
type PayoutCommand = PaymentCommand & {
  /** A wallet that holds too little refuses the request; else the payment fails afterwards. */
  readonly onlyFunded?: boolean
  /** While the provider is delayed, it is in line by the time of the answer. */
  readonly linesUpFirst?: boolean
}

/**
 * Accepts a payout or a remittance, with the money held for it, and hands it on. Whether the money
 * suffices is decided by the statement that stores the payment: see `store/payments/hold.ts`.
 */
export async function initiatePayout(
  ctx: PaymentContext,
  merchant: Merchant,
  kind: 'payout' | 'remittance',
  command: PayoutCommand,
): Promise<Initiation> {
  const provider = ctx.providers.find(command.provider)
  const order = orderedBy(command, OPERATION_OF[kind])
  const { refusal } = admit(order, ctx.providers, merchant)
  if (refusal !== undefined) return repeatedOrRejected(ctx, merchant, kind, command, refusal)
  invariant(provider !== undefined, 'an admitted order has a provider')
  const holder = holderOf(ctx)
  const created = newPayment(ctx, merchant, kind, command, provider.country)
  const payment = isOpenFor(merchant, created) ? withReference(ctx, created, holder) : created
  const write = ctx.writes.hold.add({
    payment,
    holder,
    wallet: walletOf(merchant, payment),
    onlyFunded: command.onlyFunded === true,
  })
  const result = await orInterrupted(ctx, write)
  const isFirst = command.linesUpFirst === true && result.result === 'NEW' && holder !== UNHELD
  if (!isFirst || isOpenFor(merchant, payment)) return fromHold(ctx, payment, holder, result)
  return accepted(ctx, await linedUp(ctx, withHold(payment, result.heldFrom)), holder)
}

/** What is to wait in line must not look as if it may have been sent. */
export const isOpenFor = (merchant: Merchant, { provider, kind }: Payment): boolean =>
  availabilityOf(merchant, provider, OPERATION_OF[kind]) === 'OPERATIONAL'

/** As it is stored now. Whatever comes in between, the payment is accepted and goes on from there. */
async function linedUp(ctx: PaymentContext, payment: Payment): Promise<Payment> {
  try {
    return (await advancePayment(ctx, payment, 'enqueue', { fence: ctx.node.id() })) ?? payment
  } catch (error) {
    ctx.work.interrupted(error)
    return payment
  }
}

const withHold = (payment: Payment, heldFrom: AccountName | undefined): Payment =>
  heldFrom === undefined ? payment : { ...payment, heldFrom }

export function fromHold(
  ctx: PaymentContext,
  payment: Payment,
  holder: NodeId,
  results: HoldResult,
): Initiation {
  switch (results.result) {
    case 'NEW':
      return accepted(ctx, withHold(payment, results.heldFrom), holder)
    case 'REPEAT':
      return repeated(ctx, results.createdAt)
    case 'SHORT':
      return rejected(ctx, paymentFailure('PAWAPAY_WALLET_OUT_OF_FUNDS'))
  }
}
