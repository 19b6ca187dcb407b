import { type Redacted, redact, redactUrl } from '../../domain/accounts/redaction.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Catalog } from '../../providers/catalog.ts'
import {
  deleteRequestsBefore,
  insertRequests,
  type StoredRequest,
} from '../../store/accounts/api-requests.ts'
import type { Db } from '../../store/engine/database.ts'
import { createTurns } from '../../store/engine/turns.ts'
import type { Log } from '../context.ts'
import type { Caller } from './merchant-directory.ts'

/**
 * What merchants asked of the API, for the people of the merchant. A request costs a reference in a
 * list: what is secret or personal is taken out by the writer, which follows each heartbeat with a
 * bounded number of them. What comes faster than that is dropped and counted, what was answered well
 * before what was refused. A crash loses the requests of a second or so.
 */
export type RequestLog = {
  note(request: ServedRequest): void
  /** Writes what waits, up to a bound; a failure costs these requests and nothing else. */
  flush(): Promise<void>
  /** Deletes what is too old. */
  sweep(): Promise<void>
}

/** References to what is there already; nothing is made for it. */
export type ServedRequest = {
  /** When it was answered. */
  readonly at: number
  readonly caller: Caller
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly status: number
  /** Since the request was complete. */
  readonly durationMs: number
  /** What was read of it as JSON. */
  readonly body: unknown
  readonly bodyBytes: number
  readonly answer: object | undefined
  readonly answerBytes: number
}

/**
 * In memory at once: of all merchants, and of one. The last part of the room is for what was refused:
 * that is what people look for.
 */
const WAITING_MAX = 1200
const WELL_ANSWERED_MAX = 900
const OF_ONE_MAX = 600
const WELL_ANSWERED_OF_ONE_MAX = 450
/** Of all bodies that wait, as they were sent. */
const BYTES_MAX = 4 * 1024 * 1024
/** Larger ones are not kept. */
const BODY_MAX = 16 * 1024
/** After a heartbeat, in some writes. */
const FLUSH_MAX = 200
const WRITE_MAX = 100
const SWEPT_AT_ONCE = 2000

type RequestLogParts = {
  readonly db: Db
  readonly realNow: () => number
  readonly catalog: Catalog
  readonly log: Log
  readonly dropped: () => void
}

export function createRequestLog({
  db,
  realNow,
  catalog,
  log,
  dropped,
}: RequestLogParts): RequestLog {
  const inTurn = createTurns()
  const room = createRoom()
  let sweptAt = Number.NEGATIVE_INFINITY
  let hasMore = false

  const write = async (): Promise<void> => {
    for (let left = FLUSH_MAX; left > 0; left -= WRITE_MAX) {
      const taken = room.take(WRITE_MAX)
      if (taken.length === 0) return
      try {
        await insertRequests(
          db,
          taken.map((one) => storedOf(one, catalog)),
        )
      } catch (error) {
        for (const _ of taken) dropped()
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ reason, requests: taken.length }, 'requests are missing from the request log')
        return
      }
    }
  }
  return {
    note: (request) => {
      if (!room.put(withoutLarge(request))) dropped()
    },
    flush: () => inTurn(write),
    sweep: async () => {
      if (!hasMore && realNow() - sweptAt < UPKEEP.requestsSweptEveryMs) return
      sweptAt = realNow()
      const before = sweptAt - LIFETIMES.apiRequestMs
      // The next heartbeat goes on with the rest.
      hasMore = (await deleteRequestsBefore(db, before, SWEPT_AT_ONCE)) >= SWEPT_AT_ONCE
    },
  }
}

/** What waits to be written. */
function createRoom() {
  const countOf = new Map<MerchantId, number>()
  let waiting: ServedRequest[] = []
  let bytes = 0
  return {
    put: (request: ServedRequest): boolean => {
      const { id } = request.caller.merchant
      const count = countOf.get(id) ?? 0
      if (waiting.length >= WAITING_MAX || count >= OF_ONE_MAX) return false
      const isTight = waiting.length >= WELL_ANSWERED_MAX || count >= WELL_ANSWERED_OF_ONE_MAX
      if (isTight && !isRefused(request)) return false
      const size = sizeOf(request)
      if (bytes + size > BYTES_MAX) return false
      countOf.set(id, count + 1)
      bytes += size
      waiting.push(request)
      return true
    },
    take: (max: number): readonly ServedRequest[] => {
      const taken = waiting.slice(0, max)
      waiting = waiting.slice(max)
      for (const request of taken) {
        const { id } = request.caller.merchant
        const left = (countOf.get(id) ?? 1) - 1
        if (left === 0) countOf.delete(id)
        else countOf.set(id, left)
        bytes -= sizeOf(request)
      }
      return taken
    },
  }
}

const sizeOf = ({ body, bodyBytes, answer, answerBytes }: ServedRequest): number =>
  (body === undefined ? 0 : bodyBytes) + (answer === undefined ? 0 : answerBytes)

function withoutLarge(request: ServedRequest): ServedRequest {
  const { bodyBytes, answerBytes } = request
  if (bodyBytes <= BODY_MAX && answerBytes <= BODY_MAX) return request
  return {
    ...request,
    ...(bodyBytes > BODY_MAX ? { body: undefined } : {}),
    ...(answerBytes > BODY_MAX ? { answer: undefined } : {}),
  }
}

/** In the answer to an initiation it is the word that counts, not the status. */
const isRefused = ({ status, answer }: ServedRequest): boolean =>
  status >= 400 || (answer !== undefined && 'status' in answer && answer.status === 'REJECTED')

/** Controls of the sandbox show codes and PINs in all sorts of places: their bodies are left out. */
const isControl = (url: string): boolean => url.startsWith('/sandbox')

function storedOf(request: ServedRequest, catalog: Catalog): StoredRequest {
  const { caller, at, requestId, method, url, status, durationMs } = request
  const isOpen = !isControl(url)
  const asked = redact(isOpen ? request.body : undefined, false)
  const answer = redact(isOpen ? request.answer : undefined, true)
  return {
    merchantId: caller.merchant.id,
    at: at - Math.round(durationMs),
    requestId,
    tokenId: caller.tokenId,
    method,
    path: redactUrl(url).slice(0, PATH_MAX),
    status,
    ...outcomeOf(answer.value),
    durationMs,
    ids: [...new Set([...idsIn(url), ...asked.ids, ...answer.ids])].slice(0, IDS_MAX),
    countries: countriesOf([asked, answer], catalog),
    requestBody: textOf(asked.value),
    requestBytes: request.bodyBytes,
    answerBody: textOf(answer.value),
    answerBytes: request.answerBytes,
  }
}

const PATH_MAX = 500
const IDS_MAX = 20

const textOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)

const idsIn = (url: string): readonly string[] =>
  url.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi) ?? []

function outcomeOf(answer: unknown): Pick<StoredRequest, 'outcome' | 'failureCode'> {
  const { status, failureReason, rejectionReason } = Object(answer)
  const code = Object(failureReason).failureCode ?? Object(rejectionReason).rejectionCode
  return {
    outcome: typeof status === 'string' ? status : null,
    failureCode: typeof code === 'string' ? code : null,
  }
}

/** Where only a currency is named, every country that has it. */
function countriesOf(parts: readonly Redacted[], { all }: Catalog): readonly string[] {
  const countries = new Set<string>()
  for (const provider of all) {
    const { code, country } = provider
    if (parts.some((one) => one.providers.has(code) || one.countries.has(country))) {
      countries.add(country)
    }
  }
  if (countries.size > 0) return [...countries]
  for (const { currencies, country } of all) {
    const isNamed = currencies.some(({ currency }) =>
      parts.some((one) => one.currencies.has(currency)),
    )
    if (isNamed) countries.add(country)
  }
  return [...countries]
}
