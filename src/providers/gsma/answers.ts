import type { PaymentFailureCode } from '../../domain/failure.ts'
import type { OperatorIds } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { Outcome } from '../connector.ts'
import type { Answer } from '../operator.ts'
import { ended, member, ourFault, puzzled, refused, textIn, unclear } from '../wire-kit.ts'
import { type Asked, codeIn, isTheirs, meaningIn } from './codes.ts'
import { SPREAD_MS } from './profile.ts'
import { isReversal } from './requests.ts'

/** The answer to a new order: the transaction itself, the state of the request, or an error. */
export function readCreated(answer: Answer, asked: Asked): Outcome {
  const { status, json } = answer
  if (status < 200 || status >= 300) return readRefusal(answer, asked)
  if (textIn(json, 'transactionStatus') !== undefined) return readTransaction(json, asked)
  if (textIn(json, 'serverCorrelationId') === undefined) return unclear(answer)
  switch (wordIn(json, 'status')) {
    case 'pending':
      return pending(json, asked, 0)
    case 'completed':
      // What was moved says the transaction, and it is asked for when its name is stored.
      return { ...pending(json, asked, 0), checkAfterMs: 0 }
    case 'failed':
      return isDuplicate(errorIn(json)) ? DUPLICATE : failed(json, asked)
    default:
      return { ...pending(json, asked, 0), ...puzzled(textIn(json, 'status')) }
  }
}

const DUPLICATE: Outcome = { kind: 'UNKNOWN', why: 'DUPLICATE' }

/** With these, an order was surely not taken; after all others it may have been. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 422]

function readRefusal(answer: Answer, asked: Asked): Outcome {
  const { status, json } = answer
  if (status === 409 || isDuplicate(json)) return DUPLICATE
  const code = codeIn(json)
  // Asked too often, it takes the same order later.
  if (!REFUSALS.includes(status) || code === 'rateLimitError') return unclear(answer)
  if (isTheirs(json)) return { kind: 'UNKNOWN', why: 'SERVER' }
  const otherwise = status === 400 || status === 422 ? 'UNSPECIFIED_FAILURE' : 'OUR_FAULT'
  const meaning = meaningIn(json, asked) ?? otherwise
  const message = code ?? `HTTP ${status}`
  // The table says neither PENDING nor UNKNOWN of what gets here.
  return meaning === 'OUR_FAULT'
    ? ourFault(message)
    : refused(meaning as PaymentFailureCode, message)
}

export const isDuplicate = (error: unknown): boolean => codeIn(error) === 'duplicateRequest'

/** The tables call it `error`, the text of the same version `errorReference`. */
export const errorIn = (state: unknown): unknown =>
  member(state, 'error') ?? member(state, 'errorReference')

/** Statuses are compared without case: operators capitalise them as they like. */
export const wordIn = (json: unknown, name: string): string | undefined =>
  textIn(json, name)?.toLowerCase()

/** A transaction as the operator shows it; its status is a free text. */
export function readTransaction(json: unknown, asked: Asked): Outcome {
  const transaction = textIn(json, 'transactionReference')
  switch (wordIn(json, 'transactionStatus')) {
    case 'completed':
      return {
        kind: 'DONE',
        ...present({
          transactionId: transaction,
          amount: textIn(json, 'amount'),
          currency: textIn(json, 'currency'),
        }),
      }
    case 'pending':
      return { kind: 'PENDING', ids: idsOf(asked, { transaction }) }
    case 'failed':
      return endedFor(undefined, asked)
    default:
      return puzzled(textIn(json, 'transactionStatus'))
  }
}

/** A request that is being worked on, with all that the next look-up needs. */
export function pending(json: unknown, asked: Asked, polls: number): Outcome & { kind: 'PENDING' } {
  const { account, order } = asked
  const limit = textIn(json, 'pollLimit') ?? order.ids?.pollLimit
  const ids = idsOf(asked, {
    request: textIn(json, 'serverCorrelationId'),
    transaction: textIn(json, 'objectReference'),
    pollLimit: limit,
    polls: limit === undefined ? undefined : String(polls),
  })
  const left = limit === undefined ? undefined : Number(limit) - polls
  const checkAfterMs = spread(textIn(json, 'expiryTime'), left, account.now())
  return { kind: 'PENDING', ids, ...present({ checkAfterMs }) }
}

/** How a refund is made belongs into its story. */
function idsOf(
  { account, order }: Asked,
  ids: Readonly<Record<string, string | undefined>>,
): OperatorIds {
  const by = isReversal(account, order) ? 'reversal' : 'payout'
  return present({ ...ids, by: order.operation === 'REFUND' ? by : undefined }) as OperatorIds
}

/** The look-ups that are left, over the time that is left. */
function spread(
  expiryTime: string | undefined,
  left: number | undefined,
  now: number,
): number | undefined {
  const leftMs = Date.parse(expiryTime ?? '') - now
  if (left === undefined || !(left > 0) || !(leftMs > 0)) return undefined
  return Math.min(Math.max(Math.ceil(leftMs / left), SPREAD_MS.least), SPREAD_MS.most)
}

/** A request that the operator gave up: its error says why, or that its time was over. */
export function failed(state: unknown, asked: Asked): Outcome {
  const error = errorIn(state)
  const code = codeIn(error)
  const expiresAt = Date.parse(textIn(state, 'expiryTime') ?? '')
  const hasReason = code !== undefined && code !== 'genericError'
  if (!hasReason && expiresAt <= asked.account.now() && asked.order.operation === 'DEPOSIT') {
    return ended('PAYMENT_NOT_APPROVED', 'expired')
  }
  return endedFor(code === undefined ? undefined : error, asked)
}

/** That it failed says the operator when asked; only why may come from a callback. */
function endedFor(error: unknown, asked: Asked): Outcome {
  const { reason } = asked.order.ids ?? {}
  const known = error ?? { errorCode: reason }
  return ended(meaningIn(known, asked) ?? 'UNSPECIFIED_FAILURE', codeIn(known) ?? 'failed')
}
