import type { FastifyRequest } from 'fastify'
import { traceFacts } from '../domain/trace.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import type { Context, Log } from '../usecases/context.ts'
import type { ReadJson } from '../wire/json.ts'
import { ANONYMOUS } from './admit.ts'
import { inMemory } from './authenticate.ts'

/** With the trace of the call, if it has one. */
export type OnAnswer = (
  route: string,
  status: number,
  seconds: number,
  traceparent?: string,
) => void

type Notes = { readonly log: Log; readonly onAnswer: OnAnswer }

type KeptNotes = { readonly ctx: Context & Pick<AccountContext, 'requestLog' | 'lastUses'> }

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where not even its path could be read. */
    arrivedAt: number | undefined
  }
}

/**
 * One line for each request, whatever became of it. It has the template of the path and never the
 * path itself, which may hold a phone number or the secret of a link.
 */
const TEXT = 'request'

type Answered = {
  readonly route: string
  readonly status: number
  /** Why it was refused. */
  readonly code?: string
  readonly startedAt?: number
}

/** Of a call of the API, which is counted as well. */
export function noteCall(
  { log, onAnswer }: Notes,
  { id: requestId, admission }: FastifyRequest,
  { route, status, code, startedAt }: Answered,
): void {
  const ms = startedAt === undefined ? 0 : performance.now() - startedAt
  const merchant = admission?.caller?.merchant?.slug
  const facts = { requestId, route, status, code, ms: rounded(ms), merchant }
  const span = admission?.span
  if (span === undefined) {
    onAnswer(route, status, ms / 1000)
    log.info(facts, TEXT)
    return
  }
  const { traceparent } = span.context
  onAnswer(route, status, ms / 1000, traceparent)
  log.info({ ...facts, ...traceFacts(traceparent) }, TEXT)
  span.end(status, code)
}

type Kept = {
  readonly status: number
  readonly startedAt: number
  readonly parsed: ReadJson
  readonly body: object | undefined
  readonly answerBytes: number
}

/** For the people of the merchant: after the answer, and by references to what is there. */
export function keepCall(
  { ctx }: KeptNotes,
  request: FastifyRequest,
  { status, startedAt, parsed, body, answerBytes }: Kept,
): void {
  const caller = request.admission?.caller
  if (caller === undefined || caller === ANONYMOUS) return
  ctx.lastUses.token(caller.merchant.id, caller.tokenId)
  ctx.requestLog.note({
    at: ctx.clock.realNow(),
    caller,
    requestId: request.id,
    method: request.method,
    url: request.url,
    status,
    durationMs: performance.now() - startedAt,
    body: parsed.ok ? parsed.value : undefined,
    bodyBytes: request.body instanceof Buffer ? request.body.length : 0,
    answer: body,
    answerBytes,
  })
}

/** Of a page. What programs ask for every few seconds would hide all else. */
export function noteView(
  { log }: Notes,
  { id: requestId }: FastifyRequest,
  { route, status, startedAt = 0, isProbe }: Answered & { readonly isProbe: boolean },
): void {
  const facts = { requestId, route, status, ms: rounded(performance.now() - startedAt) }
  if (isProbe) log.debug(facts, TEXT)
  else log.info(facts, TEXT)
}

export type Stray = {
  readonly id: string
  readonly url: string
  readonly method?: string | undefined
  /** Where there is something, but not for this request. */
  readonly routeOptions?: { readonly url?: string | undefined }
  readonly page?: { readonly route: { readonly path: string } } | undefined
  readonly arrivedAt?: number | undefined
  readonly headers?: FastifyRequest['headers']
}

/** Of what reached neither an endpoint nor a page; the answer where it is one of the API. */
export function noteStray(
  { log, onAnswer, ctx }: Notes & KeptNotes,
  stray: Stray,
  status: number,
  answer?: object,
): void {
  const { id: requestId, method, url, arrivedAt } = stray
  const ms = arrivedAt === undefined ? 0 : performance.now() - arrivedAt
  onAnswer('none', status, ms / 1000)
  const path = routeOf(stray) ?? plainPath(url)
  const caller = inMemory(ctx, stray.headers?.authorization)
  const merchant = caller?.merchant.slug
  log.info({ requestId, method, path, status, ms: rounded(ms), merchant }, TEXT)
  if (caller === undefined || method === undefined || answer === undefined) return
  ctx.requestLog.note({
    at: ctx.clock.realNow(),
    caller,
    requestId,
    method,
    url: path,
    status,
    durationMs: ms,
    body: undefined,
    bodyBytes: 0,
    answer,
    answerBytes: 0,
  })
}

/** Pages share this route of the framework, which so says nothing of them. */
export const ANY_PAGE = '/*'

function routeOf({ page, routeOptions }: Stray): string | undefined {
  if (page !== undefined) return page.route.path
  return routeOptions?.url === ANY_PAGE ? undefined : routeOptions?.url
}

/** What follows these is the secret of a link, whatever it looks like. */
const SECRET_AFTER = /^\/(?:pay|checkout|statements|sandbox\/(?:wallet|enter))(?=\/)/
const PARTS_MAX = 8
/** Words as paths have them: a number, a token or an identifier is none. */
const WORD = /^(?:[a-z]+|[A-Z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+){1,3})\d{0,2}$/

/** The path without what may be secret or personal, so that a mistyped one is found. */
function plainPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  const parts = path.split('/', 100).filter((part) => part !== '')
  const shown = parts.slice(0, PARTS_MAX).map((part) => (isPlain(part) ? part : '…'))
  const text = `/${shown.join('/')}${parts.length > PARTS_MAX ? '/…' : ''}`
  const [open] = SECRET_AFTER.exec(text) ?? []
  return open === undefined ? text : `${open}/…`
}

const isPlain = (part: string): boolean =>
  part.length <= 24 && part.split(/[._-]/, 6).every((word) => word === '' || WORD.test(word))

const rounded = (ms: number): number => Math.round(ms * 10) / 10
