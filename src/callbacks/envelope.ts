import type { CallbackSubject } from '../domain/callbacks/callback-subject.ts'
import type { Checkout } from '../domain/hosted/checkout.ts'
import { prepareTarget, signedHeadersAgain } from '../signing/http-signature.ts'
import * as v1 from '../wire/v1/records.ts'
import { type CheckoutLink, fromCheckout } from '../wire/v2/checkouts.ts'
import { fromDeposit } from '../wire/v2/deposits.ts'
import { fromPayout } from '../wire/v2/payouts.ts'
import { fromRefund } from '../wire/v2/refunds.ts'
import { fromRemittance } from '../wire/v2/remittances.ts'
import { fromSplitPayment } from '../wire/v2/split-payments.ts'
import { fromStatement } from '../wire/v2/statements.ts'
import { CALLBACK_CONTENT_TYPE, SIGNATURE_LIFETIME_SECONDS } from './dispatch.ts'

/** The link that a record shows and no table holds. */
export type LinkOf = (checkout: Checkout) => CheckoutLink

/** The body of a callback: the very record of the status check, in the payment's generation. */
export function callbackBody(subject: CallbackSubject, linkOf: LinkOf): string {
  return JSON.stringify(recordOf(subject, linkOf))
}

function recordOf(subject: CallbackSubject, linkOf: LinkOf): object {
  const earlier = subject.generation === 'v1' ? v1.recordOf(subject) : undefined
  if (earlier !== undefined) return earlier
  switch (subject.kind) {
    case 'deposit':
      return fromDeposit(subject)
    case 'payout':
      return fromPayout(subject)
    case 'refund':
      return fromRefund(subject)
    case 'remittance':
      return fromRemittance(subject)
    case 'splitPayment':
      return fromSplitPayment(subject)
    case 'checkout':
      return fromCheckout(subject, linkOf(subject))
    case 'statement':
      return fromStatement(subject)
  }
}

/** What an attempt sent, rebuilt from what was kept: a final payment never changes. */
export function requestOfAttempt(
  subject: CallbackSubject,
  kept: {
    readonly url: string
    readonly signedMs: number | null
    readonly keyId: string | null
    readonly signature: string | null
  },
  linkOf: LinkOf,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = callbackBody(subject, linkOf)
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
