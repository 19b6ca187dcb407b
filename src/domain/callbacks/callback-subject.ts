import type { CallbackKind, Merchant } from '../accounts/merchant.ts'
import { CHECKOUT_STATES, type Checkout, isFinalCheckout } from '../hosted/checkout.ts'
import type { Payment } from '../payments/payment.ts'
import {
  FINAL_STATES,
  isFinal,
  PAYMENT_KINDS,
  type PaymentState,
} from '../payments/payment-state.ts'
import { isFinalSplit, SPLIT_STATES, type SplitPayment } from '../payments/split-payment.ts'
import type { Statement } from '../statements/statement.ts'
import { type PaymentTrace, UNTRACED } from '../trace.ts'

/** What a callback is about. */
export type CallbackSubject = Payment | SplitPayment | Checkout | Statement
export type SubjectKind = CallbackSubject['kind']
export type SubjectState = CallbackSubject['state']

/** In words, where the name in the program is not one. */
export const SUBJECT_WORDS: Readonly<Record<SubjectKind, string>> = {
  deposit: 'deposit',
  payout: 'payout',
  refund: 'refund',
  remittance: 'remittance',
  splitPayment: 'split payment',
  checkout: 'checkout',
  statement: 'statement',
}

/** In which states the callback of a kind is sent, because it is over. */
export function finalStatesOf(kind: CallbackKind): readonly SubjectState[] {
  if (kind === 'splitPayment') return SPLIT_STATES.filter(isFinalSplit)
  if (kind === 'checkout') return CHECKOUT_STATES.filter(isFinalCheckout)
  return FINAL_STATES
}

/** Whether a callback of this kind is owed: there is an address, or a client listens. */
export function wantsCallback(kind: CallbackKind, merchant: Merchant): boolean {
  return merchant.callbackUrls[kind] !== undefined || merchant.hasListener
}

/** The address of today, not of the day it ended: that is where the merchant listens. */
export function callbackUrlOf(
  subject: CallbackSubject,
  merchant: Merchant | undefined,
): string | undefined {
  if (subject.kind === 'statement') return subject.callbackUrl
  const kind: CallbackKind = subject.kind
  return merchant?.callbackUrls[kind]
}

/**
 * The subject in the state that a callback reports. A state on the way is reported as it was then: what
 * was learnt later is left out, so that the same callback reads the same on every attempt.
 */
export function subjectAsOf(subject: CallbackSubject, state: SubjectState): CallbackSubject {
  if (subject.state === state || !isPayment(subject)) return subject
  const { failure, providerTransactionId, endedAt, ...then } = subject
  return { ...then, state: state as PaymentState }
}

/** Not the end: other states follow, and have callbacks of their own. */
export function isOnTheWay(subject: CallbackSubject, state: SubjectState): boolean {
  return isPayment(subject) && !isFinal(subject.kind, state as PaymentState)
}

const isPayment = (subject: CallbackSubject): subject is Payment =>
  PAYMENT_KINDS.some((kind) => kind === subject.kind)

/** What its callback is part of: the trace of the payment, or that of a payment of the whole. */
export function traceOf(subject: CallbackSubject): PaymentTrace {
  if (subject.kind === 'statement') return UNTRACED
  if (subject.kind === 'splitPayment') return subject.deposit.details
  if (subject.kind === 'checkout') return subject.attempts.at(-1)?.details ?? UNTRACED
  return subject.details
}

/**
 * Where it takes place, for people who see some countries only. A checkout takes place where it was
 * tried, and before that wherever it may be; without any word of that, nowhere.
 */
export function countriesOf(subject: CallbackSubject): readonly string[] {
  if (subject.kind === 'statement') return [subject.wallet.country]
  if (subject.kind === 'splitPayment') return [subject.deposit.country]
  if (subject.kind !== 'checkout') return [subject.country]
  const { attempts, terms } = subject
  if (attempts.length > 0) return attempts.map(({ country }) => country)
  return terms.countries ?? terms.amounts?.map(({ country }) => country) ?? []
}
