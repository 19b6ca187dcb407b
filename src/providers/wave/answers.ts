import type { OperatorIds } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import {
  ended,
  meaningOf,
  member,
  ourFault,
  puzzled,
  refused,
  textIn,
  unclear,
} from '../wire-kit.ts'
import { CODES } from './codes.ts'
import { SESSION_LIVES_MS } from './profile.ts'

/** The answer to a new session: a page on which the customer may pay, and nothing more. */
export function readNewSession(answer: Answer, order: ProviderOrder, now: number): Outcome {
  const refusal = refusalIn(answer, order.operation)
  if (refusal !== undefined) return refusal
  const { json } = answer
  const authorizationUrl = textIn(json, 'wave_launch_url')
  const ids = sessionIds(json, order, now)
  if (ids.session === undefined || authorizationUrl === undefined) return unclear(answer)
  return { kind: 'PENDING', authorizationUrl, ids }
}

/** The answer to a new payout. One that is reported as done is looked up at once before it counts. */
export function readNewPayout(answer: Answer, order: ProviderOrder, now: number): Outcome {
  const refusal = refusalIn(answer, order.operation)
  if (refusal !== undefined) return refusal
  const { json } = answer
  if (textIn(json, 'id') === undefined) return unclear(answer)
  const outcome = readPayout(json, order, now)
  if (outcome.kind !== 'DONE') return outcome
  return { kind: 'PENDING', checkAfterMs: 0, ids: payoutIds(json, order, now) }
}

/**
 * The answer to a refund is Wave's last word, and cannot be asked for again. It is stored with the
 * payment first: the next look at it takes it from there.
 */
export function readRefund(answer: Answer, { operation }: ProviderOrder): Outcome {
  const refusal = refusalIn(answer, operation)
  if (refusal !== undefined) return refusal
  return { kind: 'PENDING', checkAfterMs: 0, ids: { by: 'refund', refunded: 'yes' } }
}

/** Undefined where Wave took the order. */
function refusalIn({ status, json }: Answer, operation: OperationType): Outcome | undefined {
  if (status >= 200 && status < 300) return undefined
  const code = textIn(json, 'code') ?? textIn(json, 'error_code') ?? textIn(json, 'error', 'code')
  const message = code ?? textIn(json, 'message') ?? `HTTP ${status}`
  // Too many requests: there is no page then, and so nobody who could pay.
  if (status === 429 && operation === 'DEPOSIT') return ourFault(message)
  if (status === 408 || status === 429 || status >= 500) return { kind: 'UNKNOWN', why: 'SERVER' }
  if (status === 401 || status === 403) return ourFault(message)
  const meaning = meaningOf(CODES, code, operation) ?? (status === 409 ? 'UNKNOWN' : undefined)
  if (meaning === 'UNKNOWN') return { kind: 'UNKNOWN', why: 'DUPLICATE' }
  // The key may answer the same for ever: what is put right is sent under another one.
  if (meaning === 'OUR_FAULT') return ended(meaning, message)
  return refused(meaning === undefined || meaning === 'PENDING' ? OTHER : meaning, message)
}

const OTHER = 'UNSPECIFIED_FAILURE'

/** The answer to a look-up: one order, or all that have our reference. */
export function readLookUp(
  answer: Answer,
  reference: string,
  read: (found: unknown) => Outcome,
): Outcome {
  const { status, json } = answer
  if (status === 404) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  const all = status === 200 ? ordersIn(json) : undefined
  if (all === undefined) return unclear(answer)
  const [found] = all
    .filter((one) => (textIn(one, 'client_reference') ?? reference) === reference)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  return found === undefined ? { kind: 'UNKNOWN', why: 'NOT_FOUND' } : read(found)
}

/** A search answers a list in an object; some integrations have seen a bare one. */
function ordersIn(json: unknown): readonly unknown[] | undefined {
  const list = member(json, 'result') ?? json
  if (Array.isArray(list)) return list
  return textIn(list, 'id') === undefined ? undefined : [list]
}

/** Of several, the one that moved money counts, then one that may, and last those that are over. */
const RANKS: Readonly<Record<string, number>> = {
  complete: 0,
  succeeded: 0,
  open: 2,
  processing: 2,
  expired: 3,
  failed: 3,
  reversed: 3,
}

const rankOf = (order: unknown): number =>
  RANKS[textIn(order, 'checkout_status') ?? textIn(order, 'status') ?? ''] ?? 1

export function readSession(session: unknown, order: ProviderOrder, now: number): Outcome {
  const checkout = textIn(session, 'checkout_status')
  const payment = textIn(session, 'payment_status')
  if (payment === 'succeeded' && (checkout === 'complete' || checkout === 'expired')) {
    return {
      kind: 'DONE',
      ...present({
        transactionId: textIn(session, 'transaction_id'),
        amount: textIn(session, 'amount'),
        currency: textIn(session, 'currency'),
      }),
    }
  }
  if (checkout === 'expired') return expired(session, order)
  // After a failed attempt the customer may try again, as long as the session is open.
  if (checkout === 'open' && (payment === 'processing' || payment === 'cancelled')) {
    const authorizationUrl = textIn(session, 'wave_launch_url')
    return openUntil(sessionIds(session, order, now), now, present({ authorizationUrl }))
  }
  return puzzled(`${checkout}/${payment}`)
}

/** Nobody paid. Why the last attempt failed may have been reported earlier only. */
function expired(session: unknown, { operation, ids }: ProviderOrder): Outcome {
  const code = textIn(session, 'last_payment_error', 'code') ?? ids?.lastError
  return ended(meaningOf(CODES, code, operation) ?? 'PAYMENT_NOT_APPROVED', code ?? 'expired')
}

export function readPayout(payout: unknown, order: ProviderOrder, now: number): Outcome {
  const word = textIn(payout, 'status')
  const code = textIn(payout, 'payout_error', 'error_code')
  switch (word) {
    case 'succeeded':
      return {
        kind: 'DONE',
        ...present({
          transactionId: textIn(payout, 'id'),
          amount: textIn(payout, 'receive_amount'),
          currency: textIn(payout, 'currency'),
        }),
      }
    case 'processing':
      return openUntil(payoutIds(payout, order, now), now)
    case 'failed':
      return ended(meaningOf(CODES, code, order.operation) ?? OTHER, code ?? word)
    case 'reversed':
      // The money is back in our wallet.
      return ended(OTHER, word)
    default:
      return puzzled(word)
  }
}

/** What is open after its end is in doubt. */
function openUntil(
  ids: OperatorIds,
  now: number,
  page: { readonly authorizationUrl?: string } = {},
): Outcome {
  if (now >= Number(ids.until)) return { kind: 'UNKNOWN', why: 'AMBIGUOUS', ids }
  return { kind: 'PENDING', ...page, ids }
}

const sessionIds = (session: unknown, order: ProviderOrder, now: number): OperatorIds =>
  present({
    session: textIn(session, 'id'),
    until: order.ids?.until ?? String(now + lifeOf(session)),
    lastError: textIn(session, 'last_payment_error', 'code'),
  })

/** Which way a refund went is for people to see. */
const payoutIds = (payout: unknown, { operation, ids }: ProviderOrder, now: number): OperatorIds =>
  present({
    payout: textIn(payout, 'id'),
    until: ids?.until ?? String(now + SESSION_LIVES_MS),
    by: operation === 'REFUND' ? 'payout' : undefined,
  })

/** Counted from the answer, as Wave's clock may differ from ours. */
function lifeOf(session: unknown): number {
  const [from, to] = [textIn(session, 'when_created'), textIn(session, 'when_expires')]
  const life = Date.parse(to ?? '') - Date.parse(from ?? '')
  return life > 0 ? life : SESSION_LIVES_MS
}
