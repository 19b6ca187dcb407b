/**
 * For programs that receive callbacks; `examples/node/receiver.mjs` shows how.
 * Tells whether a request was signed by the service, over the very bytes that came.
 */
import type { ProblemCode } from '../signing/signature-problems.ts'
import { verifyRequest } from '../signing/verify-request.ts'
import { createKeyStore, FRESH_FOR_MS, opened, type PublishedKey } from './service-keys.ts'

export type { PublishedKey } from './service-keys.ts'

/** A request as it came. The body must be the raw bytes: parsed and written again, it differs. */
export type ReceivedCallback = {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array | string
}

export type Verification =
  | { readonly ok: true; readonly keyId: string }
  /** `reason` says in plain words what is wrong with the signature. */
  | { readonly ok: false; readonly code: string; readonly reason: string }

export type VerifierOptions = {
  /** The base address of the service, whose public keys are fetched and kept. */
  readonly service: string
  /**
   * The address of this receiver, as set in the service. A signature is for one address; read
   * from the Host header, that would be whatever the sender likes.
   */
  readonly callbackUrl: string
  /**
   * The short name of the account, where the service signs under key ids of its own for it: then
   * callbacks that were signed for another account are refused.
   */
  readonly account?: string
  readonly fetchKeys?: (address: string) => Promise<readonly PublishedKey[]>
  readonly now?: () => number
}

export type CallbackVerifier = (callback: ReceivedCallback) => Promise<Verification>

/**
 * Fetches the keys, and again when they are five minutes old or a callback names one that is not
 * known yet; while that fails, it trusts those it has for an hour. Never throws: without keys the
 * code is NO_KEYS, and the callback had better be refused for now.
 */
export function createCallbackVerifier(options: VerifierOptions): CallbackVerifier {
  const now = options.now ?? Date.now
  const address = `${options.service.replace(/\/+$/, '')}/public-key/http`
  const { fetchKeys = download } = options
  const store = createKeyStore(() => fetchKeys(address), now)
  return async (callback) => {
    const check = (): Verification =>
      verifyCallback(callback, store.keys(), { ...options, now: now() })
    if (store.ageMs() >= FRESH_FOR_MS) await store.fetch()
    const verdict = check()
    if (verdict.ok || verdict.code !== 'UNKNOWN_KEY') return verdict
    await store.fetch()
    const trouble = store.trouble()
    if (trouble === undefined) return check()
    const reason = `The public keys of the service cannot be read: ${trouble}.`
    return { ok: false, code: 'NO_KEYS', reason }
  }
}

/** With keys that are at hand. */
export function verifyCallback(
  callback: ReceivedCallback,
  keys: readonly PublishedKey[],
  options: { readonly callbackUrl: string; readonly account?: string; readonly now?: number },
): Verification {
  const own = new URL(options.callbackUrl)
  const verdict = verifyRequest(
    {
      method: callback.method,
      target: own.pathname + own.search,
      defaultPort: own.protocol === 'https:' ? 443 : 80,
      rawHeaders: rawHeadersOf(callback, own.host),
      body: typeof callback.body === 'string' ? Buffer.from(callback.body) : callback.body,
    },
    (keyId) => {
      const found = keys.find(({ id }) => namesFor(id, options.account).includes(keyId))
      return found === undefined ? undefined : opened(found)
    },
    options.now ?? Date.now(),
  )
  if (verdict.ok) return { ok: true, keyId: verdict.keyId }
  const { code, message } = verdict.problem
  return { ok: false, code, reason: REASONS[code] ?? message }
}

/** The list has the names for one account when it was fetched with its token, and others without. */
function namesFor(id: string, account: string | undefined): readonly string[] {
  if (account === undefined) return [id]
  const ending = `@${account}`
  return [id.endsWith(ending) ? id : id + ending]
}

/** Where the words for a sender of requests would puzzle a receiver. */
const REASONS: Readonly<Partial<Record<ProblemCode, string>>> = {
  NOT_SIGNED: 'The callback is not signed.',
  UNKNOWN_KEY:
    'The key that it names is none of the public keys of the service, or not one for this account.',
  CREATED_AHEAD: 'It was signed in the future: check the clock of this machine.',
  EXPIRED: 'Its signature has expired: it is an old one sent again, or a clock is wrong.',
  WRONG_DIGEST: 'The body is not the one that was signed. Verify the raw bytes that came.',
  NOT_VERIFIED:
    'The signature does not verify. Check that callbackUrl is the address that is set in the service.',
}

function rawHeadersOf({ headers }: ReceivedCallback, host: string): readonly string[] {
  const raw = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || name.toLowerCase() === 'host') return []
    return (typeof value === 'string' ? [value] : value).flatMap((one) => [name, one])
  })
  return [...raw, 'host', host]
}

async function download(address: string): Promise<readonly PublishedKey[]> {
  const response = await fetch(address, { signal: AbortSignal.timeout(5000) })
  if (!response.ok) throw new Error(`${address} answered with ${response.status}`)
  return (await response.json()) as readonly PublishedKey[]
}
