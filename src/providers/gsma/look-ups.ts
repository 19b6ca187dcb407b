import type { OperatorIds } from '../../domain/payments/payment.ts'
import type { Outcome } from '../connector.ts'
import type { Answer, OpenAccount, Step } from '../operator.ts'
import { puzzled, textIn, unclear } from '../wire-kit.ts'
import { errorIn, failed, isDuplicate, pending, readTransaction, wordIn } from './answers.ts'
import type { Asked } from './codes.ts'
import { getRequest, signsIn } from './requests.ts'

/** The name of the only token, where the account has one. */
export const tokensOf = (account: OpenAccount): readonly string[] =>
  signsIn(account) ? ['bearer'] : []

/** By what the operator called the request or the transaction, else by our own reference. */
export function lookUp(asked: Asked): Step {
  const { request, transaction } = asked.order.ids ?? {}
  if (request !== undefined && hasPollsLeft(asked.order.ids)) return askState(asked, request)
  return transaction === undefined ? askResponse(asked) : askTransaction(asked, transaction)
}

/** Some operators answer so many questions about a request, and no more. */
const hasPollsLeft = ({ pollLimit, polls }: OperatorIds = {}): boolean =>
  pollLimit === undefined || Number(polls ?? 0) < Number(pollLimit)

const ask = ({ account }: Asked, path: string, read: Step['read']): Step => ({
  tokens: tokensOf(account),
  request: (token = '') => getRequest(account, path, token),
  read,
})

/** It took the order once, so this is no reason to send it again. */
const AMBIGUOUS: Outcome = { kind: 'UNKNOWN', why: 'AMBIGUOUS' }

/** `isLinked`: our reference led here, so there is no other way to ask. */
function askState(asked: Asked, request: string, isLinked = false): Step {
  const elsewhere = (): Step | Outcome => (isLinked ? AMBIGUOUS : askWithoutState(asked))
  return ask(asked, `/requeststates/${encodeURIComponent(request)}`, (answer) => {
    const { status, json } = answer
    if (status >= 400 && status < 500) return elsewhere()
    if (status !== 200) return unclear(answer)
    switch (wordIn(json, 'status')) {
      case 'pending':
        return pendingAgain(asked, request, json)
      case 'completed': {
        const transaction = textIn(json, 'objectReference')
        return transaction === undefined ? elsewhere() : askTransaction(asked, transaction)
      }
      case 'failed':
        // Another request of the same reference was taken: what became of that one counts.
        return isDuplicate(errorIn(json)) ? elsewhere() : failed(json, asked)
      default:
        return puzzled(textIn(json, 'status'))
    }
  })
}

function pendingAgain(asked: Asked, request: string, json: unknown): Outcome {
  const polls = Number(asked.order.ids?.polls ?? 0) + 1
  const outcome = pending(json, asked, polls)
  return { ...outcome, ids: { ...outcome.ids, request } }
}

function askWithoutState(asked: Asked): Step {
  const { transaction } = asked.order.ids ?? {}
  return transaction === undefined ? askResponse(asked) : askTransaction(asked, transaction)
}

const askTransaction = (asked: Asked, transaction: string): Step =>
  ask(asked, `/transactions/${encodeURIComponent(transaction)}`, (answer) => {
    if (answer.status === 404) return AMBIGUOUS
    return answer.status === 200 ? readTransaction(answer.json, asked) : unclear(answer)
  })

/** What our reference led to: the operator answers with a link. */
const askResponse = (asked: Asked): Step =>
  ask(asked, `/responses/${asked.reference}`, (answer) => {
    if (answer.status === 404) return wasTaken(asked) ? AMBIGUOUS : NOT_FOUND
    return answer.status === 200 ? follow(asked, answer) : unclear(answer)
  })

const NOT_FOUND: Outcome = { kind: 'UNKNOWN', why: 'NOT_FOUND' }

const wasTaken = ({ order }: Asked): boolean =>
  order.ids?.request !== undefined || order.ids?.transaction !== undefined

/** An address or a path. Only what it names is used: requests go to the account's own address. */
const LINK = /(?:^|\/)(transactions|requeststates)\/([\w.~:@+-]+)\/?(?:[?#].*)?$/i

function follow(asked: Asked, answer: Answer): Step | Outcome {
  const [, what, name] = LINK.exec(textIn(answer.json, 'link') ?? '') ?? []
  if (what === undefined || name === undefined) return unclear(answer)
  return what.toLowerCase() === 'transactions'
    ? askTransaction(asked, name)
    : askState(asked, name, true)
}
