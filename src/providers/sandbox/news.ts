import { paymentFailure } from '../../domain/failure.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import { KIND_OF } from '../../domain/payment-state.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { NewsSource, Outcome } from '../connector.ts'
import { type Story, type StoryAnswer, transactionIdOf } from './stories.ts'

/** What the operator has yet to say by itself, from its own book. */
export type NewsBook = {
  find(): Promise<
    readonly {
      readonly merchantId: MerchantId
      readonly reference: string
      readonly operation: OperationType
      readonly paymentId: PaymentId
      readonly story: unknown
    }[]
  >
  forget(
    news: readonly { readonly merchantId: MerchantId; readonly reference: string }[],
  ): Promise<void>
}

/** The simulated operator's own messages, where somebody scripted a number to send them. */
export function createSandboxNews(book: NewsBook): NewsSource {
  return {
    waiting: async () =>
      (await book.find()).map(({ merchantId, reference, operation, paymentId, story }) => ({
        merchantId,
        kind: KIND_OF[operation],
        paymentId,
        reference,
        outcomes: (story as Story).flatMap(({ answer }) => tellingsOf(answer, reference)),
      })),
    acknowledge: book.forget,
  }
}

/** When an order of this story will make the operator speak by itself. */
export function newsAt(story: Story | undefined, receivedAt: number): number | undefined {
  const step = story?.find(({ answer }) => secondWordOf(answer) !== undefined)
  return step === undefined ? undefined : receivedAt + step.afterMs
}

const secondWordOf = (answer: StoryAnswer) => ('then' in answer ? answer.then : undefined)

function tellingsOf(answer: StoryAnswer, reference: string): readonly Outcome[] {
  const done: Outcome = { kind: 'DONE', transactionId: transactionIdOf({ key: reference }) }
  if (answer.says !== 'done' && answer.says !== 'failed') return []
  if (answer.then === undefined) return []
  const code = answer.says === 'failed' ? answer.code : 'UNSPECIFIED_FAILURE'
  const failed: Outcome = { kind: 'FAILED', failure: paymentFailure(code) }
  const [first, opposite] = answer.says === 'done' ? [done, failed] : [failed, done]
  return [first, answer.then === 'repeat' ? first : opposite]
}
