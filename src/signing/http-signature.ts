/**
 * HTTP message signatures (RFC 9421) as receivers of this API expect them. They compare texts, so
 * the order of components and parameters is part of the contract.
 */
import { sign } from 'node:crypto'
import { contentDigest, type DigestAlgorithm } from './digest.ts'
import type { SigningKey } from './keys.ts'
import type { Algorithm } from './public-keys.ts'

export type SignatureEncoding = 'DER' | 'RAW'

/** The parts of a URL that a signature covers, taken out once and used for many requests. */
export type Target = {
  readonly authority: string
  readonly path: string
}

export type RequestToSign = {
  readonly method: string
  readonly target: Target
  readonly body: Uint8Array | string
  readonly contentType: string
  readonly key: SigningKey
  readonly encoding: SignatureEncoding
  readonly nowMs: number
  readonly lifetimeSeconds: number
}

export type SignedHeaders = {
  readonly 'Content-Type': string
  readonly 'Content-Digest': string
  readonly 'Signature-Date': string
  readonly Signature: string
  readonly 'Signature-Input': string
  readonly 'Accept-Signature': string
  readonly 'Accept-Digest': string
}

/** A component name without quotes, and its value: `['@method', 'POST']`. */
export type CoveredComponent = readonly [name: string, value: string]

type SignatureParams = {
  readonly alg: string
  readonly keyid: string
  readonly created: number
  readonly expires: number
}

export function signRequest(request: RequestToSign): { readonly headers: SignedHeaders } {
  const { key, encoding } = request
  const draft = draftRequest(request, key.id)
  return { headers: draft.headersWith(`${LABEL}=:${signBase(draft.base, key, encoding)}:`) }
}

/** The same with any kind of key; `signBytes` makes the signature of a text. */
export function signRequestWith(
  request: Omit<RequestToSign, 'key' | 'encoding'> & {
    readonly keyId: string
    readonly algorithm: Algorithm
  },
  signBytes: (text: Buffer) => Buffer,
): SignedHeaders {
  const draft = draftRequest(request, request.keyId, request.algorithm)
  const signature = signBytes(Buffer.from(draft.base)).toString('base64')
  return draft.headersWith(`${LABEL}=:${signature}:`)
}

/** The headers of a request that was signed before, from what was kept of it. */
export function signedHeadersAgain(
  request: Omit<RequestToSign, 'key' | 'encoding'> & { readonly keyId: string },
  signature: string,
): SignedHeaders {
  return draftRequest(request, request.keyId).headersWith(signature)
}

function draftRequest(
  request: Omit<RequestToSign, 'key' | 'encoding'>,
  keyId: string,
  alg: Algorithm = ALGORITHM,
) {
  const { target, nowMs, contentType } = request
  const digest = contentDigest(request.body, 'sha-512')
  const date = new Date(nowMs).toISOString()
  const created = Math.floor(nowMs / 1000)
  const expires = created + request.lifetimeSeconds
  const params = signatureParams(REQUEST_LIST, { alg, keyid: keyId, created, expires })
  const covered: readonly CoveredComponent[] = [
    ['@method', request.method.toUpperCase()],
    ['@authority', target.authority],
    ['@path', target.path],
    ['signature-date', date],
    ['content-digest', digest],
    ['content-type', contentType],
  ]
  return {
    base: signatureBase(covered, params),
    headersWith: (signature: string): SignedHeaders => ({
      'Content-Type': contentType,
      'Content-Digest': digest,
      'Signature-Date': date,
      Signature: signature,
      'Signature-Input': `${LABEL}=${params}`,
      'Accept-Signature': ACCEPTED_SIGNATURES,
      'Accept-Digest': ACCEPTED_DIGESTS,
    }),
  }
}

type AnswerToSign = {
  readonly status: number
  readonly body: string
  readonly contentType: string
  readonly digest: DigestAlgorithm
  readonly key: SigningKey
  readonly encoding: SignatureEncoding
  readonly nowMs: number
  readonly lifetimeSeconds: number
}

export type SignedAnswerHeaders = {
  readonly 'content-digest': string
  readonly 'signature-date': string
  readonly signature: string
  readonly 'signature-input': string
}

/** The content type is covered and not among the headers: the answer has it already. */
export function signAnswer(answer: AnswerToSign): SignedAnswerHeaders {
  const { key, nowMs } = answer
  const digest = contentDigest(answer.body, answer.digest)
  const date = new Date(nowMs).toISOString()
  const created = Math.floor(nowMs / 1000)
  const expires = created + answer.lifetimeSeconds
  const params = signatureParams(ANSWER_LIST, { alg: ALGORITHM, keyid: key.id, created, expires })
  const covered: readonly CoveredComponent[] = [
    ['@status', String(answer.status)],
    ['signature-date', date],
    ['content-digest', digest],
    ['content-type', answer.contentType],
  ]
  const signature = signBase(signatureBase(covered, params), key, answer.encoding)
  return {
    'content-digest': digest,
    'signature-date': date,
    signature: `${LABEL}=:${signature}:`,
    'signature-input': `${LABEL}=${params}`,
  }
}

/** URL already writes the host in lower case and leaves the default port out. */
export function prepareTarget(url: URL | string): Target {
  const { host, pathname } = typeof url === 'string' ? new URL(url) : url
  return { authority: host, path: pathname }
}

/**
 * The text that is signed. `params` is the member of Signature-Input without its label; a verifier
 * passes it as received, because signers differ in the order of parameters.
 */
export function signatureBase(covered: readonly CoveredComponent[], params: string): string {
  let base = ''
  for (const [name, value] of covered) base += `"${name}": ${value}\n`
  return `${base}"@signature-params": ${params}`
}

/** `list` is the text of `componentList`, which callers keep because it never changes. */
export function signatureParams(list: string, params: SignatureParams): string {
  const { alg, keyid, created, expires } = params
  return `${list};alg="${alg}";keyid="${keyid}";created=${created};expires=${expires}`
}

export function componentList(names: readonly string[]): string {
  return `(${names.map((name) => `"${name}"`).join(' ')})`
}

/** Base64 of the ECDSA signature. RAW is the form of the RFC; most receivers expect DER. */
function signBase(base: string, key: SigningKey, encoding: SignatureEncoding): string {
  const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
  return sign('sha256', Buffer.from(base), { key: key.privateKey, dsaEncoding }).toString('base64')
}

const LABEL = 'sig-pp'
const ALGORITHM = 'ecdsa-p256-sha256'
const REQUEST_LIST = componentList([
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
])
const ANSWER_LIST = componentList(['@status', 'signature-date', 'content-digest', 'content-type'])

// Receivers read these two as plain lists, not as the dictionaries of the RFC.
const ACCEPTED_SIGNATURES = 'rsa-pss-sha512,ecdsa-p256-sha256,rsa-v1_5-sha256,ecdsa-p384-sha384'
const ACCEPTED_DIGESTS = 'sha-256,sha-512'
