import { createHash, timingSafeEqual } from 'node:crypto'
import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Answer } from '../operator.ts'
import { ended, meaningOf, ourFault, puzzled, textIn, unclear } from '../wire-kit.ts'
import { CODES } from './codes.ts'
import { LOST_AFTER_MS } from './profile.ts'
import { isTooLong } from './requests.ts'

/** The answer to a request for a page. What can be asked about later comes with its address. */
export function readCreated(answer: Answer, order: ProviderOrder): Outcome {
  const { status, json } = answer
  if (status === 200 || status === 201) return readPage(answer, order)
  if (status === 409) return { kind: 'UNKNOWN', why: 'DUPLICATE' }
  // Nothing in the request is the customer's: what is wrong with it are settings or credentials.
  if (status >= 400 && status < 500) return ourFault(messageIn(json) ?? `HTTP ${status}`)
  return unclear(answer)
}

function readPage(answer: Answer, { successfulUrl, failedUrl }: ProviderOrder): Outcome {
  const { json } = answer
  const authorizationUrl = textIn(json, 'payment_url')
  const payToken = textIn(json, 'pay_token')
  const isPage = authorizationUrl !== undefined && /^https?:\/\//.test(authorizationUrl)
  if (!isPage || payToken === undefined) return unclear(answer)
  const alert =
    isTooLong(successfulUrl) || isTooLong(failedUrl)
      ? 'an address to return to is too long for Orange, so the customer ends on our own page'
      : undefined
  const ids = { payToken, ...present({ notifToken: textIn(json, 'notif_token') }) }
  return { kind: 'PENDING', authorizationUrl, ids, ...present({ alert }) }
}

const messageIn = (json: unknown): string | undefined => {
  const words = [textIn(json, 'code'), textIn(json, 'message'), textIn(json, 'description')]
  const message = words.filter((one) => one !== undefined).join(' ')
  return message === '' ? undefined : message
}

/** The answer to a look-up of a page. */
export function readStatus(answer: Answer, order: ProviderOrder, reference: string): Outcome {
  const { status, json } = answer
  if (status === 404) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  if (status !== 200 && status !== 201) return unclear(answer)
  // It may speak of another order.
  const about = textIn(json, 'order_id') ?? reference
  if (about !== reference) return { kind: 'UNKNOWN', why: 'AMBIGUOUS' }
  const word = textIn(json, 'status')
  if (word === 'SUCCESS') {
    return { kind: 'DONE', ...present({ transactionId: textIn(json, 'txnid') }) }
  }
  const meaning = meaningOf(CODES, word, order.operation)
  if (meaning === undefined) return puzzled(word)
  return meaning === 'PENDING' ? { kind: 'PENDING', ...suspicion(order) } : ended(meaning, word)
}

/** A notification with another token than that of the page did not come from Orange; reported once. */
function suspicion({
  ids = {},
}: ProviderOrder): Pick<Extract<Outcome, { kind: 'PENDING' }>, 'alert' | 'ids'> {
  const { callbackNotifToken, notifToken, forgeryReported } = ids
  const isForged =
    callbackNotifToken !== undefined &&
    notifToken !== undefined &&
    !isSame(callbackNotifToken, notifToken)
  if (!isForged || forgeryReported !== undefined) return {}
  return { alert: 'a notification had a wrong token', ids: { forgeryReported: 'yes' } }
}

/** In a time that says nothing about where they differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Without the token of the page nobody can ask about the order. Where its address got lost as well,
 * no customer was led there, and after its lifetime none can pay. A notification speaks against that.
 */
export function readNothing({ ids = {}, authorizationUrl }: ProviderOrder, now: number): Outcome {
  const isSeen = authorizationUrl !== undefined || ids.callbackNotifToken !== undefined
  if (isSeen) return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  // The order does not say when it was sent, so the first look-up notes its own time.
  const since = Number(ids.lostSince ?? now)
  if (now - since < LOST_AFTER_MS) {
    return { kind: 'UNKNOWN', why: 'NOT_FOUND', ids: { lostSince: String(since) } }
  }
  return ended('PAYMENT_NOT_APPROVED', 'the address of the page never arrived')
}
