import { randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Log } from '../../usecases/context.ts'
import { type LegacyError, legacyError } from '../../wire/v1/errors.ts'
import { rulesOf } from '../../wire/v1/migration.ts'
import type { Endpoint } from '../endpoint.ts'

/** What all answers of the earlier generation have: its error, and the way out of it. */
const ERRORS: Readonly<Record<number, 'authentication' | 'authorization'>> = {
  401: 'authentication',
  403: 'authorization',
}

/** The error as it is answered; its id is written to the log. */
export function legacyRefusal(
  log: Log,
  requestId: string,
  status: number,
  message: string,
): LegacyError {
  const errorId = randomUUID()
  // Not the message: it may repeat the path, and a path may hold a phone number.
  log.info({ requestId, errorId, status }, 'request refused with an error id')
  return legacyError(errorId, ERRORS[status] ?? (status >= 500 ? 'internal' : 'input'), message)
}

/** The day from which on the current generation took its place (RFC 9745: seconds since 1970). */
const DEPRECATED_SINCE = '@1793491200'

/** On every answer of the call, refusals included, from whichever layer. */
export function markDeprecated(
  reply: FastifyReply,
  { replacement = '' }: Endpoint,
  params: Readonly<Record<string, string>>,
): void {
  const path = replacement.replace(/^\w+ /, '').replace(/,.*$/, '')
  const address = path.replaceAll(/\{(\w+)\}/g, (place, name) => valueFor(place, params[name]))
  reply.header('deprecation', DEPRECATED_SINCE)
  reply.header('link', `<${address}>; rel="successor-version", </docs>; rel="deprecation"`)
}

/** What stood in the body, and what is no value, stays a name; an address has no braces in it. */
const valueFor = (place: string, value = ''): string =>
  /^[\w-]{1,36}$/.test(value) ? value : encodeURIComponent(place)

/** As people write it: `GET /deposits/{depositId}`. */
export function callName({ method, path }: Endpoint): string {
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
}

/** The fields of a body that have another name, another place or no place in the current one. */
export function usedFields(call: string, body: unknown): readonly string[] {
  const entries = Array.isArray(body) ? body : [body]
  return rulesOf(call)
    .filter(({ field, concerns = () => true }) =>
      entries.some((entry) => valuesAt(entry, field.split('.')).some(concerns)),
    )
    .map(({ field }) => field)
}

/** The values under a name; lists on the way hold several. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (name === undefined) return [value]
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, [name, ...rest]))
  if (typeof value !== 'object' || !Object.hasOwn(value, name)) return []
  return valuesAt((value as Record<string, unknown>)[name], rest)
}
