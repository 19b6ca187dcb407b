import { paymentFailure } from '../../domain/failure.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import type { Provider } from '../../domain/provider.ts'
import type { Catalog } from '../catalog.ts'
import type { Connector, Outcome, ProviderOrder } from '../connector.ts'
import { newsAt } from './news.ts'
import { endingOf, type Story, type StoryAnswer, storyOf, transactionIdOf } from './stories.ts'

/** The operator's own records, kept apart from ours; a restart of the service loses none. */
export type OperatorBook = {
  /**
   * Answers how often this reference has been asked for, this time included; undefined when the
   * order was not sent because this node may no longer act.
   */
  write(entry: {
    readonly merchantId: MerchantId
    readonly reference: string
    readonly operation: string
    readonly phoneNumber: string
    readonly provider: string
    readonly amount: string
    readonly currency: string
    readonly receivedAt: number
    readonly story: string | undefined
    /** Whom to tell what, when the story has a second word. */
    readonly paymentId: PaymentId
    readonly newsAt: number | undefined
  }): Promise<{ readonly asked: number; readonly receivedAt: number } | undefined>
  find(
    merchantId: MerchantId,
    reference: string,
  ): Promise<{ readonly receivedAt: number; readonly story: unknown } | undefined>
}

export type SandboxOptions = {
  readonly book: OperatorBook
  readonly catalog: Catalog
  readonly now: () => number
  readonly delayMs: number
  /** A script that somebody put on a number; it overrides what the number itself says. */
  readonly scriptOf: (merchantId: MerchantId, phoneNumber: string) => Promise<Story | undefined>
}

type Memo = { readonly receivedAt: number; readonly story: Story }

const UNKNOWN_WINDOW_MS = 60_000
const WRONG_CODE = '000000'

/** The simulated operator: a connector like any other, over a book instead of a network. */
export function createSandboxConnector(options: SandboxOptions): Connector {
  const { book, now } = options
  return {
    profile: { unknownWindowMs: UNKNOWN_WINDOW_MS, refusesKnownReferences: true },

    prepare: (order) => ({ reference: order.key }),

    async submit(order, reference) {
      const script = await options.scriptOf(order.merchantId, order.phoneNumber)
      const booking = await book.write({
        merchantId: order.merchantId,
        reference,
        operation: order.operation,
        phoneNumber: order.phoneNumber,
        provider: order.provider,
        amount: order.amount,
        currency: order.currency,
        receivedAt: now(),
        story: script === undefined ? undefined : JSON.stringify(script),
        paymentId: order.paymentId,
        newsAt: newsAt(script, now()),
      })
      if (booking === undefined) return { kind: 'UNKNOWN', why: 'TIMEOUT' }
      if (booking.asked > 1) return { kind: 'UNKNOWN', why: 'DUPLICATE' }
      const story = script ?? numberStory(order, options)
      return tell({ receivedAt: booking.receivedAt, story }, order, now(), 'submit')
    },

    async query(order, reference, memo) {
      const known = memo === undefined ? await recall(order, reference, options) : (memo as Memo)
      if (known === undefined) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
      return tell(known, order, now(), 'query')
    },
  }
}

async function recall(
  order: ProviderOrder,
  reference: string,
  options: SandboxOptions,
): Promise<Memo | undefined> {
  const found = await options.book.find(order.merchantId, reference)
  if (found === undefined) return undefined
  const script = found.story === null ? undefined : (found.story as Story)
  return { receivedAt: found.receivedAt, story: script ?? numberStory(order, options) }
}

function numberStory(order: ProviderOrder, { catalog, delayMs }: SandboxOptions): Story {
  const provider = catalog.find(order.provider)
  if (asksForCode(order, provider) && !isRightCode(order.oneTimeCode)) {
    return storyOf('PAYMENT_NOT_APPROVED', delayMs)
  }
  return storyOf(endingOf(order.phoneNumber, provider, order.operation), delayMs)
}

function asksForCode(order: ProviderOrder, provider: Provider | undefined): boolean {
  const offered = provider?.currencies.find(({ currency }) => currency === order.currency)
  return order.operation === 'DEPOSIT' && offered?.operations.DEPOSIT?.authType === 'PREAUTH'
}

const isRightCode = (code = ''): boolean => code.length >= 4 && code !== WRONG_CODE

function tell(memo: Memo, order: ProviderOrder, now: number, call: 'submit' | 'query'): Outcome {
  const elapsed = now - memo.receivedAt
  const step = memo.story.findLast(({ afterMs }) => afterMs <= elapsed)
  const next = memo.story.find(({ afterMs }) => afterMs > elapsed)
  const checkAfterMs = next === undefined ? undefined : next.afterMs - elapsed
  const pending: Outcome = {
    kind: 'PENDING',
    memo,
    ...(checkAfterMs === undefined ? {} : { checkAfterMs }),
  }
  return step === undefined ? pending : outcomeOf(step.answer, order, pending, call)
}

function outcomeOf(
  answer: StoryAnswer,
  order: ProviderOrder,
  pending: Outcome,
  call: 'submit' | 'query',
): Outcome {
  switch (answer.says) {
    case 'pending':
      return pending
    case 'done':
      return { kind: 'DONE', transactionId: transactionIdOf(order) }
    case 'failed':
      return { kind: 'FAILED', failure: paymentFailure(answer.code) }
    case 'unknown':
      return call === 'submit' ? { kind: 'UNKNOWN', why: 'TIMEOUT' } : pending
    case 'silent':
      return { kind: 'UNKNOWN', why: 'TIMEOUT' }
  }
}
