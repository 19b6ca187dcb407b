import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MerchantId } from '../domain/ids.ts'
import type { Caller } from '../usecases/accounts/merchant-directory.ts'
import type { Context } from '../usecases/context.ts'
import type { Limiter } from './admission-control.ts'
import { identify, known } from './authenticate.ts'
import { BODY_LIMIT, type BodyLimit, hasSmallBody, readBody, SMALL_BODY_LIMIT } from './bodies.ts'
import type { CallSpan } from './call-trace.ts'
import type { Endpoint } from './endpoint.ts'
import { markDeprecated } from './v1/legacy.ts'

/** What the token of a request led to, before its body is read. */
export type Admission = {
  /** Of a token that was known and permits the call; all others count as strangers. */
  readonly merchantId: MerchantId | undefined
  readonly caller?: Caller
  /** Why there is no caller. */
  readonly error?: unknown
  /** What is read of the body of a page that takes more than a form. */
  readonly bodyLimit?: BodyLimit
  /** To be called when its body is not needed any more; undefined where it takes no room. */
  releaseBody?: (() => void) | undefined
  /** Of a call that is traced, from its admission to its answer. */
  span?: CallSpan
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where there is no operation. */
    admission: Admission | undefined
  }
}

/** The caller where none is needed. */
export const ANONYMOUS = {} as Caller

type AdmittingEdge = {
  readonly ctx: Context
  readonly requestLimiter: Limiter
  readonly bodyRoom: Limiter
}

type Refuse = {
  readonly shed: (request: FastifyRequest, reply: FastifyReply) => void
  readonly fail: (request: FastifyRequest, reply: FastifyReply, error: unknown) => void
}

/** The token comes before the body: that of a stranger is not read unless it is small. */
export function admit({ ctx, requestLimiter }: AdmittingEdge, endpoint: Endpoint, refuse: Refuse) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (endpoint.replacement !== undefined) {
      markDeprecated(reply, endpoint, request.params as Record<string, string>)
    }
    const { authorization } = request.headers
    const caller = known(ctx, authorization, endpoint.access)
    if (caller !== undefined) {
      request.admission = { merchantId: caller.merchant.id, caller }
      done()
      return
    }
    if (!requestLimiter.enter(undefined)) {
      refuse.shed(request, reply)
      return
    }
    const identified = (found: Pick<Admission, 'caller' | 'error'>): void => {
      requestLimiter.leave(undefined)
      request.admission = { merchantId: undefined, ...found }
      if (found.caller !== undefined || hasSmallBody(request)) done()
      else refuse.fail(request, reply, found.error)
    }
    callerOf(ctx, endpoint, authorization).then(
      (found) => identified({ caller: found }),
      (error) => identified({ error }),
    )
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

/** A page has no admission, and takes small forms. */
export function readAdmitted(
  { bodyRoom }: AdmittingEdge,
  request: IncomingMessage,
  admission: Admission | undefined,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const limit = admission?.bodyLimit ?? (isStranger(admission) ? SMALL_BODY_LIMIT : BODY_LIMIT)
  const options = { limit, merchantId: admission?.merchantId, room: bodyRoom } as const
  readBody(request, options, (error, body, release) => {
    if (admission !== undefined) admission.releaseBody = release
    done(error, body)
  })
}

const isStranger = (admission: Admission | undefined): boolean =>
  admission?.caller === undefined || admission.caller === ANONYMOUS
