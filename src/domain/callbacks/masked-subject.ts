import type { Checkout, CheckoutPayer } from '../hosted/checkout.ts'
import type { MetadataEntry, Payment, PaymentDetails } from '../payments/payment.ts'
import type { SplitPayment } from '../payments/split-payment.ts'
import { hiddenNumber } from '../phone-number.ts'
import { ifGiven, present } from '../present.ts'
import type { CallbackSubject } from './callback-subject.ts'

/** What a callback reported, without what names a person; for those who may not see that. */

const HIDDEN = '***'

export function maskedSubject(subject: CallbackSubject): CallbackSubject {
  switch (subject.kind) {
    case 'statement':
      return subject
    case 'checkout':
      return maskedCheckout(subject)
    case 'splitPayment':
      return maskedSplit(subject)
    default:
      return maskedPayment(subject)
  }
}

const maskedPayment = (payment: Payment): Payment => ({
  ...payment,
  phoneNumber: hiddenNumber(payment.phoneNumber),
  details: maskedDetails(payment.details),
})

function maskedDetails(details: PaymentDetails): PaymentDetails {
  const { metadata, sender, recipientDetails } = details
  return {
    ...details,
    ...present({
      metadata: ifGiven(metadata, maskedEntries),
      sender: ifGiven(sender, maskedTexts) as PaymentDetails['sender'],
      recipientDetails: ifGiven(
        recipientDetails,
        maskedTexts,
      ) as PaymentDetails['recipientDetails'],
    }),
  }
}

const maskedEntries = (entries: readonly MetadataEntry[]): readonly MetadataEntry[] =>
  entries.map((entry) => (entry.pii ? { ...entry, value: HIDDEN } : entry))

/** Every text of who sends and who gets a remittance is about a person. */
function maskedTexts(value: unknown): unknown {
  if (typeof value === 'string') return HIDDEN
  if (Array.isArray(value)) return value.map(maskedTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskedTexts(one)]))
}

function maskedCheckout(checkout: Checkout): Checkout {
  const { terms, attempts } = checkout
  const { payer, metadata } = terms
  return {
    ...checkout,
    attempts: attempts.map(maskedPayment),
    terms: {
      ...terms,
      ...present({
        metadata: ifGiven(metadata, maskedEntries),
        payer: ifGiven(payer, maskedPayer),
      }),
    },
  }
}

const maskedPayer = (payer: CheckoutPayer): CheckoutPayer => ({
  ...payer,
  ...present({ phoneNumber: ifGiven(payer.phoneNumber, hiddenNumber) }),
})

const maskedSplit = (split: SplitPayment): SplitPayment => ({
  ...split,
  deposit: maskedPayment(split.deposit),
  parts: split.parts.map((part) => ({ ...part, phoneNumber: hiddenNumber(part.phoneNumber) })),
})

/** Texts about persons, longest first: a receiver may repeat them in its answer. */
export function personalTexts(subject: CallbackSubject): readonly string[] {
  const texts = payments(subject).flatMap(({ phoneNumber, details }) => [
    phoneNumber,
    ...(details.metadata ?? []).filter(({ pii }) => pii).map(({ value }) => value),
    ...textsIn(details.sender),
    ...textsIn(details.recipientDetails),
  ])
  if (subject.kind === 'splitPayment') texts.push(...subject.parts.map((one) => one.phoneNumber))
  if (subject.kind === 'checkout') {
    const { payer, metadata = [] } = subject.terms
    texts.push(payer?.phoneNumber ?? '')
    texts.push(...metadata.filter(({ pii }) => pii).map(({ value }) => value))
  }
  return [...new Set(texts)].filter((text) => text.length >= 3).sort((a, b) => b.length - a.length)
}

function payments(subject: CallbackSubject): readonly Payment[] {
  if (subject.kind === 'statement') return []
  if (subject.kind === 'checkout') return subject.attempts
  return [subject.kind === 'splitPayment' ? subject.deposit : subject]
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

export const withoutTexts = (text: string, texts: readonly string[]): string =>
  texts.reduce((left, one) => left.replaceAll(one, HIDDEN), text)
