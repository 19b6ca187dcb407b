/**
 * An operator to try against: it speaks the wire of a real one, has a book of its own, and misbehaves
 * on demand. It is a program for tests and for those who develop, and moves no money.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Book, type Ending, type Entry, openBook } from './book.ts'
import { createFaults, type Faults, type Rule, rulesFault } from './faults.ts'
import type { StandInOperator, StandInRequest } from './operator.ts'
import { createOrders, type Orders } from './orders.ts'
import { answerInstead, respond } from './respond.ts'

type StandInOptions = {
  readonly port?: number
  readonly bookFile?: string
  /** How long an order takes to end; 50 by default. */
  readonly endsAfterMs?: number
  /** How long every answer takes. */
  readonly latencyMs?: number
  readonly seed?: number
}

export type RunningStandIn = Pick<Orders, 'setEnding' | 'setCallbackUrl' | 'end'> & {
  readonly url: string
  readonly book: Book
  readonly faults: Faults
  /** The latest requests, for comparisons. */
  readonly requests: readonly StandInRequest[]
  close(): Promise<void>
}

type Parts = {
  readonly operator: StandInOperator
  readonly orders: Orders
  readonly book: Book
  readonly faults: Faults
  readonly requests: StandInRequest[]
  readonly latencyMs: number
}

const KEPT_REQUESTS = 10_000

export async function startStandIn(
  operator: StandInOperator,
  options: StandInOptions = {},
): Promise<RunningStandIn> {
  const book = openBook(options.bookFile)
  const faults = createFaults(seeded(options.seed ?? 1))
  const orders = createOrders(operator, book, faults, options.endsAfterMs ?? 50)
  const requests: StandInRequest[] = []
  const parts = { operator, orders, book, faults, requests, latencyMs: options.latencyMs ?? 0 }
  const server = createServer((raw, response) => {
    serve(parts, raw, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const { setEnding, setCallbackUrl, end } = orders
  const url = `http://127.0.0.1:${port}`
  const close = async (): Promise<void> => {
    orders.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, book, faults, requests, setEnding, setCallbackUrl, end, close }
}

async function serve(parts: Parts, raw: IncomingMessage, response: ServerResponse): Promise<void> {
  const { operator, orders, faults, requests, latencyMs } = parts
  const request = await readRequest(raw)
  if (request.path.startsWith('/_stand-in/')) {
    const { status, body } = control(parts, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  requests.push(request)
  if (requests.length > KEPT_REQUESTS) requests.shift()
  const rule = faults.meet(operator.targetOf(request))
  const wait = latencyMs + (rule?.fault === 'delay' ? (rule.ms ?? 1000) : 0)
  if (rule?.fault === 'drop-before') {
    response.destroy()
    return
  }
  const answer = answerInstead(operator, rule) ?? operator.handle(request, orders.tools)
  if (answer.created !== undefined) orders.begun(answer.created)
  if (wait > 0) await new Promise<void>((resolve) => orders.later(wait, resolve))
  respond(operator, response, answer, rule, orders.later)
}

/** The stand-in itself, for other processes: faults, endings, and what is in its book. */
function control(
  { book, faults, orders }: Parts,
  { path, method, json }: StandInRequest,
): { readonly status: number; readonly body: unknown } {
  const [, , what = '', name = ''] = path.split('/')
  const named = decodeURIComponent(name)
  const isPut = method === 'PUT'
  const problem = isPut ? problemIn(what, json) : undefined
  if (problem !== undefined) return { status: 400, body: { problem } }
  if (isPut && what === 'faults') faults.set(json as readonly Rule[])
  if (isPut && what === 'parties') orders.setEnding(named, json as Ending)
  if (isPut && what === 'callback-url') orders.setCallbackUrl(json as string)
  if (isPut && what === 'orders' && !orders.end(named, json as Ending)) {
    return { status: 404, body: { problem: `There is no order ${named}.` } }
  }
  if (isPut) return { status: 200, body: {} }
  const shown = named === '' ? book.all() : book.all().filter(({ party }) => party === named)
  const state = (entry: Entry) => ({ ...entry, state: orders.tools.stateOf(entry) })
  return { status: 200, body: shown.map(state) }
}

function problemIn(what: string, json: unknown): string | undefined {
  if (what === 'faults') return rulesFault(json)
  if (what !== 'parties' && what !== 'orders') return undefined
  const { says } = (json ?? {}) as Partial<Ending>
  const isKnown = says === 'success' || says === 'failure' || says === 'pending'
  return isKnown ? undefined : '"says" is one of success, failure (with a "reason"), pending.'
}

async function readRequest(raw: IncomingMessage): Promise<StandInRequest> {
  const pieces: Buffer[] = []
  for await (const piece of raw) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  const url = new URL(raw.url ?? '/', 'http://stand-in')
  return {
    method: raw.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: raw.headers as Record<string, string | undefined>,
    text,
    json: parsed(text),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
