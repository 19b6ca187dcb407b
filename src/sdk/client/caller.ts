/** Makes a call of the API, again where that is safe, until there is an answer to it. */
import type { Calls } from './api/calls.ts'
import { OPERATIONS } from './api/operations.ts'
import type { FailureReason } from './api/shared.ts'
import { type Attempt, attemptOnce, type Received } from './attempt.ts'
import { AuthorisationError, ConnectionError, RequestError, ServiceError } from './errors.ts'
import { LONGEST_RETRY_AFTER_MS, pause, pauseBefore, readRetryAfter } from './pauses.ts'
import type { Signer } from './signer.ts'

export type CallOptions = {
  /** Gives up as soon as it is aborted. */
  readonly signal?: AbortSignal
  /** For each attempt; that of the client by default. */
  readonly timeoutMs?: number
}

type Operation = keyof Calls

/** What an operation takes: identifiers in its path, a query, a body. */
type Input<Name extends Operation> = (Calls[Name] extends {
  readonly params: infer Params extends string
}
  ? { readonly params: Readonly<Record<Params, string>> }
  : unknown) &
  (Calls[Name] extends { readonly query: infer Query } ? { readonly query: Query } : unknown) &
  (Calls[Name] extends { readonly body: infer Body } ? { readonly body: Body } : unknown)

export type Refused = { readonly status: 'REJECTED'; readonly failureReason: FailureReason }

type AnswerTo<Name extends Operation> =
  | Calls[Name]['answer']
  | ((typeof OPERATIONS)[Name]['method'] extends 'POST' ? Refused : never)

export type Call = <Name extends Operation>(
  name: Name,
  input: Input<Name>,
  options?: CallOptions,
) => Promise<AnswerTo<Name>>

type CallerOptions = {
  readonly baseUrl: string
  readonly token: string
  readonly retries: number
  readonly timeoutMs: number
}

/**
 * Repeated, these would do something twice, or be refused because the first one was done: they are
 * sent again only when surely nothing happened.
 */
const NOT_REPEATED: ReadonlySet<Operation> = new Set([
  'requestStatement',
  'cancelEnqueuedPayout',
  'cancelEnqueuedRefund',
  'cancelEnqueuedRemittance',
  'expireCheckout',
])

type AnyInput = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

export function createCaller(options: CallerOptions, signer: Signer | undefined): Call {
  const send = async (name: Operation, input: AnyInput, callOptions: CallOptions) => {
    const signs = OPERATIONS[name].isSignable ? signer : undefined
    await signs?.prepare(callOptions.signal)
    const received = await persist(name, callOptions.signal, options.retries, () =>
      attemptOnce(requestOf(options, name, input, callOptions, signs)),
    )
    const answer = readAnswer(OPERATIONS[name].method, received)
    await signs?.check(name, input.body, received, answer)
    return answer
  }
  // The answers are what the document says of them: a test calls every operation.
  return (name, input, callOptions = {}) => send(name, input as AnyInput, callOptions) as never
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

function requestOf(
  { baseUrl, token, timeoutMs }: CallerOptions,
  name: Operation,
  { params = {}, query = {}, body }: AnyInput,
  callOptions: CallOptions,
  signer: Signer | undefined,
) {
  const { method, path } = OPERATIONS[name]
  const place = path.replaceAll(/\{(\w+)\}/g, (_, one) => encodeURIComponent(params[one] ?? ''))
  const url = new URL(baseUrl + place)
  for (const [one, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(one, value)
  }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    // Signed afresh for each attempt: the service may accept a signature only once.
    ...(text === undefined ? {} : (signer?.headers(method, url, text) ?? JSON_TYPE)),
  }
  return {
    ...{ method, url: url.href, headers, body: text },
    timeoutMs: callOptions.timeoutMs ?? timeoutMs,
    signal: callOptions.signal,
  }
}

/** Attempts until one is answered for good, or none is left; each is the very same request. */
async function persist(
  name: Operation,
  signal: AbortSignal | undefined,
  retries: number,
  attempt: () => Promise<Attempt>,
): Promise<Received> {
  for (let made = 1; ; made += 1) {
    const { received, fault } = await attempt()
    const retryAfterMs = readRetryAfter(received?.headers.get('retry-after') ?? null, Date.now())
    const isLast = made > retries || (retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS
    if (received !== undefined && (isLast || !isWorthRepeating(name, received.status))) {
      return received
    }
    if (received === undefined && (isLast || NOT_REPEATED.has(name))) {
      throw new ConnectionError(made, fault)
    }
    await pause(pauseBefore(made, retryAfterMs), signal)
  }
}

/** With 429 and 503 nothing was stored. After another 5xx that is not known, but it is after one. */
const isWorthRepeating = (name: Operation, status: number): boolean =>
  status === 429 || status === 503 || (status >= 500 && !NOT_REPEATED.has(name))

function readAnswer(method: string, { status, headers, bytes }: Received): unknown {
  const body = readJson(bytes)
  const reason = failureReasonIn(body)
  if (status >= 200 && status < 300 && body !== undefined) return body
  if (status === 401 || status === 403) throw new AuthorisationError(status, reason)
  const isRefusal = method === 'POST' && statusIn(body) === 'REJECTED' && reason !== undefined
  if (isRefusal && (status === 400 || status === 404)) return body
  if (status >= 400 && status < 500 && status !== 429) throw new RequestError(status, reason)
  throw new ServiceError(status, reason, readRetryAfter(headers.get('retry-after'), Date.now()))
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const statusIn = (body: unknown): unknown => Object(body).status

function failureReasonIn(body: unknown): FailureReason | undefined {
  const reason = Object(Object(body).failureReason)
  return typeof reason.failureCode === 'string' ? reason : undefined
}
