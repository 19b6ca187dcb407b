import { present } from '../../domain/present.ts'
import type { CallbackRequest, Claim, OpenAccount } from '../operator.ts'
import { jsonOf, textIn } from '../wire-kit.ts'
import { isSameText, isSignedWith } from './crypto.ts'

/** Our own references; whatever else is sent must not reach the database. */
const REFERENCE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A webhook names the session by our reference, and that is all that is taken from it. It may be as
 * old as three days, come several times and in any order: the session is looked up in any case.
 */
export function readCallback({ secrets }: OpenAccount, request: CallbackRequest): Claim {
  const reference = textIn(jsonOf(request.raw), 'data', 'client_reference')
  return {
    isGenuine: isGenuine(String(secrets.webhookSecret), request),
    reply: { status: 200 },
    ...present({ reference: REFERENCE.test(reference ?? '') ? reference : undefined }),
  }
}

/** Each webhook is set up with a signature, or with the secret itself. */
function isGenuine(secret: string, { headers, raw }: CallbackRequest): boolean {
  const signature = one(headers['wave-signature'])
  if (signature !== undefined) return isSignedWith(secret, signature, raw)
  return isSameText(one(headers.authorization) ?? '', `Bearer ${secret}`)
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value
