import { type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import { wantsCallback } from '../../domain/callbacks/callback-subject.ts'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import {
  type AccountName,
  type AccountType,
  debitsWallet,
  floatOf,
  LEDGER_EFFECTS,
  reserveName,
} from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { isFinal, nextState, type PaymentEvent } from '../../domain/payments/payment-state.ts'
import type { Writable } from '../../domain/present.ts'
import type { OwedCallback } from '../../store/callbacks/callbacks.ts'
import type { Advance } from '../../store/payments/advance.ts'
import type { PaymentContext } from './context.ts'

/** What is learnt together with an event and kept on the payment. */
export type Facts = Pick<
  Advance,
  | 'fence'
  | 'providerReference'
  | 'submittedAt'
  | 'providerTransactionId'
  | 'failure'
  | 'operatorAccount'
  | 'operatorIds'
  | 'record'
>

/**
 * The only way a payment changes its state. Answers the payment as it is now, or nothing when the
 * event does not apply any more: somebody else was first, and the first final answer stands.
 */
export async function advancePayment(
  ctx: PaymentContext,
  payment: Payment,
  event: PaymentEvent,
  facts: Facts,
): Promise<Payment | undefined> {
  const merchant = await ctx.merchants.byId(payment.merchantId)
  if (merchant === undefined) return undefined
  const at = ctx.clock.now()
  const step = transitionOf(payment, event, merchant, at)
  if (step === undefined) return undefined
  const { to, isFinal: over } = step
  const holder = over ? callbackHolder(ctx, payment, merchant) : undefined
  const callbackUrl = holder === ctx.node.id() ? urlAtOnce(ctx, payment, merchant) : undefined

  learn(step, facts)
  if (facts.fence !== undefined) step.fence = facts.fence
  if (facts.record !== undefined) step.record = facts.record
  if (holder !== undefined) step.callbackHolder = holder
  if (callbackUrl !== undefined) step.callbackUrl = callbackUrl
  const moved = await ctx.writes.advance.add(step)
  if (moved === undefined) return undefined

  // In line nothing has been sent: all that belonged to an earlier try goes.
  const now: Writable<Payment> = to === 'ENQUEUED' ? unsent(payment) : { ...payment }
  now.state = to
  learn(now, facts)
  if (moved.authorizationUrl !== undefined) now.authorizationUrl = moved.authorizationUrl
  if (over) now.endedAt = at
  ctx.changes.notify(now)
  if (over) finish(ctx, now, { at, holder, noteEnded: moved.noteEnded })
  return now
}

/** What an event does, by whichever write; nothing where it does not apply. */
export function transitionOf(
  payment: Payment,
  event: PaymentEvent,
  merchant: Merchant,
  at: number,
): Writable<Advance> | undefined {
  const { kind } = payment
  const to = nextState(kind, payment.state, event)
  if (to === undefined) return undefined
  const notifiesWhole = wantsWhole(payment, merchant)
  const step: Writable<Advance> = { payment, to, at, isFinal: isFinal(kind, to), notifiesWhole }
  const transfer = transferOf(payment, to, merchant)
  if (transfer !== undefined) step.transfer = transfer
  return step
}

/** Whether a callback is owed for the split payment or checkout that this is part of. */
function wantsWhole({ splitId, checkoutId }: Payment, merchant: Merchant): boolean {
  if (splitId !== undefined) return wantsCallback('splitPayment', merchant)
  return checkoutId !== undefined && wantsCallback('checkout', merchant)
}

function transferOf(
  payment: Payment,
  to: Payment['state'],
  merchant: Merchant,
): Advance['transfer'] {
  const effect = LEDGER_EFFECTS[payment.kind][to]
  if (effect === undefined) return undefined
  // A payment that found too little money holds none, so none goes back.
  if (debitsWallet(payment.kind) && payment.heldFrom === undefined) return undefined
  return {
    debit: accountOf(effect.debit, payment, merchant),
    credit: accountOf(effect.credit, payment, merchant),
  }
}

function accountOf(type: AccountType, payment: Payment, merchant: Merchant): AccountName {
  if (type === 'float') return floatOf(payment)
  // Money goes back to where it was taken from, whatever wallets exist by now.
  const wallet = payment.heldFrom ?? walletOf(merchant, payment)
  if (type === 'reserve') return reserveName(wallet)
  invariant(type === 'wallet', `no payment posts to ${type}`)
  return wallet
}

/** Undefined when the merchant wants no callback of this kind. */
export function callbackHolder(
  ctx: PaymentContext,
  payment: Payment,
  merchant: Merchant,
): NodeId | undefined {
  if (!wantsCallback(payment.kind, merchant)) return undefined
  return ctx.work.hasRoom() ? ctx.node.id() : UNHELD
}

/** Where the callback can be sent at once, as most are. */
function urlAtOnce(
  ctx: PaymentContext,
  { kind, authorizationUrl }: Payment,
  merchant: Merchant,
): string | undefined {
  const url = merchant.callbackUrls[kind]
  // If a listener reads it, or if it waits for a pause or another callback, it has a row at once.
  const hasRow =
    merchant.hasListener ||
    (merchant.callbackStates[kind]?.pausedMs ?? undefined) !== undefined ||
    authorizationUrl !== undefined
  if (url === undefined || hasRow) return undefined
  return ctx.work.deliversAtOnce(merchant.id, url) ? url : undefined
}

type Learning = { -readonly [Name in keyof Facts]?: Facts[Name] | undefined }

/** Field by field: every payment comes by here, and to spread what may be absent takes far longer. */
function learn(what: Learning, facts: Facts): void {
  const { providerReference, submittedAt, providerTransactionId, failure } = facts
  if (providerReference !== undefined) what.providerReference = providerReference
  if (submittedAt !== undefined) what.submittedAt = submittedAt
  if (providerTransactionId !== undefined) what.providerTransactionId = providerTransactionId
  if (failure !== undefined) what.failure = failure
  const { operatorAccount, operatorIds } = facts
  if (operatorAccount !== undefined) what.operatorAccount = operatorAccount
  if (operatorIds !== undefined) what.operatorIds = operatorIds
}

function unsent(payment: Payment): Writable<Payment> {
  const { providerReference, operatorAccount, operatorIds, unknownSince, ...kept } = payment
  return kept
}

function finish(ctx: PaymentContext, payment: Payment, owing: Owing): void {
  ctx.measure.payment(payment.state === 'COMPLETED' ? 'completed' : 'failed')
  ctx.measure.acceptToFinal(owing.at - payment.createdAt, payment.details.traceparent)
  // Payouts that may begin now, or the callback of the whole, lie in the database.
  if (payment.splitId !== undefined || payment.checkoutId !== undefined) ctx.work.wake()
  deliverFromMemory(ctx, payment, owing)
}

type Owing = {
  readonly at: number
  readonly holder: NodeId | undefined
  readonly noteEnded?: (() => void) | undefined
}

/** A callback that is owed from this moment on goes out at once, where this node holds it. */
export function deliverFromMemory(
  ctx: PaymentContext,
  payment: Payment,
  { at, holder, noteEnded }: Owing,
): void {
  if (holder === undefined || holder === UNHELD) return
  const { state } = payment
  const owed: Writable<OwedCallback> = {
    subject: payment,
    state,
    createdAt: at,
    roundStartedAt: at,
    tries: 0,
    attempts: 0,
  }
  if (noteEnded !== undefined) owed.noteEnded = noteEnded
  ctx.work.takeCallback(owed)
}
