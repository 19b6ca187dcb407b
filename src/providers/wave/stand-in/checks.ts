/** What Wave refuses before it looks at an order. */
import { createHmac } from 'node:crypto'
import type { StandInAnswer, StandInRequest } from '../../stand-in/operator.ts'

/** Keys of this form are taken; those with `signed` in them refuse requests without a signature. */
const API_KEY = /^wave_[a-z]{2}_(?:prod|test)_\w{8,}$/

/** What requests to the stand-in are signed with, where they are. */
export const SIGNING_SECRET = 'wave_sn_AKS_0123456789abcdefghjkmnpqrstvwxyz'

/** What the stand-in signs its webhooks with. */
export const WEBHOOK_SECRET = 'wave_sn_WHS_zyxwvtsrqpnmkjhgfedcba9876543210'

export const refusal = (status: number, code: string): StandInAnswer => ({
  status,
  body: { code, message: code.replaceAll('-', ' ') },
})

const INVALID = refusal(400, 'request-validation-error')

/** Undefined where the caller is let in. */
export function authorisationFault({ headers, text }: StandInRequest): StandInAnswer | undefined {
  const { authorization } = headers
  if (authorization === undefined) return refusal(401, 'missing-auth-header')
  if (!authorization.startsWith('Bearer ')) return refusal(401, 'invalid-auth')
  const key = authorization.slice(7)
  if (!API_KEY.test(key) || key.includes('wrong')) return refusal(401, 'no-matching-api-key')
  if (key.includes('revoked')) return refusal(401, 'api-key-revoked')
  const signature = headers['wave-signature']
  if (signature === undefined) {
    return key.includes('signed') ? refusal(401, 'missing-signature') : undefined
  }
  const [, time = ''] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(signature) ?? []
  return signature === signed(SIGNING_SECRET, time, text)
    ? undefined
    : refusal(401, 'invalid-signature')
}

export const signed = (secret: string, time: string, text: string): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}${text}`).digest('hex')}`

/** What a member of a body has to look like; everything that is not listed is refused. */
type Members = Readonly<Record<string, { readonly needed: boolean; readonly form: RegExp }>>

const MONEY = { needed: true, form: /^[1-9]\d{0,17}$/ }
const CURRENCY = { needed: true, form: /^[A-Z]{3}$/ }
const HTTPS = { needed: true, form: /^https:\/\/\S+$/ }
const TEXT = { needed: false, form: /^.{1,255}$/ }
const E164 = /^\+[1-9]\d{7,14}$/

export const SESSION: Members = {
  amount: MONEY,
  currency: CURRENCY,
  success_url: HTTPS,
  error_url: HTTPS,
  client_reference: TEXT,
  restrict_payer_mobile: { needed: false, form: E164 },
  aggregated_merchant_id: TEXT,
}

export const PAYOUT: Members = {
  currency: CURRENCY,
  receive_amount: MONEY,
  mobile: { needed: true, form: E164 },
  name: TEXT,
  national_id: TEXT,
  payment_reason: { needed: false, form: /^.{1,40}$/ },
  client_reference: TEXT,
  aggregated_merchant_id: TEXT,
}

/** Undefined where the body is as it has to be: only texts, amounts among them. */
export function faultIn(request: StandInRequest, members: Members): StandInAnswer | undefined {
  const { headers, json } = request
  if (!headers['content-type']?.startsWith('application/json')) {
    return refusal(400, 'request-not-json')
  }
  if (typeof json !== 'object' || json === null) return refusal(400, 'request-parsing-error')
  const body = json as Readonly<Record<string, unknown>>
  if (Object.keys(body).some((name) => !Object.hasOwn(members, name))) return INVALID
  for (const [name, { needed, form }] of Object.entries(members)) {
    const value = body[name]
    if (value === undefined && !needed) continue
    if (typeof value !== 'string' || !form.test(value)) return INVALID
  }
  return body.currency === 'XOF' ? undefined : refusal(400, 'currency-mismatch')
}
