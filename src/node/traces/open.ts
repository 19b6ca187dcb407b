import { SpanKind } from '@opentelemetry/api'
import type { CallbackSender } from '../../callbacks/send.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import type { TraceContext } from '../../domain/trace.ts'
import type { CallTraces } from '../../http/call-trace.ts'
import type { Connector } from '../../providers/connector.ts'
import type { CallbackWrites } from '../../usecases/callbacks/context.ts'
import type { Log } from '../../usecases/context.ts'
import type { AccountWorld } from '../../usecases/operators/open-account.ts'
import type { PaymentWrites } from '../../usecases/payments/context.ts'
import type { TraceSettings } from '../trace-settings.ts'
import { callTraces } from './calls.ts'
import { tracedConnector, tracedSend, tracedSender } from './exchanges.ts'
import { createExporting, type SpanCount } from './exporting.ts'
import { contextOf, createSpans } from './spans.ts'
import { tracedWrites } from './writes.ts'

/**
 * Everything about traces, loaded where they are configured and only there. What is traced is wrapped
 * once, when a node is composed; without traces there is no wrapping, and nothing to ask.
 */
export type Traces = {
  readonly calls: CallTraces
  /** Of a payment that a customer or a file starts: a trace of its own. */
  beginPayment(kind: PaymentKind): TraceContext | undefined
  writes<W extends PaymentWrites & CallbackWrites>(writes: W): W
  callbacks(sender: CallbackSender): CallbackSender
  connector(connector: Connector): Connector
  operatorSend(send: AccountWorld['send']): AccountWorld['send']
  /** Sends what is left, as far as the receiver takes it. */
  close(): Promise<void>
}

export function openTraces(settings: TraceSettings, log: Log, count: SpanCount): Traces {
  const spans = createSpans(settings, createExporting(settings, log, count))
  return {
    calls: callTraces(spans),
    beginPayment: (kind) => {
      const span = spans.first(`start ${kind}`, SpanKind.INTERNAL)
      span?.end()
      return span && contextOf(span, undefined)
    },
    writes: (writes) => tracedWrites(spans, writes),
    callbacks: (sender) => tracedSender(spans, sender),
    connector: (connector) => tracedConnector(spans, connector),
    operatorSend: (send) => tracedSend(spans, send),
    close: spans.close,
  }
}
