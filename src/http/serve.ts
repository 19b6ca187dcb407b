import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import type { FailureCode } from '../domain/failure.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import type { Caller } from '../usecases/accounts/merchant-directory.ts'
import type { Context, Log } from '../usecases/context.ts'
import type { PaymentContext } from '../usecases/payments/context.ts'
import { RequestFault } from '../wire/fault.ts'
import { type ReadJson, readJson } from '../wire/json.ts'
import { inLegacyWords } from '../wire/v1/words.ts'
import {
  isOverloaded,
  type ReadLimiter,
  type Refusals,
  type RequestLimiter,
} from './admission-control.ts'
import { authorise, identify, known } from './authenticate.ts'
import { type Endpoint, statusAndBody } from './endpoint.ts'
import { type AnswerSigner, checkSignature } from './signed-calls.ts'
import { callName, legacyRefusal, usedFields } from './v1/legacy.ts'
import { failureBody, HTTP_STATUS } from './v2/faults.ts'

/** What the edge needs beside the context. */
export type Edge = {
  readonly ctx: PaymentContext & AccountContext
  readonly log: Log
  readonly requestLimiter: RequestLimiter
  readonly readLimiter: ReadLimiter
  readonly refusals: Refusals
  /** Connections of clients at most. */
  readonly maxConnections: number
  /** The port that addresses of this service leave out. */
  readonly defaultPort: number
  readonly onAnswer: (route: string, status: number, seconds: number) => void
}

export const BODY_LIMIT = 1024 * 1024

const CONTENT_TYPE = 'application/json'

const ANONYMOUS = {} as Caller

/** Runs one endpoint: read, authenticate, handle, answer; every way it can end is here. */
export function serve(edge: Edge, endpoint: Endpoint) {
  const route = `${endpoint.method} ${endpoint.path}`
  const isReading = endpoint.method === 'GET' && endpoint.isLong !== true
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const cached = known(edge.ctx, request.headers.authorization, endpoint.access)
    const merchantId = cached?.merchant.id
    if (!edge.requestLimiter.enter(merchantId))
      return shed(edge, endpoint, request, reply, undefined)
    try {
      if (!isReading) return await answer(request, reply, cached)
      await edge.readLimiter.enter(merchantId)
      try {
        return await answer(request, reply, cached)
      } finally {
        edge.readLimiter.leave(merchantId)
      }
    } finally {
      edge.requestLimiter.leave(merchantId)
    }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    cached: Caller | undefined,
  ): Promise<FastifyReply> {
    const startedAt = performance.now()
    let sign: AnswerSigner | undefined
    const parsed = readBody(isReadAlready(endpoint) ? request.body : await bodyOfGet(request))
    try {
      const caller = cached ?? (await callerOf(edge.ctx, endpoint, request.headers.authorization))
      // Before the call can be refused: what is refused is used as well.
      if (endpoint.replacement !== undefined) noteUse(edge, endpoint, caller, parsed)
      // Before anything else can refuse the call: a refusal of a signed call is signed as well.
      if (endpoint.isSignable) {
        sign = checkSignature(edge.ctx, request, caller.merchant, edge.defaultPort)
      }
      if (caller !== ANONYMOUS) authorise(caller, endpoint.access)
      if (endpoint.startsPayments && isOverloaded(edge.ctx, caller.merchant.id)) {
        return shed(edge, endpoint, request, reply, sign)
      }
      const [status, body] = statusAndBody(
        await endpoint.handle({
          caller,
          params: request.params as Record<string, string>,
          query: request.query as Record<string, unknown>,
          body: () => parsedValue(parsed),
        }),
      )
      edge.onAnswer(route, status, (performance.now() - startedAt) / 1000)
      return send(request, reply, status, body, sign)
    } catch (error) {
      const { status, code, message } = failureOf(error)
      if (status >= 500) edge.log.error({ err: error, requestId: request.id, route }, 'call failed')
      else edge.log.info({ requestId: request.id, route, status, code }, 'call refused')
      edge.onAnswer(route, status, (performance.now() - startedAt) / 1000)
      const id = idIn(parsed, endpoint)
      const body = refusalBody(edge, endpoint, request, { status, code, message, id })
      return send(request, reply, status, body, sign)
    }
  }
}

/** Where no token is needed none is asked for; one that is sent still names the caller. */
async function callerOf(
  ctx: Context,
  { access, isTokenOptional, replacement }: Endpoint,
  authorization: string | undefined,
): Promise<Caller> {
  if (access !== undefined && !(isTokenOptional && authorization === undefined)) {
    return identify(ctx, authorization)
  }
  if (authorization === undefined || replacement === undefined) return ANONYMOUS
  return identify(ctx, authorization).catch(() => ANONYMOUS)
}

type Refusal = {
  readonly status: number
  readonly code: FailureCode
  readonly message: string
  readonly id: string | undefined
}

/** In the words of the generation that was asked. */
function refusalBody(
  edge: Edge,
  { failureShape }: Endpoint,
  request: FastifyRequest,
  { status, code, message, id }: Refusal,
): object {
  if (failureShape.kind !== 'legacy') return failureBody(failureShape, status, code, message, id)
  return legacyRefusal(edge.log, request.id, status, inLegacyWords(message))
}

/** Counted for the report that shows a merchant where the earlier generation is still in use. */
function noteUse(edge: Edge, endpoint: Endpoint, { merchant }: Caller, parsed: ReadJson): void {
  if (merchant === undefined) return
  const call = callName(endpoint)
  edge.ctx.legacyUsage.note(merchant.id, call, parsed.ok ? usedFields(call, parsed.value) : [])
}

const isReadAlready = ({ method, body }: Endpoint): boolean =>
  method !== 'GET' || body === undefined

/** A GET has no body, and none is read for it, except where programs in use send one. */
async function bodyOfGet(request: FastifyRequest): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  // What is left of a body that is too large must not end the connection before the answer.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > BODY_LIMIT) break
    chunks.push(chunk as Buffer)
  }
  if (size > BODY_LIMIT) {
    // Unread, the rest would stand before the next request on this connection.
    request.raw.resume()
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  }
  return Buffer.concat(chunks)
}

async function shed(
  edge: Edge,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  sign: AnswerSigner | undefined,
): Promise<FastifyReply> {
  await edge.refusals.turn()
  const route = `${endpoint.method} ${endpoint.path}`
  edge.onAnswer(route, 503, 0)
  edge.log.info({ requestId: request.id, route, status: 503 }, 'call shed: at the limit')
  const message = 'The service is at its limit right now. Nothing was stored; try again shortly.'
  const refusal = { status: 503, code: 'UNKNOWN_ERROR', message, id: undefined } as const
  const body = refusalBody(edge, endpoint, request, refusal)
  return send(request, reply.header('retry-after', '1'), 503, body, sign)
}

export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: object | undefined,
  sign?: AnswerSigner,
): FastifyReply {
  // Written straight to the connection: the framework's way out does nothing here but cost time.
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  headers['x-request-id'] = request.id
  if (body === undefined) {
    raw.writeHead(status, headers).end()
    return reply
  }
  const text = JSON.stringify(body)
  headers['content-type'] = CONTENT_TYPE
  if (sign !== undefined) Object.assign(headers, sign(status, text, CONTENT_TYPE))
  headers['content-length'] = String(Buffer.byteLength(text))
  raw.writeHead(status, headers).end(text)
  return reply
}

/** The body is parsed before the token is looked at, because a refusal names the identifier. */
function readBody(body: unknown): ReadJson {
  if (!(body instanceof Buffer) || body.length === 0) {
    return { ok: false, problem: 'the body is empty' }
  }
  if (!isUtf8(body)) return { ok: false, problem: 'the body is not UTF-8 text' }
  return readJson(body.toString('utf8'))
}

function parsedValue(parsed: ReadJson): unknown {
  if (parsed.ok) return parsed.value
  throw new RequestFault(
    'INVALID_INPUT',
    `The request body could not be parsed: ${parsed.problem}.`,
  )
}

function idIn(parsed: ReadJson, { failureShape }: Endpoint): string | undefined {
  if (failureShape.kind !== 'initiation' || !parsed.ok) return undefined
  const { value } = parsed
  if (typeof value !== 'object' || value === null) return undefined
  const id = (value as Record<string, unknown>)[failureShape.idField]
  return typeof id === 'string' ? id : undefined
}

function failureOf(error: unknown): { status: number; code: FailureCode; message: string } {
  if (error instanceof RequestFault) {
    return { status: HTTP_STATUS[error.code] ?? 400, code: error.code, message: error.message }
  }
  return {
    status: 500,
    code: 'UNKNOWN_ERROR',
    message: 'Something went wrong on our side. Check the status before you try again.',
  }
}
