import type { OperatorIds } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import {
  ended,
  meaningOf,
  needingPerson,
  ourFault,
  puzzled,
  refused,
  textIn,
  unclear,
} from '../wire-kit.ts'
import { CODES, FAILED_WORDS, PENDING_WORDS } from './codes.ts'

/** The answer to a new order. What it says of a deposit is final, and of a payout it is not. */
export function readCreated(answer: Answer, { operation }: ProviderOrder): Outcome {
  const { status, json } = answer
  if (status >= 200 && status < 300) return readAccepted(answer, operation)
  if (status === 409) return { kind: 'UNKNOWN', why: 'DUPLICATE', ...madeBy(operation) }
  if (status >= 500) return { kind: 'UNKNOWN', why: 'SERVER', ...madeBy(operation) }
  const code = textIn(json, 'code')
  const message = [code ?? `HTTP ${status}`, textIn(json, 'detail') ?? textIn(json, 'title')]
    .filter((one) => one !== undefined)
    .join(' ')
  const meaning = meaningOf(CODES, code, operation)
  // The operator may have kept it as an order that failed, so the next one is called something else.
  if (meaning !== undefined) return withPerson(ended(meaning, message), code)
  if (status === 400 || status === 422) return refused('UNSPECIFIED_FAILURE', message)
  return FAULTS_OF_OURS.includes(status) ? ourFault(message) : unclear(answer)
}

/** Credentials, paths and headers. */
const FAULTS_OF_OURS: readonly number[] = [401, 403, 404, 405, 406, 415]

function readAccepted(answer: Answer, operation: OperationType): Outcome {
  const { json } = answer
  const word = textIn(json, 'status')
  const transactionId = textIn(json, 'transactionId')
  if (word === undefined) return { kind: 'UNKNOWN', why: 'UNREADABLE', ...madeBy(operation) }
  if (FAILED_WORDS.includes(word)) return failed(json, word, operation)
  if (word === 'SUCCESS' && operation === 'DEPOSIT') {
    return { kind: 'DONE', ...present({ transactionId }) }
  }
  const ids = { ...present({ transactionId }), ...madeBy(operation).ids }
  return word === 'SUCCESS' ? { kind: 'PENDING', ids } : stillOpen(word, ids)
}

function stillOpen(word: string | undefined, ids: OperatorIds = {}): Outcome {
  const outcome = PENDING_WORDS.includes(word ?? '') ? ended('PENDING') : puzzled(word)
  return outcome.kind === 'PENDING' ? { ...outcome, ids } : outcome
}

/** There is no refund: money goes back as a payout, and the record says so. */
const madeBy = (operation: OperationType): { readonly ids?: OperatorIds } =>
  operation === 'REFUND' ? { ids: { by: 'payout' } } : {}

function failed(json: unknown, word: string, operation: OperationType): Outcome {
  const code = textIn(json, 'code') ?? textIn(json, 'statusReason')
  const meaning = meaningOf(CODES, code, operation) ?? meaningOf(CODES, word, operation)
  return withPerson(ended(meaning ?? 'UNSPECIFIED_FAILURE', code ?? word), code)
}

/** The third wrong PIN locks our wallet. */
const withPerson = (outcome: Outcome, code: string | undefined): Outcome =>
  code !== undefined && PIN_CODES.includes(code) ? needingPerson(outcome) : outcome

const PIN_CODES: readonly string[] = ['2010', '2011', '2012', '2013']

/** The answer to a search by our reference: a list, in which there may be failed attempts as well. */
export function readFound(answer: Answer, order: ProviderOrder, reference: string): Outcome {
  const { status, json } = answer
  if (status === 404) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  if (status !== 200 || !Array.isArray(json)) return unclear(answer)
  const found = json.filter((one) => textIn(one, 'reference') === reference)
  if (found.length === 0) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  const isIn = (words: readonly string[]) => (one: unknown) =>
    words.includes(textIn(one, 'status') ?? '')
  const [done, ...others] = found.filter(isIn(['SUCCESS']))
  // Executed twice: a person has to look.
  if (others.length > 0) return { kind: 'UNKNOWN', why: 'AMBIGUOUS' }
  if (done !== undefined) return readDone(done, order)
  const open = found.find((one) => !isIn(FAILED_WORDS)(one))
  if (open !== undefined) return stillOpen(textIn(open, 'status'), madeBy(order.operation).ids)
  return failed(found[0], textIn(found[0], 'status') ?? '', order.operation)
}

function readDone(found: unknown, { operation, ids = {} }: ProviderOrder): Outcome {
  // The answer to the order got lost, and how the refund is made has to be stored before its end.
  if (operation === 'REFUND' && ids.by === undefined) {
    return { kind: 'PENDING', checkAfterMs: 0, ...madeBy(operation) }
  }
  return {
    kind: 'DONE',
    ...present({
      transactionId: textIn(found, 'transactionId'),
      amount: textIn(found, 'amount', 'value'),
      currency: textIn(found, 'amount', 'unit'),
    }),
  }
}
