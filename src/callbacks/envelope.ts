import type { Payment } from '../domain/payment.ts'
import { prepareTarget, signedHeadersAgain } from '../signing/http-signature.ts'
import { fromDeposit } from '../wire/v2/deposits.ts'

/** The body of a callback: the very record of the status check, in the payment's generation. */
export function callbackBody(payment: Payment): string {
  return JSON.stringify(fromDeposit(payment))
}

export const CALLBACK_CONTENT_TYPE = 'application/json'
export const SIGNATURE_LIFETIME_SECONDS = 60

/** What an attempt sent, rebuilt from what was kept: a final payment never changes. */
export function requestOfAttempt(
  payment: Payment,
  kept: {
    readonly url: string
    readonly signedMs: number | null
    readonly keyId: string | null
    readonly signature: string | null
  },
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = callbackBody(payment)
  const { url, signedMs, keyId, signature } = kept
  if (signedMs === null || keyId === null || signature === null || !URL.canParse(url)) {
    return { headers: url === '' ? {} : { 'Content-Type': CALLBACK_CONTENT_TYPE }, body }
  }
  const request = {
    method: 'POST',
    target: prepareTarget(url),
    body,
    contentType: CALLBACK_CONTENT_TYPE,
    keyId,
    nowMs: Math.round(signedMs),
    lifetimeSeconds: SIGNATURE_LIFETIME_SECONDS,
  }
  return { headers: signedHeadersAgain(request, signature), body }
}
