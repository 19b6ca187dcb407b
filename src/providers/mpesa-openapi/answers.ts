import type { OperatorIds } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer, CallbackRequest, Claim } from '../operator.ts'
import {
  ended,
  jsonOf,
  type Meaning,
  meaningOf,
  ourFault,
  puzzled,
  textIn,
  unclear,
} from '../wire-kit.ts'
import { CODES, NOT_APPROVED, NOT_FOUND, NOT_TAKEN } from './codes.ts'

const DONE = 'INS-0'

/** The answer to a request that creates an order; `by` says how a refund is made. */
export function readCreated(answer: Answer, { operation }: ProviderOrder, by?: string): Outcome {
  const { status, json } = answer
  const code = textIn(json, 'output_ResponseCode')
  const ids = present({ by, conversationId: idIn(json, 'output_ConversationID') })
  if (code === DONE) return status < 300 ? taken(json, ids) : unclear(answer)
  if (code === undefined) return refusedByGateway(answer) ?? unclear(answer)
  const message = messageIn(json, code)
  const meaning = meaningOf(CODES, code, operation)
  if (meaning === 'UNKNOWN') return { kind: 'UNKNOWN', why: WHY[code] ?? 'AMBIGUOUS', ids }
  // A failure counts once a look-up does not say otherwise; so does a code that no table knows.
  if (meaning === undefined || code === FAILED) {
    return { kind: 'UNKNOWN', why: 'AMBIGUOUS', ids: { ...ids, responseCode: code } }
  }
  return NOT_TAKEN.includes(code) ? ourFault(message) : ended(meaning, message)
}

/** "Transaction failed", without a reason. */
const FAILED = 'INS-6'

const WHY: Readonly<Record<string, 'SERVER' | 'TIMEOUT' | 'DUPLICATE'>> = {
  'INS-1': 'SERVER',
  'INS-9': 'TIMEOUT',
  'INS-10': 'DUPLICATE',
}

/** With a transaction, it is done: the application is synchronous. Without one, it was only taken. */
function taken(json: unknown, ids: OperatorIds): Outcome {
  const transactionId = idIn(json, 'output_TransactionID')
  return transactionId === undefined ? { kind: 'PENDING', ids } : { kind: 'DONE', transactionId }
}

/** Not a word of the platform itself: what is before it does not let us in. */
const refusedByGateway = ({ status, json }: Answer): Outcome | undefined =>
  [401, 403, 404].includes(status) ? ourFault(messageIn(json, `HTTP ${status}`)) : undefined

/** The answer to a look-up of an order. */
export function readStatus(answer: Answer, order: ProviderOrder): Outcome {
  const { status, json } = answer
  const code = textIn(json, 'output_ResponseCode')
  if (code !== undefined && NOT_FOUND.includes(code)) {
    return failedBefore(order) ?? { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  }
  // A question that went wrong says nothing about the order.
  if (code !== DONE || status >= 300) return unclear(answer)
  const word = textIn(json, 'output_ResponseTransactionStatus') ?? ''
  switch (word.toLowerCase()) {
    case 'completed':
      return completed(json, order)
    case 'cancelled':
      return ended(reasonOf(order), order.ids?.result ?? word)
    case 'expired':
      return ended(notApproved(order), word)
    case 'n/a':
    case '':
      return failedBefore(order) ?? { kind: 'PENDING' }
    default:
      return puzzled(word)
  }
}

function completed(json: unknown, { operation }: ProviderOrder): Outcome {
  const isReversed = textIn(json, 'output_Reversed')?.toLowerCase() === 'true'
  if (isReversed && operation !== 'REFUND') {
    return { kind: 'PENDING', alert: 'the operator says that it was completed and reversed' }
  }
  const transactionId = idIn(json, 'output_OriginalTransactionID')
  return { kind: 'DONE', ...present({ transactionId }) }
}

/** The order was answered with a failure, and a look-up knows nothing better. */
function failedBefore({ ids, operation }: ProviderOrder): Outcome | undefined {
  const meaning = meaningOf(CODES, ids?.responseCode, operation)
  // A code that no table knows is no failure, however long nothing is found.
  return meaning === undefined ? undefined : ended(meaning, ids?.responseCode)
}

const notApproved = ({ operation }: ProviderOrder): Meaning =>
  operation === 'DEPOSIT' ? NOT_APPROVED.DEPOSIT : NOT_APPROVED.other

/** Look-ups do not say why; the callback did, if it came. */
function reasonOf(order: ProviderOrder): Meaning {
  const meaning = meaningOf(CODES, order.ids?.result, order.operation)
  const isReason = meaning !== undefined && meaning !== 'UNKNOWN'
  return isReason && meaning !== 'UNSPECIFIED_FAILURE' ? meaning : notApproved(order)
}

/** The platform writes "N/A" where it has nothing to say. */
function idIn(json: unknown, member: string): string | undefined {
  const text = textIn(json, member)?.trim()
  return text === '' || text?.toUpperCase() === 'N/A' ? undefined : text
}

const messageIn = (json: unknown, otherwise: string): string =>
  [otherwise, textIn(json, 'output_ResponseDesc') ?? textIn(json, 'output_error')]
    .filter((words) => words !== undefined)
    .join(' ')

/**
 * Only an answer that names the session. "Transaction failed" has the same HTTP status, and an order
 * that failed must not be sent again.
 */
export function isSessionRefused({ status, json }: Answer): boolean {
  const code = textIn(json, 'output_ResponseCode')
  if (code === 'INS-989') return true
  if (status < 400 || status >= 500 || code === FAILED) return false
  const message = textIn(json, 'output_ResponseDesc') ?? textIn(json, 'output_error')
  return /\bsession/i.test(message ?? '')
}

export function readSession({ status, json }: Answer): string | undefined {
  const isMade = status < 300 && textIn(json, 'output_ResponseCode') === DONE
  return isMade ? idIn(json, 'output_SessionID') : undefined
}

/** It comes unsigned. The reason of a failure is kept for the look-up, which has none. */
export function readCallback({ raw }: CallbackRequest): Claim {
  const body = jsonOf(raw)
  const reference = textIn(body, 'input_ThirdPartyConversationID')
  const conversation = textIn(body, 'input_OriginalConversationID')
  const result = /^(?:INS-)?([1-9]\d{0,4})$/.exec(textIn(body, 'input_ResultCode') ?? '')?.[1]
  return {
    isGenuine: true,
    reply: {
      status: 200,
      body: {
        output_OriginalConversationID: conversation ?? '',
        output_ResponseCode: '0',
        output_ResponseDesc: 'Successfully Accepted Result',
        output_ThirdPartyConversationID: reference ?? '',
      },
    },
    ...present({ reference, ids: result === undefined ? undefined : { result: `INS-${result}` } }),
  }
}
