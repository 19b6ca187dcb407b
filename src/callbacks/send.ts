import { keyIdFor, type Merchant } from '../domain/accounts/merchant.ts'
import type { CallbackSubject } from '../domain/callbacks/callback-subject.ts'
import { type AddressPolicy, checkUrl } from '../outbound/address-guard.ts'
import { prepareTarget } from '../signing/http-signature.ts'
import type { SigningKey } from '../signing/keys.ts'
import { type Delivery, type Dispatch, headersFor, type Job, type Signing } from './dispatch.ts'
import { callbackBody, type LinkOf } from './envelope.ts'

/** One attempt to send a callback, freshly signed. Never throws for a receiver. */
export type CallbackSender = {
  send(
    subject: CallbackSubject,
    merchant: Merchant,
    url: string,
    traceHeaders?: Job['traceHeaders'],
  ): Promise<Delivery>
  /** The same with a text that is about nothing: only to see what the receiver makes of it. */
  sendTest(body: string, merchant: Merchant, url: string): Promise<Delivery>
  /** What would be sent to an address, freshly signed; nothing is sent. */
  envelope(subject: CallbackSubject, merchant: Merchant, url: string): Envelope
  /** Why an address cannot be used for callbacks, or nothing. */
  refusalOf(url: string): string | undefined
}

type Envelope = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type CallbackSenderOptions = {
  readonly dispatch: Dispatch
  readonly policy: AddressPolicy
  readonly signingKey: () => SigningKey
  /** The real clock: receivers compare signature times with their own. */
  readonly realNow: () => number
  readonly linkOf: LinkOf
  /** Sandbox: a merchant may have its receiver fail. */
  readonly receiversMayFail: boolean
}

export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const { dispatch, policy, signingKey, realNow, linkOf, receiversMayFail } = options

  const signingFor = (merchant: Merchant): Signing | undefined => {
    if (!merchant.signedCallbacks) return undefined
    const key = signingKey()
    const keyId = keyIdFor(merchant, key.id)
    return { key, keyId, encoding: merchant.ecdsaEncoding, at: realNow() }
  }

  const jobOf = (body: string, merchant: Merchant, url: string): Job => ({
    url,
    body,
    signing: signingFor(merchant),
    isSetToFail: receiversMayFail && merchant.receiverFails,
  })

  return {
    refusalOf: (url) => {
      const checked = checkUrl(url, policy)
      return checked.ok ? undefined : checked.reason
    },
    envelope: (subject, merchant, url) => {
      const body = callbackBody(subject, linkOf)
      const { headers } = headersFor(body, signingFor(merchant), prepareTarget(url))
      return { headers, body }
    },
    send: (subject, merchant, url, traceHeaders) => {
      const job = jobOf(callbackBody(subject, linkOf), merchant, url)
      return dispatch.send(traceHeaders === undefined ? job : { ...job, traceHeaders })
    },
    sendTest: (body, merchant, url) => dispatch.send(jobOf(body, merchant, url)),
  }
}
