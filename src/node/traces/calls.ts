import { SpanKind } from '@opentelemetry/api'
import { present } from '../../domain/present.ts'
import { readTrace } from '../../domain/trace.ts'
import type { CallTraces } from '../../http/call-trace.ts'
import { contextOf, fail, type Spans } from './spans.ts'

/** One span for each call of the API that is sampled, from its headers to its answer. */
export function callTraces(spans: Spans): CallTraces {
  return {
    begin: ({ method, route, requestId, merchant, headers, sinceMs }) => {
      const from = readTrace(headers.traceparent, headers.tracestate)
      // Both ends by one clock: the other one counts whole milliseconds.
      const beganAt = performance.now() - sinceMs
      const startTime = Date.now() - sinceMs
      const span = spans.first(route, SpanKind.SERVER, from, startTime)
      if (span === undefined) return undefined
      return {
        context: contextOf(span, from?.tracestate),
        end: (status, code) => {
          span.setAttributes({
            'http.request.method': method,
            'http.route': route.slice(method.length + 1),
            'http.response.status_code': status,
            'malipo.merchant': merchant,
            'malipo.request_id': requestId,
            ...present({ 'error.type': code }),
          })
          if (status >= 500) fail(span, code ?? String(status))
          span.end(startTime + (performance.now() - beganAt))
        },
      }
    },
  }
}
