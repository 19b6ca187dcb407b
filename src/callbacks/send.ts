import { keyIdFor, type Merchant } from '../domain/accounts/merchant.ts'
import type { CallbackSubject } from '../domain/callbacks/callback-subject.ts'
import { type AddressPolicy, checkUrl } from '../outbound/address-guard.ts'
import type { Sender } from '../outbound/request.ts'
import { prepareTarget, signRequest, type Target } from '../signing/http-signature.ts'
import type { SigningKey } from '../signing/keys.ts'
import {
  CALLBACK_CONTENT_TYPE,
  callbackBody,
  type LinkOf,
  SIGNATURE_LIFETIME_SECONDS,
} from './envelope.ts'

/** One attempt to send a callback, freshly signed. Never throws for a receiver. */
export type CallbackSender = {
  send(subject: CallbackSubject, merchant: Merchant, url: string): Promise<Delivery>
  /** What would be sent to an address, freshly signed; nothing is sent. */
  envelope(subject: CallbackSubject, merchant: Merchant, url: string): Envelope
  /** Why an address cannot be used for callbacks, or nothing. */
  refusalOf(url: string): string | undefined
}

export type Envelope = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Delivery = {
  readonly durationMs: number
  readonly signedAt?: number
  readonly keyId?: string
  readonly signature?: string
  readonly httpStatus?: number
  readonly answer?: string
  readonly retryAfter?: string
  /** In plain words, when no answer came from the receiver. */
  readonly reason?: string
}

export type CallbackSenderOptions = {
  readonly sender: Sender
  readonly policy: AddressPolicy
  readonly signingKey: () => SigningKey
  /** The real clock: receivers compare signature times with their own. */
  readonly realNow: () => number
  readonly linkOf: LinkOf
  /** Sandbox: a merchant may have its receiver fail. */
  readonly receiversMayFail: boolean
}

type Endpoint = { readonly url: URL; readonly target: Target } | { readonly refusal: string }

const ENDPOINTS_KEPT = 1000

/** What a receiver that is set to fail answers; the reason says that it was not called. */
const SET_TO_FAIL = {
  durationMs: 0,
  httpStatus: 500,
  answer: '',
  reason:
    'the sandbox answered with 500 in place of the receiver, which was not called: ' +
    'your receiver is set to fail',
} as const

export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const endpoints = new Map<string, Endpoint>()

  const endpointOf = (text: string): Endpoint => {
    const known = endpoints.get(text)
    if (known !== undefined) return known
    const checked = checkUrl(text, options.policy)
    const endpoint = checked.ok
      ? { url: checked.url, target: prepareTarget(checked.url) }
      : { refusal: checked.reason }
    if (endpoints.size >= ENDPOINTS_KEPT) endpoints.clear()
    endpoints.set(text, endpoint)
    return endpoint
  }

  return {
    refusalOf: (url) => {
      const checked = checkUrl(url, options.policy)
      return checked.ok ? undefined : checked.reason
    },
    envelope: (subject, merchant, url) => {
      const { headers, body } = written(subject, merchant, prepareTarget(url), options)
      return { headers, body }
    },
    send: async (subject, merchant, url) => {
      const endpoint = endpointOf(url)
      if ('refusal' in endpoint) return { durationMs: 0, reason: endpoint.refusal }
      const { body, ...signed } = written(subject, merchant, endpoint.target, options)
      if (options.receiversMayFail && merchant.receiverFails)
        return { ...signed.facts, ...SET_TO_FAIL }
      const sent = await options.sender.post(endpoint.url, signed.headers, body)
      const { durationMs } = sent
      if (sent.kind === 'failed') return { ...signed.facts, durationMs, reason: sent.reason }
      const { retryAfter } = sent.headers
      const asked = retryAfter === undefined ? {} : { retryAfter }
      return { ...signed.facts, durationMs, httpStatus: sent.status, answer: sent.body, ...asked }
    },
  }
}

function written(
  subject: CallbackSubject,
  merchant: Merchant,
  target: Target,
  options: CallbackSenderOptions,
) {
  const body = callbackBody(subject, options.linkOf)
  if (merchant.signedCallbacks) return { body, ...sign(body, target, merchant, options) }
  return { body, headers: { 'Content-Type': CALLBACK_CONTENT_TYPE }, facts: {} }
}

function sign(body: string, target: Target, merchant: Merchant, options: CallbackSenderOptions) {
  const current = options.signingKey()
  const key = { ...current, id: keyIdFor(merchant, current.id) }
  const signedAt = options.realNow()
  const { headers } = signRequest({
    method: 'POST',
    target,
    body,
    contentType: CALLBACK_CONTENT_TYPE,
    key,
    encoding: merchant.ecdsaEncoding,
    nowMs: signedAt,
    lifetimeSeconds: SIGNATURE_LIFETIME_SECONDS,
  })
  return { headers, facts: { signedAt, keyId: key.id, signature: headers.Signature } }
}
