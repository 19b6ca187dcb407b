/** What stands before the orders: signing in, and refusals in the operator's own form. */
import type { StandInAnswer, StandInRequest } from '../../stand-in/operator.ts'
import type { Body } from './checks.ts'

const TOKEN_PREFIX = 'stand-in-'

export const failure = (
  status: number,
  errorCode: string,
  errorMessage: string,
): StandInAnswer => ({
  status,
  body: { requestId: '1c5b-4ba8-815c-ac45c57a3db01495926', errorCode, errorMessage },
})

export const invalid = (member: string): StandInAnswer =>
  failure(400, '400.002.02', `Bad Request - Invalid ${member}`)

export const hasToken = ({ headers }: StandInRequest): boolean =>
  headers.authorization?.startsWith(`Bearer ${TOKEN_PREFIX}`) === true

export function signIn({ headers, query }: StandInRequest): StandInAnswer {
  if (query.get('grant_type') !== 'client_credentials') {
    return failure(400, '400.008.02', 'Invalid grant type passed')
  }
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ')
  const [key = '', secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  if (scheme !== 'Basic' || key === '' || secret === '' || secret.startsWith('wrong')) {
    return failure(400, '400.008.01', 'Invalid Authentication passed')
  }
  // The lifetime is a text.
  const access_token = `${TOKEN_PREFIX}${Buffer.from(key).toString('base64url')}`
  return { status: 200, body: { access_token, expires_in: '3599' } }
}

/** The pass key is not known here; what stands around it is, and wrong ones say so. */
export function isSigned(body: Body): boolean {
  const { BusinessShortCode, Timestamp, Password } = body
  const text = Buffer.from(String(Password), 'base64').toString()
  const [before, after] = [String(BusinessShortCode), String(Timestamp)]
  if (!text.startsWith(before) || !text.endsWith(after)) return false
  const passkey = text.slice(before.length, -after.length)
  return passkey !== '' && !passkey.startsWith('wrong')
}

export const WRONG_CREDENTIALS = failure(500, '500.001.1001', 'Wrong credentials')
