import { isPaymentFailureCode, type PaymentFailureCode } from '../failure.ts'
import type { OperationType, Provider, TestNumber } from '../provider.ts'

/**
 * What the simulated operator does with an order, as a story: what it answers from which moment on.
 * The number chooses the story: first the provider's own test numbers, then the general endings,
 * else the payment completes.
 */
export type StoryAnswer =
  | { readonly says: 'pending' }
  | { readonly says: 'done'; readonly then?: SecondWord }
  | { readonly says: 'failed'; readonly code: PaymentFailureCode; readonly then?: SecondWord }
  /** The answer to the submission is lost on the way; look-ups work. */
  | { readonly says: 'unknown' }
  /** Nothing is answered at all, look-ups included. */
  | { readonly says: 'silent' }

export type FinalAnswer = Extract<StoryAnswer, { readonly says: 'done' | 'failed' }>

/** After a final answer, unasked: the same answer once more, or its opposite. */
export type SecondWord = 'repeat' | 'opposite'

export type Story = readonly { readonly afterMs: number; readonly answer: StoryAnswer }[]

type Ending = 'COMPLETED' | 'PROCESSING' | PaymentFailureCode

/** The last three digits, where the provider's own table does not name the number. */
export const GENERAL_ENDINGS: Readonly<
  Record<'DEPOSIT' | 'PAYOUT', Readonly<Record<string, Ending>>>
> = {
  DEPOSIT: {
    '789': 'COMPLETED',
    '019': 'PAYER_LIMIT_REACHED',
    '029': 'PAYER_NOT_FOUND',
    '039': 'PAYMENT_NOT_APPROVED',
    '049': 'INSUFFICIENT_BALANCE',
    '059': 'TRANSACTION_ALREADY_IN_PROCESS',
    '069': 'UNSPECIFIED_FAILURE',
    '129': 'PROCESSING',
  },
  PAYOUT: {
    '789': 'COMPLETED',
    '089': 'RECIPIENT_NOT_FOUND',
    '099': 'WALLET_LIMIT_REACHED',
    '109': 'RECIPIENT_LIMIT_REACHED',
    '119': 'UNSPECIFIED_FAILURE',
    '129': 'PROCESSING',
  },
}

export function endingOf(
  phoneNumber: string,
  provider: Provider | undefined,
  operation: OperationType,
): Ending {
  const table = operation === 'DEPOSIT' ? 'DEPOSIT' : 'PAYOUT'
  const listed = provider?.testNumbers[table]?.find((one) => one.phoneNumber === phoneNumber)
  if (listed !== undefined) return endingOfListed(listed)
  return GENERAL_ENDINGS[table][phoneNumber.slice(-3)] ?? 'COMPLETED'
}

/** A listed failure without a code is one for which the operator gives no reason. */
function endingOfListed(number: TestNumber): Ending {
  if (number.status !== 'FAILED') return number.status
  const code = number.failureCode ?? 'UNSPECIFIED_FAILURE'
  return isPaymentFailureCode(code) ? code : 'UNSPECIFIED_FAILURE'
}

/** The story of an ending: the operator takes the order, and reports the outcome after its delay. */
export function storyOf(ending: Ending, delayMs: number): Story {
  if (ending === 'PROCESSING') return [{ afterMs: 0, answer: { says: 'pending' } }]
  const end: StoryAnswer =
    ending === 'COMPLETED' ? { says: 'done' } : { says: 'failed', code: ending }
  if (delayMs === 0) return [{ afterMs: 0, answer: end }]
  return [
    { afterMs: 0, answer: { says: 'pending' } },
    { afterMs: delayMs, answer: end },
  ]
}

export const PAYMENT_NOT_APPROVED: Story = storyOf('PAYMENT_NOT_APPROVED', 0)
export const PAYMENT_IN_PROGRESS: Story = storyOf('PAYMENT_IN_PROGRESS', 0)

export const isFinalAnswer = (answer: StoryAnswer): answer is FinalAnswer =>
  answer.says === 'done' || answer.says === 'failed'

/** The first final answer of a story, and when it is given. */
export function endOf(
  story: Story,
): { readonly afterMs: number; readonly answer: FinalAnswer } | undefined {
  for (const { afterMs, answer } of story) if (isFinalAnswer(answer)) return { afterMs, answer }
  return undefined
}

/** Looks like an operator's receipt number, and is the same whenever it is asked for. */
export function transactionIdOf(reference: string): string {
  return `SBX${reference.replaceAll('-', '').slice(4, 20).toUpperCase()}`
}
