import { isSameSum } from '../../domain/amount.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { LIMITS } from '../../domain/timing.ts'
import { traceFacts } from '../../domain/trace.ts'
import type { Outcome } from '../../providers/connector.ts'
import { withoutNumber } from '../../providers/masking.ts'
import type { CallbackRequest, Claim } from '../../providers/operator.ts'
import { findAtOperator } from '../../store/payments/payments.ts'
import { storeIds } from '../../store/payments/routing.ts'
import type { Log } from '../context.ts'
import { orderFor } from '../payments/order.ts'
import { readNotification } from '../payments/read-notification.ts'
import type { OperatorContext } from './context.ts'
import type { OpenedAccount } from './open-account.ts'

/** A callback as it came in at the secret address of an account. */
type ReceivedCallback = CallbackRequest & {
  readonly account: OpenedAccount
  /** From the address, where it names one. */
  readonly reference?: string
  readonly method: string
}

/**
 * An operator says something about a payment. It is a hint: the operator is asked, and its answer
 * counts. Where it cannot be asked, its connector weighs what came to the secret address, which is
 * stored before it is acknowledged.
 */
export async function receiveCallback(
  ctx: OperatorContext,
  log: Log,
  received: ReceivedCallback,
): Promise<Claim['reply']> {
  const { account: opened } = received
  const { name } = opened.account
  const claim = opened.operator.readCallback(received)
  const reference = received.reference ?? claim.reference
  const isReference = reference !== undefined && /^[\x20-\x7e]{1,200}$/.test(reference)
  const payment = isReference ? await findAtOperator(ctx.db, name, reference) : undefined
  if (payment === undefined) {
    // Not what it says: operators name customers there.
    log.warn({ account: name, reference }, 'an operator called back about an unknown payment')
    return claim.reply
  }
  keep(ctx, received, payment, claim)
  if (!claim.isGenuine) {
    log.warn(
      { account: name, paymentKey: payment.key },
      'a callback failed the check of its operator',
    )
  }
  const named = await withIds(ctx, payment, claim)
  void ask(ctx, log, opened, named)
  return claim.reply
}

/** Evidence for people; nothing in it is secret. */
function keep(
  ctx: OperatorContext,
  received: ReceivedCallback,
  payment: Payment,
  claim: Claim,
): void {
  const { account, method, raw } = received
  ctx.operators.keep({
    merchantId: payment.merchantId,
    paymentKey: payment.key,
    at: ctx.clock.now(),
    account: account.account.name,
    what: 'callback',
    request: withoutNumber(
      account.mask(`${method}\n${raw.toString('utf8')}`).replaceAll('\0', '\ufffd'),
      payment.phoneNumber,
    ),
    httpStatus: claim.reply.status,
    durationMs: 0,
    ...present({ outcome: claim.isGenuine ? undefined : 'not genuine' }),
  })
}

async function withIds(ctx: OperatorContext, payment: Payment, claim: Claim): Promise<Payment> {
  const { ids } = claim
  if (ids === undefined || !claim.isGenuine) return payment
  const known = payment.operatorIds ?? {}
  if (Object.keys(ids).every((name) => known[name] === ids[name])) return payment
  await storeIds(ctx.db, payment, ids)
  return { ...payment, operatorIds: { ...known, ...ids } }
}

/** Payments about which this node is asking, or has asked a moment ago. */
const asking = new Set<string>()

/** However many callbacks come, forged ones among them, they cause one question at a time. */
async function ask(
  ctx: OperatorContext,
  log: Log,
  { driven, account }: OpenedAccount,
  payment: Payment,
): Promise<void> {
  const { key, providerReference: reference } = payment
  if (reference === undefined || asking.has(key)) return
  asking.add(key)
  setTimeout(() => asking.delete(key), LIMITS.hintsApartMs).unref()
  try {
    const outcome = await driven.query(await orderFor(ctx, payment), reference)
    if (outcome.kind === 'PENDING' && outcome.alert !== undefined) {
      ctx.operators.alert(payment, outcome.alert)
    }
    await take(ctx, log, payment, outcome)
  } catch (err) {
    // The look-ups of the payment itself go on.
    const traced = traceFacts(payment.details.traceparent)
    const facts = { err, account: account.name, paymentKey: key, ...traced }
    log.warn(facts, 'a callback led to no answer')
  }
}

/** What is final and beyond doubt; everything else is left to the look-ups of the payment. */
async function take(
  ctx: OperatorContext,
  log: Log,
  payment: Payment,
  outcome: Outcome,
): Promise<void> {
  if (!isClear(payment, outcome)) return
  const { merchantId, kind, id, providerReference: reference = '' } = payment
  await readNotification(ctx, log, {
    merchantId,
    kind,
    paymentId: id,
    reference,
    outcomes: [outcome],
  })
}

function isClear({ amount, currency }: Payment, outcome: Outcome): boolean {
  if (outcome.kind === 'FAILED' || outcome.kind === 'REFUSED') return outcome.isOurFault !== true
  if (outcome.kind !== 'DONE') return false
  const { amount: movedAmount = amount, currency: movedCurrency = currency } = outcome
  return movedCurrency === currency && isSameSum(movedAmount, amount)
}
