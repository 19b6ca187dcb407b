import type { Writable } from '../domain/present.ts'
import { remember } from '../domain/remember.ts'
import { LIFETIMES } from '../domain/timing.ts'
import { type AddressPolicy, checkUrl } from '../outbound/address-guard.ts'
import type { Sent } from '../outbound/exchange.ts'
import { type Sender, SHUTTING_DOWN } from '../outbound/request.ts'
import {
  prepareTarget,
  type SignatureEncoding,
  signRequest,
  type Target,
} from '../signing/http-signature.ts'
import type { SigningKey } from '../signing/keys.ts'

export const CALLBACK_CONTENT_TYPE = 'application/json'
export const SIGNATURE_LIFETIME_SECONDS = LIFETIMES.signatureSeconds

/** One request that is to be sent, complete but for its signature. */
export type Job = {
  readonly url: string
  readonly body: string
  /** Undefined for a merchant who does not want signatures. */
  readonly signing: Signing | undefined
  /** Sandbox: the receiver is not called, and the attempt fails. */
  readonly isSetToFail: boolean
  /** Sent beside the others, and not signed: what the attempt is part of, where it is traced. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined
}

export type Signing = {
  readonly key: SigningKey
  /** As the merchant knows the key. */
  readonly keyId: string
  readonly encoding: SignatureEncoding
  readonly at: number
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
  /** It failed through no fault of the receiver: surely not sent, or nobody knows. */
  readonly fault?: 'NOT_SENT' | 'UNKNOWN'
}

/** Signs and sends. Never throws for a receiver. */
export type Dispatch = {
  send(job: Job): Promise<Delivery>
  /** What is under way fails, and so does what comes later. */
  cutOff(): void
  /** The same, and everything is given up that was in use. */
  close(): Promise<void>
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

export function createDispatch(sender: Sender, policy: AddressPolicy): Dispatch {
  const endpointOf = remember(ENDPOINTS_KEPT, (text): Endpoint => {
    const checked = checkUrl(text, policy)
    return checked.ok
      ? { url: checked.url, target: prepareTarget(checked.url) }
      : { refusal: checked.reason }
  })

  return {
    send: async (job) => {
      const endpoint = endpointOf(job.url)
      if ('refusal' in endpoint) return { durationMs: 0, reason: endpoint.refusal }
      const { headers, facts } = headersFor(job.body, job.signing, endpoint.target)
      if (job.isSetToFail) return { ...facts, ...SET_TO_FAIL }
      const { traceHeaders } = job
      const all = traceHeaders === undefined ? headers : { ...headers, ...traceHeaders }
      return deliveryOf(await sender.post(endpoint.url, all, job.body), facts)
    },
    cutOff: () => void sender.cutOff(),
    close: sender.cutOff,
  }
}

type SignatureFacts = Pick<Delivery, 'signedAt' | 'keyId' | 'signature'>

/** Field by field: every callback comes by here, and to spread what may be absent takes far longer. */
function deliveryOf(sent: Sent, facts: SignatureFacts | undefined): Delivery {
  const delivery: Writable<Delivery> = { durationMs: sent.durationMs }
  if (facts?.signedAt !== undefined) delivery.signedAt = facts.signedAt
  if (facts?.keyId !== undefined) delivery.keyId = facts.keyId
  if (facts?.signature !== undefined) delivery.signature = facts.signature
  if (sent.kind === 'failed') {
    delivery.reason = sent.reason
    // The receiver may have it or not, and has done nothing wrong.
    if (sent.reason === SHUTTING_DOWN) delivery.fault = 'UNKNOWN'
    return delivery
  }
  delivery.httpStatus = sent.status
  delivery.answer = sent.body
  const { retryAfter } = sent.headers
  if (retryAfter !== undefined) delivery.retryAfter = retryAfter
  return delivery
}

/** The headers of a request, and what is kept of its signature. */
export function headersFor(body: string, signing: Signing | undefined, target: Target) {
  if (signing === undefined) return { headers: { 'Content-Type': CALLBACK_CONTENT_TYPE } }
  const { key, keyId, encoding, at } = signing
  const { headers } = signRequest({
    method: 'POST',
    target,
    body,
    contentType: CALLBACK_CONTENT_TYPE,
    key: key.id === keyId ? key : { ...key, id: keyId },
    encoding,
    nowMs: at,
    lifetimeSeconds: SIGNATURE_LIFETIME_SECONDS,
  })
  return { headers, facts: { signedAt: at, keyId, signature: headers.Signature } }
}
