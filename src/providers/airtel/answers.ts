import { ifGiven, present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import {
  ended,
  type Meaning,
  meaningOf,
  member,
  needingPerson,
  ourFault,
  puzzled,
  refused,
  textIn,
  unclear,
} from '../wire-kit.ts'
import { ASK_FIRST, CODES, DUPLICATES, isRefusedByGateway, NOT_FOUND } from './codes.ts'

/** What an answer says, wherever in it. */
type Reply = {
  readonly code: string | undefined
  readonly meaning: Meaning | undefined
  /** The status of the transaction. */
  readonly word: string | undefined
  /** `success`, which is wrong in the operator's own examples. */
  readonly flag: unknown
  readonly isDuplicate: boolean
  readonly words: string
}

/** The newer code counts before the older one; the gateway has a place of its own. */
const CODE_PLACES = [
  ['status', 'response_code'],
  ['status', 'result_code'],
  ['status', 'code'],
  ['status_code'],
  ['code'],
] as const

function readReply({ json, status }: Answer, { operation }: ProviderOrder): Reply {
  const codes = CODE_PLACES.flatMap((place) => textIn(json, ...place) ?? [])
  const code = codes.find((one) => Object.hasOwn(CODES, one))
  const words = code ?? textIn(json, 'status', 'message') ?? textIn(json, 'error')
  return {
    code,
    meaning: meaningOf(CODES, code, operation),
    word: textIn(json, 'data', 'transaction', 'status'),
    flag: member(json, 'status', 'success'),
    isDuplicate: codes.some((one) => DUPLICATES.includes(one)),
    words: words ?? `HTTP ${status}`,
  }
}

const AMBIGUOUS: Outcome = { kind: 'UNKNOWN', why: 'AMBIGUOUS' }

/** The answer to a push or a disbursement. "Success" is never more than that it was accepted. */
export function readCreated(answer: Answer, order: ProviderOrder): Outcome {
  const reply = readReply(answer, order)
  return notTaken(answer, reply) ?? readTaken(answer, order, reply)
}

/** Answers that are the same for all that is asked for. */
function notTaken(answer: Answer, reply: Reply): Outcome | undefined {
  const { status } = answer
  if (reply.isDuplicate || status === 409) return { kind: 'UNKNOWN', why: 'DUPLICATE' }
  if (reply.code === WRONG_PIN) return needingPerson(ourFault(reply.words))
  if (reply.code !== undefined && isRefusedByGateway(reply.code)) return ourFault(reply.words)
  if (status >= 500) return unclear(answer)
  if (status < 400) return undefined
  if (isOpen(reply) || status === 408 || status === 429) return AMBIGUOUS
  if (reply.meaning !== undefined) return refusal(reply.meaning, reply.words)
  return status === 400 ? refused('UNSPECIFIED_FAILURE', reply.words) : ourFault(reply.words)
}

/** Of our own account for disbursements. */
const WRONG_PIN = 'ROUTER115'

const isOpen = ({ meaning, code = '' }: Reply): boolean =>
  meaning === 'PENDING' || meaning === 'UNKNOWN' || ASK_FIRST.includes(code)

function refusal(meaning: Meaning, words: string): Outcome {
  if (meaning === 'PENDING' || meaning === 'UNKNOWN') return AMBIGUOUS
  return meaning === 'OUR_FAULT' ? ourFault(words) : refused(meaning, words)
}

const ACCEPTED: readonly string[] = ['SUCCESS', 'TS', 'TIP', 'TI']

/** Nobody has to approve a disbursement: what is done already need not wait for minutes. */
const SOON_MS = 5000

function readTaken(answer: Answer, order: ProviderOrder, reply: Reply): Outcome {
  const { meaning, word = '', flag, words } = reply
  if (meaning !== 'PENDING' && isOpen(reply)) return AMBIGUOUS
  if (word === 'TF' || word === 'TE') return ended(meaning ?? whenOver(word, order), words)
  if (word === 'TA') return AMBIGUOUS
  if (meaning !== undefined && meaning !== 'PENDING') {
    // Refused and successful at the same time: only a look-up can tell.
    return flag === true ? AMBIGUOUS : refusal(meaning, words)
  }
  const isAccepted = meaning === 'PENDING' || flag === true || ACCEPTED.includes(word)
  if (!isAccepted) return unclear(answer)
  const airtelMoneyId = textIn(answer.json, 'data', 'transaction', 'airtel_money_id')
  const isDone = word === 'TS' || reply.code === 'DP00900001001'
  return {
    kind: 'PENDING',
    ...(isDone && order.operation !== 'DEPOSIT' ? { checkAfterMs: SOON_MS } : {}),
    ...present({ ids: ifGiven(airtelMoneyId, (id) => ({ airtelMoneyId: id })) }),
  }
}

const whenOver = (word: string, { operation }: ProviderOrder): Meaning =>
  word === 'TE' && operation === 'DEPOSIT' ? 'PAYMENT_NOT_APPROVED' : 'UNSPECIFIED_FAILURE'

/** The answer to a look-up. Only the status of the transaction counts, and not `success`. */
export function readStatus(answer: Answer, order: ProviderOrder): Outcome {
  const { status, json } = answer
  if (status >= 500) return unclear(answer)
  const { code = '', meaning, word, words } = readReply(answer, order)
  if (word === 'TS') {
    return {
      kind: 'DONE',
      ...present({
        transactionId:
          textIn(json, 'data', 'transaction', 'airtel_money_id') ?? order.ids?.airtelMoneyId,
        amount: textIn(json, 'data', 'transaction', 'amount'),
        currency: textIn(json, 'data', 'transaction', 'currency'),
      }),
    }
  }
  // Whatever else it says: an order that is not there has not failed.
  if (NOT_FOUND.includes(code)) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  switch (word) {
    case undefined:
      return status === 404 ? { kind: 'UNKNOWN', why: 'NOT_FOUND' } : unclear(answer)
    case 'TIP':
    case 'TI':
      return { kind: 'PENDING' }
    case 'TA':
      return AMBIGUOUS
    case 'TF':
      return ended(meaning ?? 'UNSPECIFIED_FAILURE', words)
    case 'TE':
      return ended(whenOver(word, order), words)
    default:
      return puzzled(word)
  }
}

/** The answer to a refund is the last word: there is nothing to look it up by. */
export function readRefunded(answer: Answer, order: ProviderOrder): Outcome {
  const reply = readReply(answer, order)
  const instead = notTaken(answer, reply)
  if (instead !== undefined) return instead
  const { meaning, word, flag, words } = reply
  const isSuccess = word === 'SUCCESS' || word === 'TS'
  const isRefused = meaning !== undefined && meaning !== 'PENDING'
  if (!isRefused && (isSuccess || (word === undefined && flag === true))) {
    const transactionId = textIn(answer.json, 'data', 'transaction', 'airtel_money_id')
    return { kind: 'DONE', ids: { by: 'refund' }, ...present({ transactionId }) }
  }
  // Refused and successful at the same time is neither.
  if (isSuccess || isOpen(reply)) return AMBIGUOUS
  if (word === 'TF' || word === 'FAILED') return ended(meaning ?? 'UNSPECIFIED_FAILURE', words)
  return meaning === undefined || flag === true ? unclear(answer) : refusal(meaning, words)
}

/** Not taken any more; a bare 403 is about something else. */
export const isTokenRefused = ({ status, text }: Answer): boolean =>
  status === 401 || (status === 403 && /invalid[_ ](access[_ ])?token/i.test(text))
