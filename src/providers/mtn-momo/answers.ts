import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import { ended, meaningOf, ourFault, puzzled, refused, textIn, unclear } from '../wire-kit.ts'
import { CODES } from './codes.ts'

/** The answer to a request that creates an order. "Accepted" is never more than that. */
export function readCreated(answer: Answer, { operation }: ProviderOrder): Outcome {
  const { status, json } = answer
  if (status === 202) return { kind: 'PENDING' }
  if (status === 409) return { kind: 'UNKNOWN', why: 'DUPLICATE' }
  const code = textIn(json, 'code')
  const message = code ?? textIn(json, 'message') ?? `HTTP ${status}`
  const meaning = meaningOf(CODES, code, operation)
  // Settings that MTN does not take come as server errors; all others may have been executed.
  if (meaning === 'OUR_FAULT') return ourFault(message)
  if (status === 401 || status === 403 || status === 404) return ourFault(message)
  if (status === 400) return refused(failureOf(meaning), message)
  return unclear(answer)
}

/** The answer to a look-up of an order. */
export function readStatus(answer: Answer, order: ProviderOrder, currency: string): Outcome {
  const { status, json } = answer
  if (status === 404) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  if (status !== 200) return unclear(answer)
  const word = textIn(json, 'status')
  switch (word) {
    case 'SUCCESSFUL':
      return {
        kind: 'DONE',
        ...present({
          transactionId: textIn(json, 'financialTransactionId'),
          amount: textIn(json, 'amount'),
          // In the test environment it is another one, and was asked for as such.
          currency:
            textIn(json, 'currency') === currency ? order.currency : textIn(json, 'currency'),
        }),
      }
    case 'PENDING':
    case 'CREATED':
    case 'ONGOING':
      return { kind: 'PENDING' }
    case 'TIMEOUT':
      // Asked once more before it counts.
      return order.ids?.timeoutReported === undefined
        ? { kind: 'PENDING', ids: { timeoutReported: 'yes' } }
        : ended(whenRejected(order), word)
    case 'FAILED':
    case 'REJECTED': {
      const code = reasonIn(json)
      const meaning = meaningOf(CODES, code, order.operation)
      const otherwise = word === 'REJECTED' ? whenRejected(order) : 'UNSPECIFIED_FAILURE'
      return ended(meaning ?? otherwise, code ?? word)
    }
    default:
      return puzzled(word)
  }
}

/** An object in the documents, a bare code in many live answers. */
const reasonIn = (json: unknown): string | undefined =>
  textIn(json, 'reason') ?? textIn(json, 'reason', 'code')

const whenRejected = ({ operation }: ProviderOrder) =>
  operation === 'DEPOSIT' ? 'PAYMENT_NOT_APPROVED' : 'UNSPECIFIED_FAILURE'

const failureOf = (meaning: ReturnType<typeof meaningOf>) =>
  meaning === undefined || meaning === 'PENDING' || meaning === 'UNKNOWN' || meaning === 'OUR_FAULT'
    ? 'UNSPECIFIED_FAILURE'
    : meaning
