import { paymentFailure } from '../../domain/failure.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { OperationLimits } from '../../domain/provider.ts'
import {
  endingOf,
  PAYMENT_IN_PROGRESS,
  type Story,
  type StoryAnswer,
  storyOf,
  transactionIdOf,
} from '../../domain/sandbox/stories.ts'
import type { Catalog } from '../catalog.ts'
import type { Connector, Outcome, ProviderOrder } from '../connector.ts'
import type { ReferenceOf } from '../reference.ts'
import { depositTerms, type PhoneSetting, storyAfter, WAITS_MS, WRONG_CODE } from './approval.ts'
import type { BookEntry, Booking, FoundEntry, OperatorBook, Question } from './book.ts'
import { notifyAt } from './notifications.ts'

export type SandboxOptions = {
  readonly book: OperatorBook
  readonly catalog: Catalog
  readonly now: () => number
  readonly delayMs: number
  readonly referenceOf: ReferenceOf
  /** What somebody set for a number; from memory, for it is asked for every order. */
  readonly phoneOf: (
    merchantId: MerchantId,
    phoneNumber: string,
  ) => Promise<PhoneSetting | undefined>
  /** The page on which the customer approves an order of a provider that has one. */
  readonly pageOf: (merchantId: MerchantId, reference: string) => string
}

type Memo = { readonly receivedAt: number; readonly story: Story }

/** What an answer depends on beside the book: the order, and the terms of its provider. */
type Asked = {
  readonly order: ProviderOrder
  readonly reference: string
  readonly terms: OperationLimits | undefined
  readonly page: string | undefined
  readonly call: 'submit' | 'query'
}

const UNKNOWN_WINDOW_MS = 60_000

/** The simulated operator: a connector like any other, over a book instead of a network. */
export function createSandboxConnector(options: SandboxOptions): Connector {
  const { book, now } = options
  return {
    profile: { unknownWindowMs: UNKNOWN_WINDOW_MS, refusesKnownReferences: true },

    prepare: (order) => ({ reference: options.referenceOf(order) }),

    async submit(order, reference) {
      const phone = await options.phoneOf(order.merchantId, order.phoneNumber)
      const asked = askedBy(order, reference, options, 'submit')
      const story = storyFor(asked, phone, options)
      const entry = entryOf(asked, phone, story, now())
      const isPersonal = phone?.mode === 'interactive' && order.operation === 'DEPOSIT'
      const booking = await (isPersonal
        ? bookWithPhone(entry, asked, story, options)
        : book.write(entry))
      if (booking === undefined) return { kind: 'UNKNOWN', why: 'TIMEOUT' }
      if (booking.asked > 1) return { kind: 'UNKNOWN', why: 'DUPLICATE' }
      if (!isPersonal) return outcomeAt({ receivedAt: booking.receivedAt, story }, asked, now())
      return (await answerOf(asked, options)) ?? { kind: 'UNKNOWN', why: 'TIMEOUT' }
    },

    async query(order, reference, memo) {
      const asked = askedBy(order, reference, options, 'query')
      if (memo !== undefined) return outcomeAt(memo as Memo, asked, now())
      return (await answerOf(asked, options)) ?? { kind: 'UNKNOWN', why: 'NOT_FOUND' }
    },
  }
}

function askedBy(
  order: ProviderOrder,
  reference: string,
  { catalog, pageOf }: SandboxOptions,
  call: Asked['call'],
): Asked {
  const provider = catalog.find(order.provider)
  const terms = order.operation === 'DEPOSIT' ? depositTerms(provider, order.currency) : undefined
  const page = terms?.authType === 'REDIRECT_AUTH' ? pageOf(order.merchantId, reference) : undefined
  return { order, reference, terms, page, call }
}

/** A script says it all; a number that waits for a person completes; else the tables say it. */
function storyFor(asked: Asked, phone: PhoneSetting | undefined, options: SandboxOptions): Story {
  if (phone?.story !== undefined) return phone.story
  const { order, terms } = asked
  const isPersonal = phone?.mode === 'interactive' && order.operation === 'DEPOSIT'
  return isPersonal ? storyOf('COMPLETED', options.delayMs) : numberStory(order, terms, options)
}

function numberStory(
  order: ProviderOrder,
  terms: OperationLimits | undefined,
  { catalog, delayMs }: SandboxOptions,
): Story {
  if (terms?.authType === 'PREAUTH' && !isRightCode(order.oneTimeCode)) {
    return storyOf('PAYMENT_NOT_APPROVED', delayMs)
  }
  const provider = catalog.find(order.provider)
  return storyOf(endingOf(order.phoneNumber, provider, order.operation), delayMs)
}

const isRightCode = (code = ''): boolean => code.length >= 4 && code !== WRONG_CODE

/** A number that nobody looks after costs nothing: its story follows from the number itself. */
function entryOf(
  { order, reference, page }: Asked,
  phone: PhoneSetting | undefined,
  story: Story,
  now: number,
): BookEntry {
  const { merchantId, paymentKey, operation, phoneNumber, provider } = order
  const { amount, currency, paymentId } = order
  return {
    merchantId,
    paymentKey,
    reference,
    operation,
    phoneNumber,
    provider,
    amount,
    currency,
    receivedAt: now,
    story: phone === undefined ? undefined : story,
    paymentId,
    isFollowed: phone !== undefined || page !== undefined,
    notifyAt: notifyAt(phone?.story, now),
  }
}

/** The customer is asked, on the phone or on a page; a one-time code has been asked for before. */
function bookWithPhone(
  entry: BookEntry,
  { order, terms, page }: Asked,
  story: Story,
  { book, now, delayMs }: SandboxOptions,
): Promise<Booking | undefined> {
  if (terms?.authType === 'PREAUTH') {
    const whenWrong = storyOf('PAYMENT_NOT_APPROVED', delayMs)
    return book.redeem(entry, { code: order.oneTimeCode ?? '', whenRight: story, whenWrong })
  }
  const askedOn = page === undefined ? 'PHONE' : 'PAGE'
  const question: Question = {
    askedOn,
    shownAt: askedOn === 'PAGE' || terms?.pinPrompt !== 'MANUAL' ? now() : undefined,
    expiresAt: now() + WAITS_MS[askedOn],
    whenBusy: PAYMENT_IN_PROGRESS,
  }
  return book.ask({ ...entry, notifyAt: undefined }, question)
}

/** What the book says now; undefined when it has no such order. */
async function answerOf(asked: Asked, options: SandboxOptions): Promise<Outcome | undefined> {
  const { book, now } = options
  const { order, reference } = asked
  const found = await book.find(order.merchantId, reference)
  if (found === undefined) return undefined
  const { approval } = found
  const at = now()
  if (approval === undefined || approval.verdict !== undefined || at < approval.expiresAt) {
    return outcomeIn(found, asked, options)
  }
  // The book decides, and only once: somebody may answer in this very moment.
  await book.expire(order.merchantId, reference, at)
  const decided = await book.find(order.merchantId, reference)
  return decided && outcomeIn(decided, asked, options)
}

function outcomeIn(found: FoundEntry, asked: Asked, options: SandboxOptions): Outcome {
  const { approval, receivedAt } = found
  const at = options.now()
  const story = found.story ?? numberStory(asked.order, asked.terms, options)
  if (approval === undefined) return outcomeAt({ receivedAt, story }, asked, at)
  const { verdict, decidedAt = at, expiresAt } = approval
  if (verdict === undefined) return pending(asked, { checkAfterMs: Math.max(expiresAt - at, 0) })
  return outcomeAt({ receivedAt: decidedAt, story: storyAfter(verdict, story) }, asked, at)
}

function outcomeAt(memo: Memo, asked: Asked, now: number): Outcome {
  const elapsed = now - memo.receivedAt
  const step = memo.story.findLast(({ afterMs }) => afterMs <= elapsed)
  const next = memo.story.find(({ afterMs }) => afterMs > elapsed)
  const waiting = (): Outcome =>
    pending(asked, {
      memo,
      ...present({ checkAfterMs: next && next.afterMs - elapsed }),
    })
  return step === undefined ? waiting() : outcomeOf(step.answer, asked, waiting)
}

const pending = (
  { page }: Asked,
  facts: { readonly checkAfterMs?: number; readonly memo?: unknown },
): Outcome => ({
  kind: 'PENDING',
  ...facts,
  ...present({ authorizationUrl: page }),
})

function outcomeOf(answer: StoryAnswer, asked: Asked, waiting: () => Outcome): Outcome {
  const { order, reference, page, call } = asked
  // Nobody can approve on a page before its address is known, so that comes first.
  const isTooEarly = page !== undefined && order.authorizationUrl === undefined
  switch (answer.says) {
    case 'pending':
      return waiting()
    case 'done':
    case 'failed':
      if (isTooEarly) return { ...waiting(), checkAfterMs: 0 } as Outcome
      return answer.says === 'done'
        ? { kind: 'DONE', transactionId: transactionIdOf(reference) }
        : { kind: 'FAILED', failure: paymentFailure(answer.code) }
    case 'unknown':
      return call === 'submit' ? { kind: 'UNKNOWN', why: 'TIMEOUT' } : waiting()
    case 'silent':
      return { kind: 'UNKNOWN', why: 'TIMEOUT' }
  }
}
