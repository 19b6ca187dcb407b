import { createHash } from 'node:crypto'
import { present } from '../../domain/present.ts'
import type {
  Balance,
  CallbackRequest,
  Claim,
  OpenAccount,
  Operator,
  OperatorKind,
} from '../operator.ts'
import { jsonOf, refused, textIn } from '../wire-kit.ts'
import { readCreated } from './answers.ts'
import { CODES, codeIn } from './codes.ts'
import { lookUp, tokensOf } from './look-ups.ts'
import { FORM, PROFILE } from './profile.ts'
import {
  balancePath,
  createRequest,
  getRequest,
  isPaidOutRefund,
  mayPayOut,
  tokenRequest,
} from './requests.ts'

/** The harmonised API of the mobile-money industry, version 1.2. */
export const GSMA: OperatorKind = {
  name: 'gsma',
  form: FORM,
  authType: 'PROVIDER_AUTH',
  open,
}

function open(account: OpenAccount): Operator {
  const { clientId, clientSecret, username, password } = account.secrets
  if ((clientId && clientSecret) === undefined && (username && password) === undefined) {
    throw new Error('give "clientId" and "clientSecret", or "username" and "password".')
  }
  const tokens = tokensOf(account)
  return {
    profile: PROFILE,
    prepare: (order) => ({ reference: account.referenceOf(order) }),
    submit: (order, reference) =>
      isPaidOutRefund(account, order) && !mayPayOut(account, order)
        ? refused('UNSPECIFIED_FAILURE', 'the deposit did not come in through this account')
        : {
            tokens,
            request: (token = '') => createRequest(account, order, reference, token),
            read: (answer) => readCreated(answer, { account, order, reference }),
          },
    query: (order, reference) => lookUp({ account, order, reference }),
    tokens: Object.fromEntries(tokens.map((name) => [name, tokenSource(account)])),
    // A customer who declines, and parties without a right, are answered with the same status.
    isTokenRefused: ({ status, json }) =>
      status === 401 && !ABOUT_PARTIES.includes(codeIn(json) ?? ''),
    readCallback,
    balances: [
      {
        name: 'balance',
        tokens,
        request: (token = '') => getRequest(account, balancePath(account), token),
        read: ({ status, json }) => (status === 200 ? balanceIn(account, json) : undefined),
      },
    ],
    probe: {
      name: 'heartbeat',
      tokens,
      request: (token = '') => getRequest(account, '/heartbeat', token),
      read: ({ status, json }) => {
        // Operators implement the parts they want.
        if (status === 404) return 'the operator has none'
        const word = status === 200 ? textIn(json, 'serviceStatus') : undefined
        return word === 'unavailable' ? undefined : word
      },
    },
  }
}

const ABOUT_PARTIES: readonly string[] = [
  'requestDeclined',
  'requestingPartyAuthorisationError',
  'servicingPartyAuthorisationError',
]

const tokenSource = (account: OpenAccount): Operator['tokens'][string] => ({
  request: () => tokenRequest(account),
  read: ({ json }) => {
    const value = textIn(json, 'access_token')
    const seconds = Number(textIn(json, 'expires_in') ?? '3600')
    return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
  },
})

/** Operators state what they keep apart; the currency may go without saying. */
function balanceIn({ providers, catalog }: OpenAccount, json: unknown): Balance | undefined {
  const [provider = ''] = Object.keys(providers)
  const amount = textIn(json, 'availableBalance') ?? textIn(json, 'currentBalance')
  const currency = textIn(json, 'currency') ?? catalog.find(provider)?.currencies[0]?.currency
  if (amount === undefined || currency === undefined) return undefined
  return { product: 'account', amount, currency }
}

/**
 * The transaction or an error. The operator is asked about both; but of a request that failed it may
 * show a transaction only, which has no place for the reason.
 */
function readCallback({ headers, raw }: CallbackRequest): Claim {
  const body = jsonOf(raw)
  const correlationId = textIn(headers, 'x-correlationid')
  const named = correlationId ?? textIn(body, 'requestingOrganisationTransactionReference')
  const reference = named !== undefined && UUID.test(named) ? named.toLowerCase() : undefined
  const hash = textIn(headers, 'x-content-hash')?.toLowerCase()
  const isGenuine = hash === undefined || hash === createHash('sha256').update(raw).digest('hex')
  const code = codeIn(body) ?? ''
  const isReason = Object.hasOwn(CODES, code) && code !== 'duplicateRequest'
  return {
    isGenuine,
    reply: { status: isGenuine ? 204 : 400 },
    ...present({ reference, ids: isReason ? { reason: code } : undefined }),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
