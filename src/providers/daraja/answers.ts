import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import { ended, meaningOf, ourFault, puzzled, refused, textIn, unclear } from '../wire-kit.ts'
import { reportIn } from './callbacks.ts'
import { CODES, type ErrorMeaning, errorMeaning, isCode, resultMeaning } from './codes.ts'
import { receiptOf, type Way } from './requests.ts'

const MINUTE = 60_000

/** The answer to a new order. `ResponseCode` "0" means that it was taken, and no more. */
export function readCreated(answer: Answer, order: ProviderOrder, way: Way, now: number): Outcome {
  const { status, json } = answer
  const code = textIn(json, 'ResponseCode')
  if (status !== 200 || code === undefined) return readRefusal(answer, order)
  if (code !== '0') return notTaken(code, order, textIn(json, 'ResponseDescription'))
  const ids = way === 'push' ? pushIds(json) : conversationIds(json, order, way, now)
  return ids === undefined ? unclear(answer) : { kind: 'PENDING', ids }
}

/** Without what the operator calls it, nobody can ask about a prompt. */
function pushIds(json: unknown): Readonly<Record<string, string>> | undefined {
  const checkoutRequestId = textIn(json, 'CheckoutRequestID')
  if (checkoutRequestId === undefined) return undefined
  return {
    checkoutRequestId,
    ...present({ merchantRequestId: textIn(json, 'MerchantRequestID') }),
  }
}

const conversationIds = (
  json: unknown,
  { operation }: ProviderOrder,
  way: Way,
  now: number,
): Readonly<Record<string, string>> => ({
  sentAt: String(now),
  ...(operation === 'REFUND' ? { by: way } : {}),
  ...present({
    conversationId: textIn(json, 'ConversationID'),
    originatorConversationId: textIn(json, 'OriginatorConversationID'),
  }),
})

/** The operator says that it did not take the order, by a code of its results. */
function notTaken(code: string, { operation }: ProviderOrder, words = ''): Outcome {
  const message = `${code} ${words}`.trim()
  const meaning = meaningOf(CODES, code, operation) ?? 'UNSPECIFIED_FAILURE'
  if (meaning === 'OUR_FAULT') return ourFault(message)
  if (meaning === 'PENDING' || meaning === 'UNKNOWN') return { kind: 'UNKNOWN', why: 'AMBIGUOUS' }
  return refused(meaning, message)
}

/** An answer of the gateway instead of one about the order. */
function readRefusal(answer: Answer, { operation }: ProviderOrder): Outcome {
  const { status } = answer
  const { meaning, message } = errorIn(answer)
  switch (meaning) {
    case 'DUPLICATE':
      return { kind: 'UNKNOWN', why: 'DUPLICATE' }
    case 'OUR_FAULT':
    case 'BUSY':
      return ourFault(message)
    case 'REFUSED':
    case 'NOT_FOUND':
      return refused('UNSPECIFIED_FAILURE', message)
    case 'PAYMENT_IN_PROGRESS':
      return operation === 'DEPOSIT' ? refused('PAYMENT_IN_PROGRESS', message) : unclear(answer)
    case 'PENDING':
    case 'UNCLEAR':
      return unclear(answer)
    case undefined:
      if (OURS.includes(status)) return ourFault(message)
      return status === 400 ? refused('UNSPECIFIED_FAILURE', message) : unclear(answer)
  }
}

/** No access, no such address, no such method, too many requests. */
const OURS: readonly number[] = [401, 403, 404, 405, 429]

function errorIn({ status, json }: Answer): {
  readonly code: string | undefined
  readonly meaning: ErrorMeaning | undefined
  readonly message: string
} {
  const code = textIn(json, 'errorCode')
  const text = textIn(json, 'errorMessage') ?? ''
  const message = `${code ?? `HTTP ${status}`} ${text}`.trim()
  return { code, meaning: errorMeaning(code, text), message }
}

/** The answer to a look-up of a prompt. */
export function readPushStatus(answer: Answer, order: ProviderOrder, asked: string): Outcome {
  const { status, json } = answer
  if (status !== 200) return readQueryError(answer)
  const named = textIn(json, 'CheckoutRequestID') ?? asked
  if (named !== asked) return { kind: 'UNKNOWN', why: 'AMBIGUOUS' }
  const code = textIn(json, 'ResultCode')
  if (code === '0') return paid(order, asked)
  if (code === undefined || !isCode(code)) return puzzled(code)
  return ended(resultMeaning(code, order.operation), code)
}

/** "Being processed" comes as a server error, and is none. */
function readQueryError(answer: Answer): Outcome {
  const { code, meaning } = errorIn(answer)
  if (meaning === 'PENDING') return { kind: 'PENDING' }
  if (meaning === 'NOT_FOUND') return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  const isTooMuch = answer.status === 429 || TOO_MUCH.includes(code ?? '')
  return isTooMuch ? { kind: 'PENDING', checkAfterMs: MINUTE } : unclear(answer)
}

const TOO_MUCH: readonly string[] = ['500.003.02', '500.003.03']

/** The look-up names neither receipt nor amount; the callback did, if it came. */
function paid(order: ProviderOrder, asked: string): Outcome {
  const report = reportIn(order.ids ?? {}, 'result')
  const isAbout = report?.code === '0' && report.theirs === asked && report.amount !== ''
  return {
    kind: 'DONE',
    ...present({
      transactionId: receiptOf(order),
      amount: isAbout ? report.amount : undefined,
    }),
  }
}
