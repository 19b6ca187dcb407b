/** What Airtel refuses before it does anything: each check gives the code of its refusal. */
import type { StandInRequest } from '../../stand-in/operator.ts'
import { member, textIn } from '../../wire-kit.ts'
import { encryptBody } from '../crypto.ts'
import { decrypted } from './keys.ts'

type Country = { readonly callingCode: string; readonly currencies: readonly string[] }

const COUNTRIES: Readonly<Record<string, Country>> = {
  CD: { callingCode: '243', currencies: ['CDF', 'USD'] },
  CG: { callingCode: '242', currencies: ['XAF'] },
  GA: { callingCode: '241', currencies: ['XAF'] },
  KE: { callingCode: '254', currencies: ['KES'] },
  MG: { callingCode: '261', currencies: ['MGA'] },
  MW: { callingCode: '265', currencies: ['MWK'] },
  NE: { callingCode: '227', currencies: ['XOF'] },
  NG: { callingCode: '234', currencies: ['NGN'] },
  RW: { callingCode: '250', currencies: ['RWF'] },
  SC: { callingCode: '248', currencies: ['SCR'] },
  TD: { callingCode: '235', currencies: ['XAF'] },
  TZ: { callingCode: '255', currencies: ['TZS'] },
  UG: { callingCode: '256', currencies: ['UGX'] },
  ZM: { callingCode: '260', currencies: ['ZMW'] },
}

type Check = (request: StandInRequest) => string | undefined

const first = (request: StandInRequest, checks: readonly Check[]): string | undefined => {
  for (const check of checks) {
    const code = check(request)
    if (code !== undefined) return code
  }
  return undefined
}

const unless = (isRight: boolean, code: string): string | undefined => (isRight ? undefined : code)

const isText = (value: unknown, form: RegExp): boolean =>
  typeof value === 'string' && form.test(value)

export const placeFault: Check = ({ headers, method }) => {
  const { 'x-country': country = '', 'x-currency': currency = '' } = headers
  const isJson = headers['content-type']?.startsWith('application/json') === true
  if (headers.accept === undefined || country === '') return 'ROUTER003'
  if (method === 'POST' && !isJson) return 'ROUTER003'
  const known = COUNTRIES[country]
  if (known === undefined) return 'ROUTER006'
  if (currency === '') return 'ROUTER119'
  return unless(known.currencies.includes(currency), 'ROUTER112')
}

/** Numbers are national: with the code of their country they are too long. */
const numberFault = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'ESB000008'
  return unless(/^\d{7,10}$/.test(value), 'ESB000033')
}

const MONEY: readonly Check[] = [
  ({ json }) => unless(isText(member(json, 'reference'), /^[a-zA-Z0-9]{4,64}$/), 'ESB000008'),
  ({ json }) => {
    const amount = member(json, 'transaction', 'amount')
    return unless(typeof amount === 'number' && amount > 0, 'ESB000008')
  },
  ({ json }) =>
    unless(isText(member(json, 'transaction', 'id'), /^[a-zA-Z0-9]{1,64}$/), 'ESB000008'),
]

/** Where it says country and currency once more, they are those of the headers. */
const samePlace: Check = ({ json, headers }) => {
  const isSame = (member: 'country' | 'currency', code: string) => {
    const codes = ['subscriber', 'transaction', 'payee'].flatMap(
      (part) => textIn(json, part, member) ?? [],
    )
    return unless(
      codes.every((one) => one === headers[`x-${member}`]),
      code,
    )
  }
  return isSame('country', 'ESB000034') ?? isSame('currency', 'ESB000035')
}

export const pushFault: Check = (request) =>
  signatureFault(request, 'DP00800001026') ??
  first(request, [
    ...MONEY,
    ({ json }) => numberFault(member(json, 'subscriber', 'msisdn')),
    samePlace,
  ])

export const refundFault: Check = (request) =>
  signatureFault(request, 'DP00800001026') ??
  unless(isText(member(request.json, 'transaction', 'airtel_money_id'), /./), 'ESB000008')

const isAtLeast = ({ path }: StandInRequest, version: number): boolean =>
  Number(/^\/standard\/v(\d)/.exec(path)?.[1]) >= version

export const disbursementFault: Check = (request) =>
  signatureFault(request, 'DP00900001018') ??
  first(request, [
    ...MONEY,
    ({ json }) => numberFault(member(json, 'payee', 'msisdn')),
    samePlace,
    ({ json }) => {
      if (!isAtLeast(request, 2)) return undefined
      const hasCurrency = textIn(json, 'payee', 'currency') !== undefined
      return unless(
        hasCurrency && isText(member(json, 'transaction', 'type'), /^B2[CB]$/),
        'ESB000008',
      )
    },
    ({ json }) =>
      unless(
        !isAtLeast(request, 3) || isText(member(json, 'payee', 'wallet_type'), /^(NORMAL|SALARY)$/),
        'ESB000008',
      ),
    pinFault,
  ])

/** The PIN of the account is any of four digits, but not 0000. */
const pinFault: Check = ({ json }) => {
  const pin = decrypted(textIn(json, 'pin') ?? '')
  if (pin === undefined) return 'ROUTER116'
  return unless(/^\d{4}$/.test(pin) && pin !== '0000', 'ROUTER115')
}

/** Zambia wants a signature, and so does the third version; elsewhere it has to fit if it is there. */
function signatureFault(request: StandInRequest, code: string): string | undefined {
  const { headers, text } = request
  const { 'x-signature': signature, 'x-key': sealed } = headers
  if (signature === undefined && sealed === undefined) {
    return unless(headers['x-country'] !== 'ZM' && !isAtLeast(request, 3), code)
  }
  const [aesKey, iv] = (decrypted(sealed ?? '') ?? '')
    .split(':')
    .map((one) => Buffer.from(one, 'base64'))
  if (aesKey?.length !== 32 || iv?.length !== 16) return code
  return unless(encryptBody(text, aesKey, iv) === signature, code)
}

/** With the code of its country, as the rest of the world writes it. */
export const partyOf = ({ headers }: StandInRequest, msisdn: string): string =>
  (COUNTRIES[headers['x-country'] ?? '']?.callingCode ?? '') + msisdn
