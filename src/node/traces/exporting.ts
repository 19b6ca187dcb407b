import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Log } from '../../usecases/context.ts'
import type { TraceSettings } from '../trace-settings.ts'

export type SpanCount = (result: 'sent' | 'lost', count: number) => void

/** Ended spans that may wait or be under way. */
const WAITING_MAX = 4096
const BATCH_MAX = 512

/**
 * Sends spans by the way, in batches. A receiver that is down, slow or hangs costs the spans that
 * find no room, and nothing else: nobody waits for it. What is lost is counted, and logged now and then.
 */
export function createExporting(
  { url, headers, timeoutMs }: TraceSettings,
  log: Log,
  count: SpanCount,
): SpanProcessor {
  let waiting = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const lose = (spans: number, reason: string): void => {
    count('lost', spans)
    const now = performance.now()
    if (now - loggedAt < UPKEEP.spansLostEveryMs) return
    loggedAt = now
    log.warn({ spans, reason }, 'spans of traces are lost')
  }
  const timeoutMillis = timeoutMs
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis })
  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        waiting -= spans.length
        if (result.code === SUCCESS) count('sent', spans.length)
        else lose(spans.length, result.error?.message ?? 'the receiver took none')
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: UPKEEP.spansSentEveryMs,
    // Longer than the exporter takes by itself, so that every batch is reported.
    exportTimeoutMillis: 2 * timeoutMs,
  })
  return {
    onStart: () => {},
    onEnd: (span) => {
      if (waiting >= WAITING_MAX) return lose(1, 'too many wait for the receiver')
      waiting += 1
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}

/** `ExportResultCode.SUCCESS` of a package that is not ours to import. */
const SUCCESS = 0
