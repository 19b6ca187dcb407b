import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ifGiven, present } from '../../domain/present.ts'
import {
  type PaymentTrace,
  type RemoteTrace,
  spanIdOf,
  type TraceContext,
  traceIdOf,
  traceparentOf,
} from '../../domain/trace.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { VERSION } from '../../package-root.ts'
import { machineName } from '../machine.ts'
import type { Sampling, TraceSettings } from '../trace-settings.ts'

/** Makes spans, each under the parent that it is handed: nothing is ambient. */
export type Spans = {
  /** At the edge: part of the trace that a request names, or the first of a new one. */
  first(name: string, kind: SpanKind, from?: RemoteTrace, startedAt?: number): Span | undefined
  /** Of a payment that is traced; that was decided when it began, maybe by another node. */
  next(name: string, parent: PaymentTrace, attributes: Attributes): Span | undefined
  close(): Promise<void>
}

const TEXT_MAX = 256

export function createSpans(settings: TraceSettings, processor: SpanProcessor): Spans {
  const provider = new TracerProvider({
    sampler: samplerOf(settings.sampling),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: TEXT_MAX },
    resource: resourceFromAttributes({
      'host.name': machineName(),
      'process.pid': process.pid,
      'service.instance.id': randomUUID(),
      'service.version': VERSION,
      ...settings.attributes,
      'service.name': settings.serviceName,
    }),
  })
  const tracer: Tracer = provider.getTracer('malipo', VERSION)
  return {
    first: (name, kind, from, startTime) => {
      if (!isWanted(settings.sampling, from)) return undefined
      const parent = from === undefined ? ROOT_CONTEXT : within(from, from.isSampled, true)
      const span = tracer.startSpan(name, { kind, ...present({ startTime }) }, parent)
      return span.isRecording() ? span : undefined
    },
    next: (name, { traceparent, tracestate }, attributes) => {
      if (traceparent === undefined) return undefined
      const parent = within({ traceparent, ...present({ tracestate }) }, true, false)
      return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    },
    close: async () => {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, UPKEEP.spansClosedWithinMs).unref()
      })
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

/** Most requests are not sampled: nothing is made for them. */
function isWanted({ ratio, followsSender }: Sampling, from: RemoteTrace | undefined): boolean {
  if (from === undefined) return Math.random() < ratio
  return !followsSender || from.isSampled
}

/** What has no parent was drawn above; of the traces of others, the identifier decides. */
function samplerOf({ ratio, followsSender }: Sampling): Sampler {
  const root = new AlwaysOnSampler()
  if (followsSender) return new ParentBasedSampler({ root })
  const byId = new TraceIdRatioBasedSampler(ratio)
  return new ParentBasedSampler({ root, remoteParentSampled: byId, remoteParentNotSampled: byId })
}

function within(parent: TraceContext, isSampled: boolean, isRemote: boolean): Context {
  const { traceparent, tracestate } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceIdOf(traceparent),
    spanId: spanIdOf(traceparent),
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote,
    ...present({ traceState: ifGiven(tracestate, createTraceState) }),
  })
}

/** What comes after a span, with what the trace came with. */
export function contextOf(span: Span, tracestate: string | undefined): TraceContext {
  const { traceId, spanId } = span.spanContext()
  return { traceparent: traceparentOf(traceId, spanId, true), ...present({ tracestate }) }
}

export function fail(span: Span, message: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** A span that is over when a piece of work is, whichever way that ends. */
export async function during<T>(
  span: Span,
  work: Promise<T>,
  describe?: (result: T) => void,
): Promise<T> {
  try {
    const result = await work
    describe?.(result)
    return result
  } catch (error) {
    fail(span, error instanceof Error ? error.name : 'failed')
    throw error
  } finally {
    span.end()
  }
}
