/** Signs requests, and checks that the answers to them are signed by the service. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { prepareTarget, type SignedHeaders, signRequestWith } from '../../signing/http-signature.ts'
import { openPublicKey } from '../../signing/public-keys.ts'
import { signBytes } from '../../signing/sign-bytes.ts'
import type { ProblemCode } from '../../signing/signature-problems.ts'
import { answerProblem } from '../../signing/verify-answer.ts'
import { createKeyStore, FRESH_FOR_MS, opened, type PublishedKey } from '../service-keys.ts'
import type { OPERATIONS } from './api/operations.ts'
import type { Received } from './attempt.ts'
import { MalipoError, SignatureError } from './errors.ts'

export type SigningOptions = {
  /** Under which the account has the public key. */
  readonly keyId: string
  /** EC P-256, EC P-384 or RSA, as PEM or as a key object. */
  readonly privateKey: string | KeyObject
  /**
   * The public keys of the service, where they reached you on another way than from the service
   * itself. Without them they are fetched from it, and again when they change.
   */
  readonly serviceKeys?: readonly PublishedKey[]
}

export type Signer = {
  /** Has the keys at hand that the answer is checked with: before anything is sent. */
  prepare(signal: AbortSignal | undefined): Promise<void>
  headers(method: string, url: URL, body: string): SignedHeaders
  /** Throws where the answer cannot be believed. */
  check(name: string, sent: unknown, received: Received, answer: unknown): Promise<void>
}

const LIFETIME_SECONDS = 60

type Signable = {
  [Name in keyof typeof OPERATIONS]: (typeof OPERATIONS)[Name]['isSignable'] extends true
    ? Name
    : never
}[keyof typeof OPERATIONS]

/** What an answer is about. A signed answer to another payment is not an answer to this one. */
const ID_FIELDS: Readonly<Record<Signable, string>> = {
  initiateDeposit: 'depositId',
  initiatePayout: 'payoutId',
  initiateBulkPayouts: 'payoutId',
  initiateRefund: 'refundId',
  initiateRemittance: 'remittanceId',
  initiateBulkRemittances: 'remittanceId',
  initiateSplitPayment: 'splitPaymentId',
}

export function createSigner(
  options: SigningOptions,
  fetchKeys: () => Promise<readonly PublishedKey[]>,
): Signer {
  const { keyId, privateKey: given, serviceKeys } = options
  if (!/^[ !#-[\]-~]+$/.test(keyId)) {
    throw new TypeError(`The key id ${JSON.stringify(keyId)} cannot be written into a signature`)
  }
  const privateKey = typeof given === 'string' ? createPrivateKey(given) : given
  const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  // The last one a key can do is the strongest: PSS for RSA.
  const algorithm = openPublicKey(pem).algorithms.at(-1) ?? 'ecdsa-p256-sha256'
  let trouble: unknown
  const store = createKeyStore(
    () =>
      fetchKeys().catch((error: unknown) => {
        trouble = error
        throw error
      }),
    Date.now,
  )
  const keys = serviceKeys === undefined ? store.keys : () => serviceKeys

  const problemOf = ({ status, headers, bytes: body }: Received) =>
    answerProblem(
      { status, body, rawHeaders: [...headers].flat() },
      (id) => keys().flatMap((one) => (one.id === id ? (opened(one) ?? []) : []))[0],
      Date.now(),
    )
  return {
    prepare: async (signal) => {
      signal?.throwIfAborted()
      const isStale = serviceKeys === undefined && store.ageMs() >= FRESH_FOR_MS
      // Without keys nothing can be sent, so each call tries to have them.
      if (isStale) await store.fetch(keys().length === 0)
      if (keys().length > 0) return
      if (trouble instanceof MalipoError) throw trouble
      throw new SignatureError('NO_KEYS', `The service's keys cannot be read: ${store.trouble()}`)
    },
    headers: (method, url, body) =>
      signRequestWith(
        {
          ...{ method, target: prepareTarget(url), body, contentType: 'application/json' },
          ...{ keyId, algorithm, nowMs: Date.now(), lifetimeSeconds: LIFETIME_SECONDS },
        },
        (text) => signBytes(algorithm, privateKey, text),
      ),
    check: async (name, sent, received, answer) => {
      let problem = problemOf(received)
      if (problem?.code === 'UNKNOWN_KEY' && serviceKeys === undefined) {
        await store.fetch()
        problem = problemOf(received)
      }
      if (problem !== undefined) throw new SignatureError(problem.code, reasonOf(problem))
      const field = ID_FIELDS[name as Signable]
      if (idsIn(sent, field) === idsIn(answer, field) || isOfWhole(answer, sent)) return
      const message = 'The answer is signed, but it is about another payment.'
      throw new SignatureError('OTHER_PAYMENT', message)
    },
  }
}

const idsIn = (value: unknown, field: string): string =>
  [value]
    .flat()
    .map((one) => String(Object(one)[field]))
    .join(' ')

/** The refusal of a list is not about one of it. */
const isOfWhole = (answer: unknown, sent: unknown): boolean =>
  Array.isArray(sent) && Object(answer).status === 'REJECTED'

function reasonOf({ code, message }: { code: ProblemCode; message: string }): string {
  return REASONS[code] ?? `The signature of the answer is not good. ${message}`
}

/** Where the words for a sender of requests would puzzle the reader of an answer. */
const REASONS: Readonly<Partial<Record<ProblemCode, string>>> = {
  NOT_SIGNED:
    'The answer is not signed. Check that the account has your public key under this key id, and ' +
    'that no proxy changes the request.',
  UNKNOWN_KEY: 'The answer names a key that is none of the public keys of the service.',
  CREATED_AHEAD: 'The answer was signed in the future: check the clock of this machine.',
  EXPIRED: 'The signature of the answer has expired: it is an old one, or a clock is wrong.',
  WRONG_DIGEST: 'The answer is not the one that was signed.',
  NOT_VERIFIED: 'The signature of the answer does not verify.',
}
