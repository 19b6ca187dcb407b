import { gunzipSync } from 'node:zlib'
import { pageName } from './props.ts'
import type { FuzzRequest } from './requests.ts'
import type { WireAnswer } from './wire.ts'

/** What is wrong with an answer; undefined if nothing is. */
export function faultOf(request: FuzzRequest, answer: WireAnswer): string | undefined {
  const { status, headers, body } = answer
  const isShed = status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '')
  // A node that is joining again answers that it is not ready.
  const isNotReady = status === 503 && request.target.path === '/readyz'
  if (status >= 500 && !isShed && !isNotReady) return `status ${status}`
  if (!/^[\w-]{10,}$/.test(headers.get('x-request-id') ?? '')) return 'no request id'
  if (status >= 400 && LEAKS.test(body)) return 'it leaks internals'
  if (status === 405 && !isText(headers.get('allow'))) return 'no Allow header'
  if (status === 303 && !isText(headers.get('location'))) return 'no Location header'
  if (request.method === 'HEAD' || status === 204) return undefined
  const type = headers.get('content-type')
  if (type?.startsWith('application/json') !== true) {
    const isFine = isPage(request) && (status === 303 || PAGE_TYPES.test(type ?? ''))
    return isFine ? undefined : `content type ${type}`
  }
  const value = parsed(isZipped(headers) ? unzipped(body) : body)
  if (value === undefined) return 'its body is not JSON'
  if (status < 400 || request.target.generation === 'page') return undefined
  // If the request was too long or too slow to be read, its path is not known.
  const isUnread = status === 431 || status === 408
  return isUnread || isCurrent(request.address) ? currentFault(value) : earlierFault(value)
}

/** Pages, statements, pictures and metrics. */
const PAGE_TYPES = /^(text\/(html|plain|csv)|application\/gzip|image\/(png|svg\+xml))\b/

const isZipped = (headers: WireAnswer['headers']): boolean =>
  headers.get('content-encoding') === 'gzip'

/** Bodies are read as latin1: one character for each byte. */
const unzipped = (body: string): string => gunzipSync(Buffer.from(body, 'latin1')).toString()

/** Stack traces, folders, SQL. */
const LEAKS = /\bat \S+ \(|node_modules|node:internal|\/src\/|syntax error at or near|relation "/

/** A change of its path may have turned a call into that of a page. */
const isPage = ({ target, address }: FuzzRequest): boolean =>
  target.generation === 'page' || PAGES.test(pathOf(address))

const PAGES = /^\/(\?|$|(pay|checkout|statements|assets|docs|sandbox)(\/|\?|$))/

/** The path alone decides the generation. */
const isCurrent = (address: string): boolean =>
  /^\/(v2|sandbox|callbacks|payments)(\/|\?|$)/.test(pathOf(address))

const pathOf = (address: string): string =>
  address.replace(/^http:\/\/[^/]*/, '').replaceAll(/\/{2,}/g, '/')

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely
type Json = any

function currentFault(value: Json): string | undefined {
  const { failureReason, status, ...rest } = value
  const isReason =
    /^[A-Z_]+$/.test(failureReason?.failureCode) && isText(failureReason?.failureMessage)
  if (!isReason) return 'not the error of the current generation'
  if (status !== undefined && status !== 'REJECTED') return `a refusal with the status ${status}`
  const names = Object.keys(rest)
  return names.every((name) => name.endsWith('Id')) ? undefined : `a refusal with ${names}`
}

function earlierFault(value: Json): string | undefined {
  const isError =
    /^[0-9a-f-]{36}$/.test(value?.errorId) &&
    Number.isInteger(value?.errorCode) &&
    isText(value?.errorMessage) &&
    Object.keys(value).length === 3
  return isError ? undefined : 'not the error of the earlier generation'
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The call succeeded; some say in their body that it did not. */
export const isDone = ({ status, body }: WireAnswer): boolean =>
  status < 400 && body !== '[]' && !/^\[?{.{0,70}"status":"(REJECTED|NOT_FOUND)"/.test(body)

/** Everything that is stored now according to the answer, as `name/id`. */
export function acceptedIn(request: FuzzRequest, { status, body }: WireAnswer): readonly string[] {
  if (!request.target.starts || status >= 300 || request.method !== 'POST') return []
  return [...acceptedOf(parsed(body))]
}

const STORED: ReadonlySet<unknown> = new Set(['ACCEPTED', 'ENQUEUED'])

function* acceptedOf(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* acceptedOf(one)
  else if (typeof value === 'object' && value !== null) {
    const page = /\/pay\/([^/]+)$/.exec(String(value.redirectUrl))?.[1]
    if (page !== undefined) yield pageName(page)
    const entry = Object.entries(value).find(([name]) => name.endsWith('Id'))
    // A checkout that existed before is answered with its address too.
    if (STORED.has(value.status) && typeof entry?.[1] === 'string') {
      yield `${entry[0].slice(0, -2)}/${entry[1].toLowerCase()}`
    }
    for (const one of Object.values(value)) yield* acceptedOf(one)
  }
}
