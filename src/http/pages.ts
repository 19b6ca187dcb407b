import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyLimit } from './bodies.ts'
import { readMultipart, type SentForm } from './multipart.ts'
import { noteView } from './request-log.ts'
import type { Edge } from './serve.ts'

export type Page = {
  readonly status?: number
  /** Several values only where a header may come more than once: cookies. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** A stream is read no faster than the visitor takes it. */
  readonly body: string | Buffer | Readable
}

/** Whatever is not an operation of the API: pages, health, metrics. */
export type PageRoute = {
  /** GET unless said otherwise; a POST answers a form. */
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** Asked for by programs, every few seconds. */
  readonly isProbe?: true
  readonly render: (request: PageRequest) => Page | Promise<Page>
  /** Asked before a body is read: where it answers false, there is nothing here. */
  readonly exists?: (request: Arriving) => boolean
  /** What it takes at most, where that is more than a form. */
  readonly bodyLimit?: BodyLimit
}

/** A page that was asked for, with what its path holds. */
export type FoundPage = {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where no page was asked for. */
    page: FoundPage | undefined
  }
}

/** What is known of a request before its body. */
export type Arriving = Pick<PageRequest, 'params' | 'headers' | 'remoteAddress'>

export type PageRequest = {
  /** HEAD is answered like GET, so a page that a visit changes looks at this. */
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string
  /** What a form sent; empty where there was none. */
  readonly form: URLSearchParams
  /** Files that a form sent along, by the names of their fields. */
  readonly files: SentForm['files']
  /** The same, byte by byte. */
  readonly raw: Buffer
}

/** For people whose request never reached a page, what to show instead; nothing for programs. */
export type StrayPage = (path: string, status: number, request: PageRequest) => Page | undefined

/** Whether there is such a page, and how much of a body is read. */
export function admitToPage({ route, params }: FoundPage, request: FastifyRequest): boolean {
  const { exists, bodyLimit } = route
  const { headers, ip: remoteAddress } = request
  if (exists?.({ params, headers, remoteAddress }) === false) return false
  if (bodyLimit !== undefined) request.admission = { merchantId: undefined, bodyLimit }
  return true
}

/** Renders a page and sends it. */
export async function show(
  edge: Edge,
  { route: page, params }: FoundPage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const startedAt = performance.now()
  const raw = request.body instanceof Buffer ? request.body : NO_BODY
  const sent = formIn(raw, request)
  const {
    status = 200,
    headers,
    body,
  } = await rendered(page, request, {
    method: request.method,
    params,
    query: request.query as Record<string, unknown>,
    headers: request.headers,
    remoteAddress: request.ip,
    get form() {
      return sent().form
    },
    get files() {
      return sent().files
    },
    raw,
  })
  const { path, isProbe = false } = page
  noteView(edge, request, { route: `${request.method} ${path}`, status, startedAt, isProbe })
  reply.code(status).header('x-request-id', request.id).headers(headers)
  if (typeof body !== 'string' || !isSmallerAsGzip(request, body)) return reply.send(body)
  return reply
    .headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    .send(await compressed(body))
}

/** Read when a page asks for it: not every large body is a form. */
function formIn(raw: Buffer, { headers }: FastifyRequest): () => SentForm {
  const { 'content-type': type = '' } = headers
  let read: SentForm | undefined
  return () => {
    read ??= type.startsWith('multipart/')
      ? readMultipart(raw, type)
      : { form: new URLSearchParams(raw.toString()), files: new Map() }
    return read
  }
}

export const NO_BODY = Buffer.alloc(0)

/** What a large body takes is free again when it has been used. */
async function rendered(
  page: PageRoute,
  { admission }: FastifyRequest,
  request: PageRequest,
): Promise<Page> {
  try {
    return await page.render(request)
  } finally {
    admission?.releaseBody?.()
  }
}

const compressed = promisify(gzip)

/** Pages go to phones on slow networks; what fits into one packet anyway stays as it is. */
const isSmallerAsGzip = ({ headers }: FastifyRequest, body: string): boolean =>
  body.length > 1200 && acceptsGzip(headers)

export const acceptsGzip = (headers: PageRequest['headers']): boolean =>
  /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
