import { isDeepStrictEqual } from 'node:util'
import type { CheckoutSeen } from '../evidence.ts'
import type { Body } from '../world.ts'
import { type Facts, type Finding, type Note, parsed, unitsOf } from './facts.ts'

const FINAL = ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED']
const ATTEMPTS_MAX = 10
const isOver = (record: Body | null): boolean => FINAL.includes(String(record?.status))

/** The state of a checkout follows from its attempts, and its final state is sent. */
export function checkCheckouts(facts: Facts): Finding[] {
  const findings: Finding[] = []
  for (const checkout of facts.evidence.checkouts) {
    const subject = `${checkout.merchant}/checkout/${checkout.id}`
    const note: Note = (rule, what) => {
      findings.push({ rule, subject, what })
    }
    checkAnswered(checkout, note)
    if (checkout.final === null) continue
    checkWhole(facts, checkout, checkout.final, note)
    checkReceived(facts, checkout, checkout.final, note)
  }
  return findings
}

/** Accepted at most once, under one link; from then on it is found, and a final state stays. */
function checkAnswered({ answers, codes, looks, final }: CheckoutSeen, note: Note): void {
  const accepted = answers.filter((one) => one === 'ACCEPTED').length
  if (accepted > 1) note('answers', `was accepted ${accepted} times`)
  const odd = answers.find((one) => one !== 'ACCEPTED' && one !== 'DUPLICATE_IGNORED')
  if (odd !== undefined) note('answers', `a valid request was answered with ${odd}`)
  if (new Set(codes).size > 1) note('answers', `has the links ${codes.join(', ')}`)
  if (answers.length > 0 && final === null) note('missing', 'was accepted, but does not exist')
  for (const { record } of looks) {
    if (record === null) note('missing', 'was accepted, but a status check did not find it')
    else if (isOver(record) && !isDeepStrictEqual(plain(record), plain(final ?? {}))) {
      note('answers', `was seen as ${JSON.stringify(record)}, but is ${JSON.stringify(final)}`)
    }
  }
}

const plain = ({ redirectUrl: _, ...rest }: Body): Body => rest

/** One attempt after the other, at most one success, and a state that follows from them. */
function checkWhole(facts: Facts, checkout: CheckoutSeen, final: Body, note: Note): void {
  const { body, pressed, wasLeft } = checkout
  const attempts = final.depositsHistory as readonly Body[]
  const states = attempts.map(({ status }) => String(status))
  const last = states.at(-1)
  const { status } = final
  const must = (holds: boolean, what: string): void => {
    if (!holds) note('parts', `${what}: ${JSON.stringify(final)}`)
  }
  must(attempts.length <= Math.min(pressed.length, ATTEMPTS_MAX), 'has more attempts than forms')
  must(
    states.slice(0, -1).every((state) => state === 'FAILED'),
    'continued after an attempt that had not failed',
  )
  const [asked] = body.amounts as readonly Body[]
  for (const { amount, currency, payer } of attempts) {
    const isSum = unitsOf(amount) === unitsOf(asked?.amount) && currency === asked?.currency
    must(isSum, 'has an attempt with another amount')
    const { phoneNumber } = (payer as { accountDetails: Body }).accountDetails
    must(pressed.includes(String(phoneNumber)), 'has an attempt that nobody made')
  }
  must((status === 'COMPLETED') === (last === 'COMPLETED'), 'does not match its last attempt')
  const isUnderWay = last === 'PROCESSING' || last === 'IN_RECONCILIATION'
  must((status === 'PROCESSING') === isUnderWay, 'does not match its last attempt')
  must(status !== 'FAILED' || attempts.length === ATTEMPTS_MAX, 'failed too early')
  must(status !== 'CANCELLED' || wasLeft, 'was cancelled by nobody')
  must(status !== 'WAITING_PAYMENT' || mayBePaid(facts, checkout, attempts), 'is still waiting')
}

/** A checkout is on hold while its operator says that a failed attempt was paid. */
function mayBePaid(
  { evidence }: Facts,
  { merchant }: CheckoutSeen,
  attempts: readonly Body[],
): boolean {
  const failed = attempts.filter(({ status }) => status === 'FAILED')
  return evidence.cases.some(
    (one) =>
      one.merchant === merchant &&
      one.cause === 'CONTRADICTION' &&
      one.resolution === null &&
      failed.some(({ depositId }) => depositId === one.id),
  )
}

/** Only the final state is sent, and only to merchants that have set an address. */
function checkReceived(
  { evidence }: Facts,
  { merchant, id }: CheckoutSeen,
  final: Body,
  note: Note,
): void {
  const listens = evidence.merchants[merchant]?.listens.includes('deposit') === true
  const own = evidence.callbacks
    .filter((one) => one.merchant === merchant && one.kind === 'checkout')
    .map((seen) => ({ answered: seen.answered, body: parsed(seen.body) }))
    .filter(({ body }) => body.checkoutId === id)
  if (!listens && own.length > 0) note('same', 'was sent to a merchant without an address')
  const isAcknowledged = own.some(({ answered }) => answered === 200)
  if (listens && isOver(final) && !isAcknowledged) {
    note('complete', `is ${final.status}, but no callback of that was acknowledged`)
  }
  for (const { body } of own) {
    if (isDeepStrictEqual(plain(body), plain(final))) continue
    note('same', `was sent as ${JSON.stringify(body)}, but is ${JSON.stringify(final)}`)
  }
}
