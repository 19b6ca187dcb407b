import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type {
  Answer,
  CallbackRequest,
  Claim,
  OpenAccount,
  Operator,
  OperatorKind,
  Step,
} from '../operator.ts'
import { jsonOf, ourFault, textIn } from '../wire-kit.ts'
import { readCreated, readFound } from './answers.ts'
import { isSameSecret, publicKeyOf } from './crypto.ts'
import { FORM, PROFILE } from './profile.ts'
import {
  cashInRequest,
  keyRequest,
  paymentRequest,
  searchRequest,
  tokenRequest,
} from './requests.ts'

/** Orange Money in Senegal, by Sonatel: deposits with a one-time code, payouts as cash-ins. */
export const ORANGE_SONATEL: OperatorKind = {
  name: 'orange-sonatel',
  form: FORM,
  authType: 'PREAUTH',
  codeShortCode: '#144#391#',
  open,
}

function open(account: OpenAccount): Operator {
  return {
    profile: PROFILE,
    prepare: (order) => ({ reference: account.referenceOf(order) }),
    submit: (order, reference) =>
      order.operation === 'DEPOSIT'
        ? takeMoney(account, order, reference)
        : giveMoney(account, order, reference),
    query: (order, reference) => ({
      tokens: ['access'],
      request: (token = '') => searchRequest(reference, token),
      read: (answer) => readFound(answer, order, reference),
    }),
    tokens: {
      access: accessToken(account),
      ...(account.secrets.pin === undefined ? {} : { key: PUBLIC_KEY }),
    },
    isTokenRefused: (answer) => answer.status === 401 || isKeyRefused(answer),
    readCallback: (request) => readCallback(account, request),
  }
}

const takeMoney = (account: OpenAccount, order: ProviderOrder, reference: string): Step => ({
  tokens: ['access'],
  request: (token = '') => paymentRequest(account, order, reference, token),
  read: (answer) => readCreated(answer, order),
})

function giveMoney(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const { operation, provider } = order
  if (operation === 'REFUND' && account.providers[provider]?.includes('PAYOUT') !== true) {
    return ourFault(`refunds are payouts, and the account does not list PAYOUT for ${provider}`)
  }
  return {
    tokens: ['access', 'key'],
    request: (token = '', key = '') => cashInRequest(account, order, reference, [token, key]),
    read: (answer) => readCreated(answer, order),
  }
}

const accessToken = (account: OpenAccount): Operator['tokens'][string] => ({
  request: () => tokenRequest(account),
  read: ({ json }) => {
    const value = textIn(json, 'access_token')
    const seconds = Number(textIn(json, 'expires_in') ?? '299')
    return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
  },
})

/** It hardly ever changes, and when it does, the operator says so. */
const KEY_LIVES_MS = 3_600_000

const PUBLIC_KEY: Operator['tokens'][string] = {
  tokens: ['access'],
  request: (token = '') => keyRequest(token),
  read: ({ json }) => {
    const value = textIn(json, 'key') ?? textIn(json, 0, 'key')
    if (value === undefined || publicKeyOf(value) === undefined) return undefined
    return { value, livesMs: KEY_LIVES_MS }
  },
}

/** Refused before anything was done; a new key may be taken. */
const isKeyRefused = ({ status, json }: Answer): boolean =>
  status >= 400 && status < 500 && textIn(json, 'code') === '4003'

/** Refusing a callback would stop all that follow, so every one is acknowledged. */
function readCallback({ secrets }: OpenAccount, { headers, raw }: CallbackRequest): Claim {
  const body = jsonOf(raw)
  const { authorization } = headers
  const expected = `Basic ${String(secrets.callbackApiKey)}`
  const transactionId = textIn(body, 'transactionId')
  return {
    isGenuine: typeof authorization === 'string' && isSameSecret(authorization, expected),
    reply: { status: 200 },
    ...present({
      reference: textIn(body, 'reference'),
      ids: transactionId === undefined ? undefined : { transactionId },
    }),
  }
}
