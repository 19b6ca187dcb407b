import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CONNECTIONS } from '../domain/client-timing.ts'
import { present } from '../domain/present.ts'
import type { Log } from '../usecases/context.ts'
import { dropRest, expectsContinue, hasSmallBody } from './bodies.ts'
import { limitPipelining } from './pipelining.ts'

/** What of HTTP is settled before a request reaches the routes: time, room, and what is no request. */
export type ListenerOptions = {
  readonly log: Log
  /** More connections than this are closed as they come. */
  readonly maxConnections: number
  /** A refusal in the shape of the generation that was asked; the current one without a request. */
  readonly refusal: (status: number, message: string, request?: Asked) => Refusal
}

type Asked = Pick<IncomingMessage, 'headers' | 'method' | 'url'>

/** Its body is JSON. */
type Refusal = { readonly requestId: string; readonly body: string }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Listener = {
  readonly server: Server
  readonly onClientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** From now on each answer says that its connection closes: none is used for another request. */
  readonly lastAnswers: () => void
}

/** Connections are closed to make room from this share of the most on. */
const FULL_FROM = 0.9

export function createListener(options: ListenerOptions, handler: Handler): Listener {
  /** The last request of each connection: what follows it is answered after it. */
  const latest = new WeakMap<Duplex, ServerResponse>()
  const given = new WeakSet<Duplex>()
  let isClosing = false

  const refuse = (response: ServerResponse, status: number, message: string): void => {
    const { headers, method, url = '' } = response.req
    const asked = { headers, url: pathOf(url), ...present({ method }) }
    const { requestId, body } = options.refusal(status, message, asked)
    response.writeHead(status, headersOf(requestId, body)).end(body)
  }
  const begin = limitPipelining(handler)
  function take(request: IncomingMessage, response: ServerResponse): void {
    asks(request.socket)
    latest.set(request.socket, response)
    if (isClosing) response.shouldKeepAlive = false
    if (!hasSmallBody(request)) response.once('prefinish', () => dropRest(request))
    const problem = straighten(request)
    if (problem === undefined) begin(request, response)
    else refuse(response, 400, problem)
  }

  const server = createServer(
    {
      headersTimeout: CONNECTIONS.headersWithinMs,
      requestTimeout: CONNECTIONS.requestWithinMs,
      connectionsCheckingInterval: CONNECTIONS.lookEveryMs,
      keepAliveTimeout: CONNECTIONS.keepAliveMs,
      // A missing host is refused below, in words.
      requireHostHeader: false,
    },
    take,
  )
  server.setTimeout(CONNECTIONS.silentMs)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expectsContinue(request, response)
    take(request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    asks(request.socket)
    latest.set(request.socket, response)
    const message = "The header 'Expect' asks for something unknown; only 100-continue is known."
    refuse(response, 417, message)
  })
  const { asks, open } = limitConnections(server, options, latest)

  return {
    server,
    onClientError: (error, socket) => {
      if (given.has(socket)) return
      given.add(socket)
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const [status, message] = PROBLEMS[error.code ?? ''] ?? BROKEN
      const response = latest.get(socket)
      if (response !== undefined && !response.req.complete && !response.headersSent) {
        // A handler that waits for the rest of this body sends the refusal, in its turn.
        if (response.req.readableFlowing !== null) {
          // An answered request gets no event from its connection; its body must leave its room.
          response.once('close', () => response.req.destroy())
          return refuse(response, status, message)
        }
        // No handler reads the body: the answer does not depend on it, and is the last.
        return void response.once('close', () => socket.destroy())
      }
      const sendRefusal = (): void => {
        if (!socket.writable) return void socket.destroy()
        const { requestId, body } = options.refusal(status, message)
        socket.end(rawAnswer(status, headersOf(requestId, body), body), () => socket.destroy())
      }
      if (response === undefined || response.writableFinished) sendRefusal()
      else response.once('close', sendRefusal)
    },
    lastAnswers: () => {
      isClosing = true
      for (const socket of open()) {
        const response = latest.get(socket)
        if (response?.headersSent === false) response.shouldKeepAlive = false
      }
    },
  }
}

const BROKEN = [400, 'The request is not valid HTTP/1.1: it cannot be read.'] as const

/** By the code of the parser; all others are plainly broken. */
const PROBLEMS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'The headers are larger than the 16 KiB that HTTP requests have here.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The HTTP request took too long to arrive.'],
}

const headersOf = (requestId: string, body: string): Record<string, string> => ({
  'x-request-id': requestId,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
})

function rawAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join('')}\r\n${body}`
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

const HOST = 'host'
const AUTHORIZATION = 'authorization'

/**
 * What is wrong with how a request names its host and its sender. The whole address in the first line, as clients
 * of a proxy send it, becomes the path where it is of the same host.
 */
function straighten(request: IncomingMessage): string | undefined {
  const { rawHeaders, url = '' } = request
  let host: string | undefined
  let isAuthorised = false
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) {
      if (host !== undefined) return 'The request has two Host headers. Send one.'
      host = rawHeaders[at + 1] ?? ''
    } else if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) {
      // Node would take the first one, and a proxy in front may have looked at the other.
      if (isAuthorised) return 'The request has two Authorization headers. Send one.'
      isAuthorised = true
    }
  }
  if (host === undefined && request.httpVersion === '1.1') {
    return 'The request has no Host header. HTTP/1.1 asks for one.'
  }
  if (url.charCodeAt(0) === SLASH) return undefined
  const whole = WHOLE_ADDRESS.exec(url)
  if (whole === null) return undefined
  if (plainHost(whole[1] ?? '') !== plainHost(host ?? '')) {
    return 'The first line of the request names another host than its Host header.'
  }
  request.url = pathOf(url)
  return undefined
}

const SLASH = '/'.charCodeAt(0)
const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)(.*)$/i

const plainHost = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '')

function pathOf(url: string): string {
  const rest = WHOLE_ADDRESS.exec(url)?.[2]
  if (rest === undefined) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** At the limit, a connection without requests makes room for one with requests. */
function limitConnections(
  server: Server,
  { log, maxConnections }: ListenerOptions,
  latest: WeakMap<Duplex, ServerResponse>,
): { readonly asks: (socket: Duplex) => void; readonly open: () => Iterable<Duplex> } {
  /** All of them, with the time since when they are open. */
  const open = new Map<Duplex, number>()
  /** Those that have not asked anything yet, the oldest first. */
  const unasked = new Set<Duplex>()
  let [sweptAt, loggedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const close = (socket: Duplex): void => {
    open.delete(socket)
    unasked.delete(socket)
    socket.destroy()
  }
  const isFull = (): boolean => open.size > maxConnections * FULL_FROM
  const makeRoom = (now: number): void => {
    for (const socket of unasked) {
      if (now - (open.get(socket) ?? 0) < CONNECTIONS.firstRequestWithinMs) break
      close(socket)
    }
    if (!isFull() || now - sweptAt < CONNECTIONS.sweepEveryMs) return
    sweptAt = now
    for (const [socket, since] of open) {
      if (now - since < CONNECTIONS.bodyWithinMs) break
      if (latest.get(socket)?.req.complete === false) close(socket)
    }
    // Clients that behave keep connections between two requests: they come last.
    if (isFull()) server.closeIdleConnections()
  }

  server.maxConnections = maxConnections
  server.on('connection', (socket: Duplex) => {
    const now = performance.now()
    open.set(socket, now)
    unasked.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      unasked.delete(socket)
    })
    if (isFull()) makeRoom(now)
  })
  server.on('drop', () => {
    const now = performance.now()
    makeRoom(now)
    if (now - loggedAt < CONNECTIONS.fullLoggedEveryMs) return
    loggedAt = now
    log.warn({ maxConnections }, 'connections are refused: there are as many as may be')
  })
  return { asks: (socket) => unasked.delete(socket), open: () => open.keys() }
}
