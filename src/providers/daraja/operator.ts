import type { Outcome, ProviderOrder } from '../connector.ts'
import type { OpenAccount, Operator, OperatorKind, Step } from '../operator.ts'
import { ourFault, refused, textIn } from '../wire-kit.ts'
import { readCreated, readPushStatus } from './answers.ts'
import { readCallback, reportIn } from './callbacks.ts'
import { TOKEN_ERRORS } from './codes.ts'
import { securityCredential } from './crypto.ts'
import { FORM, PROFILE, pathsOf, RESULT_COMES_WITHIN_MS } from './profile.ts'
import {
  createRequest,
  missingSetting,
  pushQueryRequest,
  statusRequest,
  tokenRequest,
  wayOf,
  wholeAmount,
} from './requests.ts'
import { weigh } from './weigh.ts'

/** Safaricom Daraja: M-Pesa in Kenya, and with other paths in Ethiopia. */
export const DARAJA: OperatorKind = {
  name: 'daraja',
  form: FORM,
  authType: 'PROVIDER_AUTH',
  open,
}

const TOKEN = 'access'

function open(account: OpenAccount): Operator {
  return {
    profile: PROFILE,
    prepare: (order) => ({ reference: account.referenceOf(order) }),
    submit: (order, reference) => submit(account, order, reference),
    query: (order, reference) =>
      order.operation === 'DEPOSIT'
        ? queryPush(account, order, reference)
        : queryResult(account, order, reference),
    tokens: {
      [TOKEN]: {
        request: () => tokenRequest(account),
        read: ({ json }) => {
          const value = textIn(json, 'access_token')
          const seconds = Number(textIn(json, 'expires_in') ?? '3599')
          return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
        },
      },
    },
    isTokenRefused: ({ status, json }) =>
      status === 401 || TOKEN_ERRORS.includes(textIn(json, 'errorCode') ?? ''),
    readCallback: (request) => readCallback(request, account.now()),
  }
}

function submit(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const way = wayOf(account, order)
  if (way === undefined) {
    return refused('UNSPECIFIED_FAILURE', 'the receipt of the deposit is not known')
  }
  if (wholeAmount(order.amount) === undefined) {
    return refused('UNSPECIFIED_FAILURE', 'the operator takes whole amounts only')
  }
  const missing = missingSetting(account, way)
  if (missing !== undefined) return ourFault(`settings.${missing} is missing`)
  const credential = way === 'push' ? '' : credentialOf(account)
  if (credential === undefined) return ourFault('secrets.certificate cannot be used')
  const sending = { account, order, reference, credential }
  return {
    tokens: [TOKEN],
    request: (token = '') => createRequest(sending, way, token),
    read: (answer) => readCreated(answer, order, way, account.now()),
  }
}

const credentialOf = ({ secrets }: OpenAccount): string | undefined =>
  securityCredential(String(secrets.initiatorPassword ?? ''), String(secrets.certificate ?? ''))

/** By what the operator calls it: from its answer, or from its callback where that was lost. */
function queryPush(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const { ids = {} } = order
  const { pushQuery } = pathsOf(account)
  if (pushQuery === undefined) return weigh(order, reference) ?? waiting(ids.checkoutRequestId)
  const asked = ids.checkoutRequestId ?? reportIn(ids, 'result')?.theirs ?? ''
  if (asked === '') return { kind: 'UNKNOWN', why: 'NOT_FOUND' }
  return {
    tokens: [TOKEN],
    request: (token = '') => pushQueryRequest(account, pushQuery, asked, token),
    read: (answer) => readPushStatus(answer, order, asked),
  }
}

/** What was reported counts. Where nothing was, the operator is asked to report it once more. */
function queryResult(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
): Step | Outcome {
  const known = weigh(order, reference)
  if (known !== undefined) return known
  const { ids = {} } = order
  const still = waiting(ids.sentAt)
  if (!isTimeToAsk(ids, account.now())) return still
  // A reversal goes by the name that the operator gave it.
  const isReversal = wayOf(account, order) === 'reversal'
  const conversation = isReversal ? ids.originatorConversationId : reference
  const credential = credentialOf(account)
  if (conversation === undefined || credential === undefined) return still
  const sending = { account, order, reference, credential }
  return {
    tokens: [TOKEN],
    request: (token = '') => statusRequest(sending, conversation, token),
    // Whatever it says is about the question, and not about the order.
    read: () => still,
  }
}

/** The order was taken, as far as its answer was read; how it ended comes by callback. */
const waiting = (taken: string | undefined): Outcome =>
  taken === undefined ? { kind: 'UNKNOWN', why: 'ASKED' } : { kind: 'PENDING' }

/** A callback leads to no question by itself: the answer is a callback, and they would go in circles. */
const CALLBACK_RECENT_MS = 60_000

function isTimeToAsk(ids: NonNullable<ProviderOrder['ids']>, now: number): boolean {
  const isWithin = (since: string | undefined, ms: number): boolean => now - Number(since) < ms
  if (isWithin(ids.callbackAt, CALLBACK_RECENT_MS)) return false
  return ids.timedOut !== undefined || !isWithin(ids.sentAt, RESULT_COMES_WITHIN_MS)
}
