import type { FastifyRequest } from 'fastify'
import type { Log } from '../usecases/context.ts'

type Notes = {
  readonly log: Log
  readonly onAnswer: (route: string, status: number, seconds: number) => void
}

/**
 * One line for each request, whatever became of it. It has the template of the path and never the
 * path itself, which may hold a phone number or the secret of a link.
 */
const TEXT = 'request'

export type Answered = {
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
  onAnswer(route, status, ms / 1000)
  const merchant = admission?.caller?.merchant?.slug
  log.info({ requestId, route, status, code, ms: rounded(ms), merchant }, TEXT)
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
  readonly method?: string
  /** Where there is something, but not for this request. */
  readonly routeOptions?: { readonly url?: string | undefined }
}

/** Of what reached neither an endpoint nor a page. */
export function noteStray({ log, onAnswer }: Notes, stray: Stray, status: number): void {
  const { id: requestId, method, url } = stray
  onAnswer('none', status, 0)
  const path = stray.routeOptions?.url ?? firstPartOf(url)
  log.info({ requestId, method, path, status }, TEXT)
}

/** Short words only: a number, a token or an identifier is not written down. */
function firstPartOf(url: string): string {
  const [, first = '', rest] = /^\/*([^/?#]*)(\/[^?#])?/.exec(url) ?? []
  const word = /^[a-z._][\w.-]{0,15}$/i.test(first) ? first : first === '' ? '' : '…'
  return `/${word}${rest === undefined ? '' : '/…'}`
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
