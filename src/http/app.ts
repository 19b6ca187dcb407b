import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Overloaded } from './admission-control.ts'
import { readAdmitted } from './admit.ts'
import { BODY_LIMIT, BodyRefused } from './bodies.ts'
import type { Endpoint } from './endpoint.ts'
import { createListener, type Listener, type ListenerOptions } from './listener.ts'
import { createMethodTable, type MethodTable } from './method-table.ts'
import { asGet, createPageFinder, methodOf, type PageFinder } from './page-finder.ts'
import {
  admitToPage,
  type FoundPage,
  NO_BODY,
  type PageRoute,
  type StrayPage,
  show,
} from './pages.ts'
import { ANY_PAGE, noteStray, type Stray } from './request-log.ts'
import { type Edge, send, serve } from './serve.ts'
import { legacyRefusal, markDeprecated } from './v1/legacy.ts'
import { failureBody } from './v2/faults.ts'

const unused = (): never => {
  throw new Error('requests are checked by src/wire, not by the framework')
}

const UNREADABLE =
  'The path cannot be read: it is too long, or a % in it is not followed by two digits.'

/** The framework would load two compilers of schemas that nobody asks for. */
const NO_SCHEMAS = { buildValidator: unused, buildSerializer: unused }

/** Builds the server without listening. Nothing in a request is repaired: no coercion, no defaults. */
export function createApp(
  served: Edge,
  endpoints: readonly Endpoint[],
  pages: readonly PageRoute[],
  strayPage: StrayPage,
): FastifyInstance {
  const edge: OuterEdge = { ...served, strayPage }
  const newRequestId = requestIds()
  const refusal: ListenerOptions['refusal'] = (status, message, request) => {
    const id = newRequestId()
    const { url = CURRENT, method, headers = {} } = request ?? {}
    const body = refusalBody(edge, { id, url, method, headers }, status, message)
    return { requestId: id, body: JSON.stringify(body) }
  }
  let listener: Listener | undefined
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    genReqId: newRequestId,
    requestIdHeader: false,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 4096,
    },
    serverFactory: (handler) => {
      listener = createListener(
        { log: edge.log, maxConnections: edge.maxConnections, refusal },
        handler,
      )
      return listener.server
    },
    clientErrorHandler: (error, socket) => listener?.onClientError(error, socket),
    frameworkErrors: (error, request, reply) => {
      // Not the framework's words, which repeat the whole path.
      edge.log.debug({ requestId: request.id, code: error.code }, 'path refused')
      refuse(edge, request, reply as FastifyReply, 400, UNREADABLE)
    },
  })
  app.addHook('preClose', async () => listener?.lastAnswers())
  app.removeAllContentTypeParsers()
  // Clients in use send all sorts of content types; what counts is whether the body is JSON.
  app.addContentTypeParser('*', ({ admission }, payload, done) =>
    readAdmitted(edge, payload, admission, done),
  )
  app.decorateRequest('admission', undefined)
  app.decorateRequest('arrivedAt', undefined)

  for (const endpoint of endpoints) {
    const { method, path: url } = endpoint
    app.route({ method, url, ...serve(edge, endpoint) })
  }
  const pagePaths = pages.map((page) => ({ method: methodOf(page), path: page.path }))
  const table = createMethodTable([...endpoints, ...pagePaths], endpoints)
  const refuseOther = createRefusal(edge, table, endpoints)
  servePages(edge, app, createPageFinder(table, pages), refuseOther)
  refuseOthers(app, table, refuseOther)
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    if (error instanceof BodyRefused || error instanceof Overloaded) {
      if (error.statusCode === 503) reply.header('retry-after', '1')
      return refuse(edge, request, reply, error.statusCode, error.message)
    }
    // A client that went away in the middle of its body gets no answer, and is no failure of ours.
    const isGone = error.code === 'ECONNRESET' && request.raw.destroyed
    const status = error.statusCode ?? (isGone ? 400 : 500)
    if (status >= 500) edge.log.error({ err: error, requestId: request.id }, 'request failed')
    return refuse(
      edge,
      request,
      reply,
      status,
      status >= 500 ? 'Something went wrong.' : error.message,
    )
  })
  return app
}

/** Unique over restarts and nodes, and cheap: a random stem and a counter. */
function requestIds(): () => string {
  const stem = randomUUID().slice(0, 13)
  let count = 0
  return () => {
    count += 1
    return `${stem}-${count.toString(36)}`
  }
}

type OuterEdge = Edge & { readonly strayPage: StrayPage }

type Refusal = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Pages share one route of the framework, which takes longer to add a route for each of them than
 * the node takes for the rest of its server.
 */
function servePages(
  edge: OuterEdge,
  app: FastifyInstance,
  findPage: PageFinder,
  refuseOther: Refusal,
): void {
  const nothingHere: Refusal = (request, reply) =>
    refuse(edge, request, reply, 404, 'There is nothing here.')
  app.decorateRequest('page', undefined)
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT'],
    url: ANY_PAGE,
    onRequest: (request, reply, done) => {
      const page = findPage(request.method, pathOf(request))
      if (page === undefined) return refuseOther(request, reply)
      request.page = page
      if (!admitToPage(page, request)) return nothingHere(request, reply)
      done()
    },
    handler: (request, reply) => show(edge, request.page as FoundPage, request, reply),
  })
}

/** For what has no route: a path that takes other methods, or no path of ours at all. */
function createRefusal(
  edge: OuterEdge,
  table: MethodTable,
  endpoints: readonly Endpoint[],
): Refusal {
  return (request, reply) => {
    const path = pathOf(request)
    const found = table.find(path)
    if (found === undefined) {
      refuse(edge, request, reply, 404, `There is nothing at ${request.method} ${path}. See /docs.`)
      return
    }
    if (found.methods.includes(asGet(request.method))) {
      // The router has passed it over, because a part of it is too long.
      refuse(edge, request, reply, 400, UNREADABLE)
      return
    }
    const legacy = endpoints.find((one) => one.path === found.path && one.replacement)
    if (legacy) markDeprecated(reply, legacy, found.params)
    const allow = found.methods.join(', ')
    const message = `${request.method} is not possible here. Use ${allow}.`
    refuse(edge, request, reply.header('allow', allow), 405, message)
  }
}

/** As early as this, because the body of such a request is not read. */
function refuseOthers(app: FastifyInstance, table: MethodTable, refuseOther: Refusal): void {
  for (const { method, path: url } of table.hidden) {
    app.route({ method, url, onRequest: refuseOther, handler: refuseOther })
  }
  app.addHook('onRequest', (request, reply, done) => {
    request.arrivedAt = performance.now()
    if (request.is404) refuseOther(request, reply)
    else done()
  })
}

const pathOf = ({ url }: FastifyRequest): string => url.split(/[?#]/, 1)[0] ?? ''

/** Answers what never reached an endpoint. */
function refuse(
  edge: OuterEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): void {
  const page = edge.strayPage(...strayed(request, status))
  if (page === undefined) {
    send(request, reply, status, refusalBody(edge, request, status, message))
    return
  }
  noteStray(edge, request, status)
  const headers = { 'x-request-id': request.id, ...page.headers }
  reply.hijack()
  reply.raw.writeHead(page.status ?? status, headers).end(page.body)
}

/** In the shape of the generation the path belongs to. */
function refusalBody(edge: Edge, stray: Stray, status: number, message: string): object {
  const body = wordsOfRefusal(edge, stray, status, message)
  noteStray(edge, stray, status, body)
  return body
}

function wordsOfRefusal(edge: Edge, stray: Stray, status: number, message: string): object {
  if (!isCurrentGeneration(stray.url)) return legacyRefusal(edge.log, stray.id, status, message)
  const code = status === 404 ? 'NOT_FOUND' : status >= 500 ? 'UNKNOWN_ERROR' : 'INVALID_INPUT'
  return failureBody({ kind: 'lookup' }, status, code, message, undefined)
}

/** What has no path that could be read is answered like this one. */
const CURRENT = '/v2'

/** Read from the address itself: of one that cannot be read nothing else is known. */
function strayed(request: FastifyRequest, status: number): Parameters<StrayPage> {
  const [path = '', query = ''] = request.url.split('?', 2)
  return [
    path,
    status,
    {
      method: request.method,
      params: {},
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: request.headers,
      remoteAddress: request.ip,
      form: new URLSearchParams(),
      files: new Map(),
      raw: NO_BODY,
    },
  ]
}

const isCurrentGeneration = (url: string): boolean =>
  /^\/+(v2|sandbox|callbacks|payments)(\/|\?|$)/.test(url)
