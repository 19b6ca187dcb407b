import type { FastifyRequest } from 'fastify'
import { type PaymentTrace, type TraceContext, UNTRACED } from '../domain/trace.ts'

/** Makes the spans of calls. */
export type CallTraces = {
  /** Undefined where the call is not sampled. */
  begin(call: TracedCall): CallSpan | undefined
}

type TracedCall = {
  readonly method: string
  readonly route: string
  readonly requestId: string
  readonly merchant: string
  readonly headers: FastifyRequest['headers']
  /** How long ago its headers came, in milliseconds. */
  readonly sinceMs: number
}

export type CallSpan = {
  /** For what follows from the call. */
  readonly context: TraceContext
  end(status: number, code: string | undefined): void
}

/** For callers that are known: strangers could fill the traces. Ended by `noteCall`. */
export function beginTrace(
  traces: CallTraces,
  { id: requestId, method, headers, arrivedAt, admission }: FastifyRequest,
  route: string,
): PaymentTrace {
  const merchant = admission?.caller?.merchant?.slug
  if (admission === undefined || merchant === undefined) return UNTRACED
  const sinceMs = arrivedAt === undefined ? 0 : performance.now() - arrivedAt
  const span = traces.begin({ method, route, requestId, merchant, headers, sinceMs })
  if (span === undefined) return UNTRACED
  admission.span = span
  return span.context
}
