import { paymentFailure } from '../../domain/failure.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import { KIND_OF } from '../../domain/payments/payment-state.ts'
import type { OperationType } from '../../domain/provider.ts'
import {
  endOf,
  type FinalAnswer,
  isFinalAnswer,
  type Story,
  type StoryAnswer,
  transactionIdOf,
} from '../../domain/sandbox/stories.ts'
import type { NotificationSource, Outcome } from '../connector.ts'
import { storyAfter, type Verdict } from './approval.ts'

/** What the operator has yet to say by itself, from its own book. */
type NotificationBook = {
  find(): Promise<
    readonly {
      readonly merchantId: MerchantId
      readonly reference: string
      readonly operation: OperationType
      readonly paymentId: PaymentId
      readonly story: Story
      /** What the customer answered, where one was asked. */
      readonly verdict: Verdict | undefined
    }[]
  >
  forget(
    notifications: readonly { readonly merchantId: MerchantId; readonly reference: string }[],
  ): Promise<void>
}

/**
 * The simulated operator's own messages: where a customer has answered, and where somebody scripted
 * a number to send them.
 */
export function createSandboxNotifications(book: NotificationBook): NotificationSource {
  return {
    waiting: async () =>
      (await book.find()).map(({ merchantId, reference, operation, paymentId, ...entry }) => ({
        merchantId,
        kind: KIND_OF[operation],
        paymentId,
        reference,
        outcomes: tellingsOf(entry.story, entry.verdict, reference),
      })),
    acknowledge: book.forget,
  }
}

/** When an order of this story will make the operator speak by itself. */
export function notifyAt(story: Story | undefined, receivedAt: number): number | undefined {
  const step = story?.find(({ answer }) => secondWordOf(answer) !== undefined)
  return step === undefined ? undefined : receivedAt + step.afterMs
}

/** The same once the customer has answered: then the outcome is always sent. */
export function notifyAfter(verdict: Verdict, story: Story, decidedAt: number): number | undefined {
  const end = endOf(storyAfter(verdict, story))
  return end === undefined ? undefined : decidedAt + end.afterMs
}

const secondWordOf = (answer: StoryAnswer) => ('then' in answer ? answer.then : undefined)

function tellingsOf(
  story: Story,
  verdict: Verdict | undefined,
  reference: string,
): readonly Outcome[] {
  if (verdict !== undefined) {
    const end = endOf(storyAfter(verdict, story))
    return end === undefined ? [] : wordsOf(end.answer, reference)
  }
  return story.flatMap(({ answer }) =>
    isFinalAnswer(answer) && answer.then !== undefined ? wordsOf(answer, reference) : [],
  )
}

function wordsOf(answer: FinalAnswer, reference: string): readonly Outcome[] {
  const done: Outcome = { kind: 'DONE', transactionId: transactionIdOf(reference) }
  const code = answer.says === 'failed' ? answer.code : 'UNSPECIFIED_FAILURE'
  const failed: Outcome = { kind: 'FAILED', failure: paymentFailure(code) }
  const [first, opposite] = answer.says === 'done' ? [done, failed] : [failed, done]
  if (answer.then === undefined) return [first]
  return [first, answer.then === 'repeat' ? first : opposite]
}
