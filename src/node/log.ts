import pino from 'pino'
import type { Log } from '../usecases/context.ts'
import type { LogLevel } from './config.ts'

/** Field names that must never be printed, wherever they stand. */
const SECRET_FIELDS = [
  'token',
  'authorization',
  'phoneNumber',
  'metadata',
  'preAuthorisationCode',
  'secretKey',
  'body',
]

/** JSON lines on standard error; standard output is for people and for command results. */
export function createLog(level: LogLevel): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[hidden]',
    },
    serializers: { err: describeError },
  }
  return pino(options, pino.destination({ fd: 2, sync: false }))
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
