/** The receiver of the kit: keeps the callbacks that the service signed, and hands them out. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clearTimeout as cancel, setTimeout as later } from 'node:timers'
import { isDeepStrictEqual } from 'node:util'
import { type CallbackVerifier, createCallbackVerifier, type PublishedKey } from '../receiver.ts'
import { ask, type Place } from './http.ts'

/** The record of the payment, as the status check has it. */
export type CallbackBody = {
  readonly status: string
  readonly depositId?: string
  readonly payoutId?: string
  readonly refundId?: string
  readonly remittanceId?: string
  readonly failureReason?: { readonly failureCode: string; readonly failureMessage?: string }
  readonly [field: string]: unknown
}

/** Fields and their values, or a function that decides. */
export type CallbackFilter = Readonly<Record<string, unknown>> | ((body: CallbackBody) => boolean)

export type Callbacks = {
  /**
   * The next callback that the filter fits, also one that has come already. Each is handed out
   * once: asked again, it waits for another one. Rejects when the time is up.
   */
  next(filter?: CallbackFilter, timeoutMs?: number): Promise<CallbackBody>
  /** All that have come, in their order, handed out or not. */
  all(): readonly CallbackBody[]
}

type Inbox = {
  readonly url: string
  readonly callbacks: Callbacks
  /** Nothing comes through before: signatures are verified with the keys of the service. */
  attach(place: Place): void
  /** Ends all waiting, now and later. */
  fail(reason: Error): void
  close(): void
}

/** Taken beforehand: test suites replace the clock. */
const realNow = Date.now

export async function openInbox(waitMs: number): Promise<Inbox> {
  const desk = createDesk(waitMs)
  let verify: CallbackVerifier | undefined
  const server = createServer((request, response) => {
    const answer = (status: number): void => void response.writeHead(status).end()
    receive(request, verify, desk).then(answer, () => answer(500))
  })
  const url = `http://127.0.0.1:${await listen(server)}/callbacks`
  return {
    url,
    callbacks: { next: desk.next, all: desk.all },
    attach: (place) => {
      verify = createCallbackVerifier({
        service: place.baseUrl,
        callbackUrl: url,
        now: realNow,
        // With the token, since an account may have names of its own for the keys.
        fetchKeys: async () => (await ask(place, 'GET', '/public-key/http')) as PublishedKey[],
      })
    },
    fail: desk.fail,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** By itself it must not keep the test suite running. */
async function listen(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return (server.address() as AddressInfo).port
}

async function receive(
  request: IncomingMessage,
  verify: CallbackVerifier | undefined,
  desk: Desk,
): Promise<number> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const verdict = await verify?.({ method: request.method ?? '', headers: request.headers, body })
  if (verdict === undefined) return 503
  if (!verdict.ok) {
    desk.refused(verdict.reason)
    return 401
  }
  desk.came(JSON.parse(body.toString()) as CallbackBody)
  return 200
}

type Desk = ReturnType<typeof createDesk>

type Waiting = {
  readonly fits: (body: CallbackBody) => boolean
  readonly resolve: (body: CallbackBody) => void
  readonly reject: (reason: Error) => void
}

function createDesk(waitMs: number) {
  const all: CallbackBody[] = []
  const refusals: string[] = []
  const waiting = new Set<Waiting>()
  let unclaimed: readonly CallbackBody[] = []
  let failure: Error | undefined

  const timeIsUp = (filter: CallbackFilter, ms: number): Error => {
    const wanted = typeof filter === 'function' ? 'that fits' : `with ${JSON.stringify(filter)}`
    return new Error(`No callback ${wanted} came within ${ms} ms. ${whatCame(all, refusals)}`)
  }

  const next = (filter: CallbackFilter = {}, timeoutMs = waitMs): Promise<CallbackBody> => {
    const fits = typeof filter === 'function' ? filter : (body: CallbackBody) => has(body, filter)
    const early = unclaimed.find(fits)
    if (early !== undefined) {
      unclaimed = unclaimed.filter((one) => one !== early)
      return Promise.resolve(early)
    }
    if (failure !== undefined) return Promise.reject(failure)
    return new Promise((resolve, reject) => {
      const timer = later(() => one.reject(timeIsUp(filter, timeoutMs)), timeoutMs)
      const settle = (): void => {
        cancel(timer)
        waiting.delete(one)
      }
      const one: Waiting = {
        fits,
        resolve: (body) => {
          settle()
          resolve(body)
        },
        reject: (reason) => {
          settle()
          reject(reason)
        },
      }
      waiting.add(one)
    })
  }

  return {
    next,
    all: (): readonly CallbackBody[] => [...all],
    came: (body: CallbackBody): void => {
      all.push(body)
      const taker = [...waiting].find(({ fits }) => fits(body))
      if (taker === undefined) unclaimed = [...unclaimed, body]
      else taker.resolve(body)
    },
    refused: (reason: string): void => void refusals.push(reason),
    fail: (reason: Error): void => {
      failure = reason
      for (const one of waiting) one.reject(reason)
    },
  }
}

const has = (body: CallbackBody, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(body[name], value))

const SHOWN_MAX = 10

function whatCame(all: readonly CallbackBody[], refusals: readonly string[]): string {
  const shown = all.slice(-SHOWN_MAX).map((body) => {
    const [name, id] = Object.entries(body).find(([field]) => field.endsWith('Id')) ?? []
    return `${name ?? 'without id'} ${String(id ?? '')} ${body.status}`
  })
  const more = all.length > shown.length ? ` (the last ${SHOWN_MAX} of ${all.length})` : ''
  const came = shown.length === 0 ? 'None has come' : `These have come${more}: ${shown.join('; ')}`
  const bad = refusals.length === 0 ? '' : ` Refused: ${[...new Set(refusals)].join(' ')}`
  return `${came}.${bad}`
}
