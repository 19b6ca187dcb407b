import pino from 'pino'
import type { Log } from '../usecases/context.ts'
import type { LogLevel } from './config.ts'

/** Field names that must never be printed, wherever they stand. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'token',
  'authorization',
  'phoneNumber',
  'metadata',
  'preAuthorisationCode',
  'secretKey',
  'body',
])
/** Deeper than any facts are. */
const DEPTH_MAX = 5

/** JSON lines on standard error; standard output is for people and for command results. */
export function createLog(level: LogLevel): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not `redact` of pino, which takes several times as long as all else about a line.
    formatters: { level: (label) => ({ level: label }), log: (facts) => hideSecrets(facts) },
    serializers: { err: describeError },
  }
  return pino(options, pino.destination({ fd: 2, sync: false }))
}

/** The same facts without the values of secret fields; only what has one is copied. */
export function hideSecrets<T extends object>(facts: T, depth = 0): T {
  let copy: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(facts)) {
    const shown = SECRET_FIELDS.has(name) ? '[hidden]' : withoutSecrets(value, depth)
    if (shown === value) continue
    copy ??= (Array.isArray(facts) ? [...facts] : { ...facts }) as Record<string, unknown>
    copy[name] = shown
  }
  return (copy as T | undefined) ?? facts
}

function withoutSecrets(value: unknown, depth: number): unknown {
  // An error is described by its own serializer, with the few fields that are kept.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  return depth === DEPTH_MAX ? '[…]' : hideSecrets(value, depth + 1)
}

/** A database error carries whole rows in its details; only what happened and where is kept. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
  }
}
