import { createHash } from 'node:crypto'
import type { StandInAnswer, StandInRequest } from '../../stand-in/operator.ts'
import { refusal } from './errors.ts'

/** What the operator looks at before it takes an order; the first fault is its answer. */
type Check = (request: StandInRequest, body: Body) => StandInAnswer | undefined

export type Body = Readonly<Record<string, unknown>>

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const AMOUNT = /^(0|[1-9]\d{0,17})(\.\d{1,4})?$/

const TYPES: readonly string[] = [
  'billpay',
  'deposit',
  'disbursement',
  'transfer',
  'merchantpay',
  'inttransfer',
  'adjustment',
  'reversal',
  'withdrawal',
]

const INSTITUTION = 'x-account-holding-institution-identifier'

/** Credentials: a bearer token that was given out here, or a user with a password. */
export function checkCaller({ headers }: StandInRequest): StandInAnswer | undefined {
  const { authorization = '' } = headers
  const isBearer = /^Bearer gsma\..+/.test(authorization)
  const [user, password] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
  const isUser = authorization.startsWith('Basic ') && isTaken(user) && isTaken(password)
  const hasKey = headers['x-api-key'] === undefined || isTaken(headers['x-api-key'])
  return (isBearer || isUser) && hasKey ? undefined : refusal('clientAuthorisationError')
}

/** The stand-in knows no accounts: everything is right but what says that it is wrong. */
export const isTaken = (secret: string | undefined): boolean =>
  secret !== undefined && secret !== '' && !secret.startsWith('wrong')

const checkHeaders: Check = ({ headers, text }) => {
  const hash = headers['x-content-hash']
  const date = headers['x-date']
  const callbackUrl = headers['x-callback-url']
  const institution = headers[`${INSTITUTION}-type`]
  if (!headers['content-type']?.startsWith('application/json')) {
    return refusal('formatError', 'Content-Type')
  }
  if (headers['x-correlationid'] === undefined) {
    return refusal('mandatoryValueNotSupplied', 'X-CorrelationID')
  }
  if (!UUID.test(headers['x-correlationid'])) return refusal('formatError', 'X-CorrelationID')
  if (hash !== undefined && hash !== createHash('sha256').update(text).digest('hex')) {
    return refusal('formatError', 'X-Content-Hash')
  }
  if (date !== undefined && Number.isNaN(Date.parse(date))) return refusal('formatError', 'X-Date')
  if (callbackUrl !== undefined && !URL.canParse(callbackUrl)) {
    return refusal('formatError', 'X-Callback-URL')
  }
  if ((institution === undefined) !== (headers[INSTITUTION] === undefined)) {
    return refusal('mandatoryValueNotSupplied', INSTITUTION)
  }
  const isKnown = ['lei', 'swiftbic', 'organisationid', undefined].includes(institution)
  return isKnown ? undefined : refusal('formatError', `${INSTITUTION}-type`)
}

/** Texts of the body, with the longest that is taken. */
const TEXTS = {
  descriptionText: 160,
  requestingOrganisationTransactionReference: 256,
  oneTimeCode: 256,
} as const

const checkTexts: Check = (_, body) => {
  for (const [name, longest] of Object.entries(TEXTS)) {
    const text = body[name]
    if (text === undefined) continue
    if (typeof text !== 'string') return refusal('formatError', name)
    if (text.length > longest) return refusal('lengthError', name)
  }
  return undefined
}

const checkMoney: Check = (_, { amount, currency }) => {
  if (amount === undefined) return refusal('mandatoryValueNotSupplied', 'amount')
  if (currency === undefined) return refusal('mandatoryValueNotSupplied', 'currency')
  if (typeof amount !== 'string') return refusal('formatError', 'amount')
  if (amount.startsWith('-')) return refusal('negativeValue', 'amount')
  if (!AMOUNT.test(amount)) return refusal('formatError', 'amount')
  const isCurrency = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
  return isCurrency ? undefined : refusal('currencyNotSupported', 'currency')
}

const checkParties: Check = (_, { debitParty, creditParty }) => {
  if (debitParty === undefined && creditParty === undefined) {
    return refusal('mandatoryValueNotSupplied', 'debitParty')
  }
  if (!isParty(debitParty)) return refusal('formatError', 'debitParty')
  if (!isParty(creditParty)) return refusal('formatError', 'creditParty')
  const isSame = JSON.stringify(debitParty) === JSON.stringify(creditParty)
  return isSame ? refusal('samePartiesError') : undefined
}

/** One to ten pairs; one of the two parties may be left out. */
function isParty(party: unknown): boolean {
  if (party === undefined) return true
  if (!Array.isArray(party) || party.length === 0 || party.length > 10) return false
  return party.every(({ key, value }: Record<string, unknown>) => {
    if (typeof key !== 'string' || typeof value !== 'string' || value === '') return false
    return key !== 'msisdn' || /^\+?\d{6,15}$/.test(value.replaceAll(' ', ''))
  })
}

const checkReversal: Check = (request, body) => {
  if (body.type !== 'reversal' && body.type !== 'adjustment') return refusal('formatError', 'type')
  return body.amount === undefined ? undefined : checkMoney(request, body)
}

const firstOf =
  (...checks: readonly Check[]): Check =>
  (request, body) => {
    for (const check of checks) {
      const fault = check(request, body)
      if (fault !== undefined) return fault
    }
    return undefined
  }

export const checkOrder = firstOf(checkHeaders, checkMoney, checkParties, checkTexts)
export const checkReversalOrder = firstOf(checkHeaders, checkReversal, checkTexts)

export const checkType = (type: string): StandInAnswer | undefined =>
  TYPES.includes(type) ? undefined : refusal('transactionTypeError', 'type')
