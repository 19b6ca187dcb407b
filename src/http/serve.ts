import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailureCode } from '../domain/failure.ts'
import { traceFacts } from '../domain/trace.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import type { Caller } from '../usecases/accounts/merchant-directory.ts'
import type { Log } from '../usecases/context.ts'
import type { PaymentContext } from '../usecases/payments/context.ts'
import { RequestFault } from '../wire/fault.ts'
import { type ReadJson, readJson } from '../wire/json.ts'
import { inLegacyWords } from '../wire/v1/words.ts'
import { isOverloaded, type Limiter, type Refusals, type TurnLimiter } from './admission-control.ts'
import { type Admission, ANONYMOUS, admit, readAdmitted } from './admit.ts'
import { authorise } from './authenticate.ts'
import { beginTrace, type CallTraces } from './call-trace.ts'
import { type Endpoint, statusAndBody } from './endpoint.ts'
import { keepCall, noteCall, type OnAnswer } from './request-log.ts'
import { type AnswerSigner, checkSignature, useOnce } from './signed-calls.ts'
import { callName, legacyRefusal, usedFields } from './v1/legacy.ts'
import { failureBody, HTTP_STATUS } from './v2/faults.ts'

/** What the edge needs beside the context. */
export type Edge = {
  readonly ctx: PaymentContext & AccountContext
  readonly log: Log
  readonly requestLimiter: Limiter
  readonly readLimiter: TurnLimiter
  readonly initiateLimiter: TurnLimiter
  readonly refusals: Refusals
  /** In bytes: what of bodies may be held in memory at once. */
  readonly bodyRoom: Limiter
  /** Connections of clients at most. */
  readonly maxConnections: number
  /** The port that addresses of this service leave out. */
  readonly defaultPort: number
  readonly onAnswer: OnAnswer
  /** Absent where nothing is traced. */
  readonly traces: CallTraces | undefined
}

const CONTENT_TYPE = 'application/json'

/** Runs one endpoint: read, handle, answer; every way it can end is here. */
export function serve(edge: Edge, endpoint: Endpoint) {
  const served = { edge, endpoint, route: `${endpoint.method} ${endpoint.path}` }
  /** The framework reads no body of a GET. */
  const isLate = endpoint.method === 'GET' && endpoint.body !== undefined
  const { requestLimiter } = edge
  const limiter = turnsOf(edge, endpoint)

  const inTurn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ): Promise<FastifyReply> => {
    const { merchantId } = request.admission as Admission
    if (!requestLimiter.enter(merchantId)) return shed(served, request, reply)
    try {
      await limiter?.enter(merchantId)
      try {
        // Before the endpoint asks for it, because a refusal names the identifier.
        return await answer(served, request, reply, readJson(body instanceof Buffer ? body : EMPTY))
      } finally {
        limiter?.leave(merchantId)
      }
    } finally {
      requestLimiter.leave(merchantId)
    }
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const admission = request.admission as Admission
    try {
      // Whole before the request takes any room: a client may take its time to send it.
      const body = isLate ? await bodyOfGet(edge, request, admission) : request.body
      return await inTurn(request, reply, body)
    } finally {
      admission.releaseBody?.()
    }
  }
  const onRequest = admit(edge, endpoint, {
    shed: (request, reply) => void shed(served, request, reply),
    fail: (request, reply, error) => void fail(served, request, reply, { error, parsed: NOT_READ }),
  })
  return { onRequest, handler }
}

/** Where the requests of an endpoint wait for their turn, if they do. */
function turnsOf(edge: Edge, { method, isLong, startsPayments }: Endpoint) {
  if (method === 'GET') return isLong === true ? undefined : edge.readLimiter
  return startsPayments === true ? edge.initiateLimiter : undefined
}

type Served = { readonly edge: Edge; readonly endpoint: Endpoint; readonly route: string }

async function answer(
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: ReadJson,
): Promise<FastifyReply> {
  const { edge, endpoint, route } = served
  const admission = request.admission as Admission
  const startedAt = performance.now()
  let sign: AnswerSigner | undefined
  try {
    const { caller } = admission
    if (caller === undefined) throw admission.error
    const trace = edge.traces && beginTrace(edge.traces, request, route)
    // Before the call can be refused: what is refused is used as well.
    if (endpoint.replacement !== undefined) noteUse(edge, endpoint, caller, parsed)
    // Before anything else can refuse the call: a refusal of a signed call is signed as well.
    const { signable } = endpoint
    const signed = signable && checkSignature(edge.ctx, request, caller.merchant, edge.defaultPort)
    sign = signed?.sign
    if (caller !== ANONYMOUS) authorise(caller, endpoint.access)
    if (endpoint.startsPayments && isOverloaded(edge.ctx, caller.merchant.id)) {
      return shed(served, request, reply, sign)
    }
    // After the last refusal that a repeat with the same signature may follow.
    if (signable !== undefined && signed?.use !== undefined) {
      await useOnce(edge.ctx, caller.merchant, signed.use, { kind: signable, parsed })
    }
    const [status, body] = statusAndBody(
      await endpoint.handle({
        caller,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: () => parsedValue(parsed),
        trace,
      }),
    )
    noteCall(edge, request, { route, status, startedAt })
    const answerBytes = send(request, reply, status, body, sign)
    keepCall(edge, request, { status, startedAt, parsed, body, answerBytes })
    return reply
  } catch (error) {
    return fail(served, request, reply, { error, parsed, startedAt, sign })
  }
}

type Failed = {
  readonly error: unknown
  readonly parsed: ReadJson
  readonly startedAt?: number
  readonly sign?: AnswerSigner | undefined
}

function fail(
  { edge, endpoint, route }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, parsed, startedAt = performance.now(), sign }: Failed,
): FastifyReply {
  const { status, code, message, repeats } = failureOf(error)
  if (status >= 500) {
    const traced = traceFacts(request.admission?.span?.context.traceparent)
    edge.log.error({ err: error, requestId: request.id, route, ...traced }, 'call failed')
  }
  noteCall(edge, request, { route, status, code, startedAt })
  const id = idIn(parsed, endpoint)
  const body = refusalBody(edge, endpoint, request, { status, code, message, repeats, id })
  const answerBytes = send(request, reply, status, body, sign)
  keepCall(edge, request, { status, startedAt, parsed, body, answerBytes })
  return reply
}

type Refusal = {
  readonly status: number
  readonly code: FailureCode
  readonly message: string
  readonly repeats?: string | undefined
  readonly id: string | undefined
}

/** In the words of the generation that was asked. */
function refusalBody(
  edge: Edge,
  { failureShape }: Endpoint,
  request: FastifyRequest,
  { status, code, message, repeats, id }: Refusal,
): object {
  if (failureShape.kind !== 'legacy') return failureBody(failureShape, status, code, message, id)
  return legacyRefusal(edge.log, request.id, status, inLegacyWords(message, repeats))
}

/** Counted for the report that shows a merchant where the earlier generation is still in use. */
function noteUse(edge: Edge, endpoint: Endpoint, { merchant }: Caller, parsed: ReadJson): void {
  if (merchant === undefined) return
  const call = callName(endpoint)
  edge.ctx.legacyUsage.note(merchant.id, call, parsed.ok ? usedFields(call, parsed.value) : [])
}

/** A GET has no body, and none is read for it, except where programs in use send one. */
const bodyOfGet = (
  edge: Edge,
  { raw }: FastifyRequest,
  admission: Admission,
): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    if (admission.caller === undefined) return resolve(undefined)
    readAdmitted(edge, raw, admission, (error, body) => {
      if (error === null) resolve(body)
      else reject(error)
    })
  })

async function shed(
  { edge, endpoint, route }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
  sign?: AnswerSigner,
): Promise<FastifyReply> {
  await edge.refusals.turn()
  noteCall(edge, request, { route, status: 503, code: 'AT_THE_LIMIT' })
  const message = 'The service is at its limit right now. Nothing was stored; try again shortly.'
  const refusal = { status: 503, code: 'UNKNOWN_ERROR', message, id: undefined } as const
  const body = refusalBody(edge, endpoint, request, refusal)
  const startedAt = performance.now()
  const answerBytes = send(request, reply.header('retry-after', '1'), 503, body, sign)
  keepCall(edge, request, { status: 503, startedAt, parsed: NOT_READ, body, answerBytes })
  return reply
}

/** Answers how many bytes the body has. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: object | undefined,
  sign?: AnswerSigner,
): number {
  // Written straight to the connection: the framework's way out does nothing here but cost time.
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  headers['x-request-id'] = request.id
  if (body === undefined) {
    raw.writeHead(status, headers).end()
    return 0
  }
  const text = JSON.stringify(body)
  headers['content-type'] = CONTENT_TYPE
  if (sign !== undefined) Object.assign(headers, sign(status, text, CONTENT_TYPE))
  const bytes = Buffer.byteLength(text)
  headers['content-length'] = String(bytes)
  raw.writeHead(status, headers).end(text)
  return bytes
}

const EMPTY = Buffer.alloc(0)
const NOT_READ: ReadJson = { ok: false, problem: 'the body was not read' }

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

function failureOf(error: unknown): Omit<Refusal, 'id'> {
  if (error instanceof RequestFault) {
    const { code, message, repeats } = error
    return { status: HTTP_STATUS[code] ?? 400, code, message, repeats }
  }
  return {
    status: 500,
    code: 'UNKNOWN_ERROR',
    message: 'Something went wrong on our side. Check the status before you try again.',
  }
}
