import type { Attributes, Span } from '@opentelemetry/api'
import { traceOf } from '../../domain/callbacks/callback-subject.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { type PaymentTrace, UNTRACED } from '../../domain/trace.ts'
import type { OwedCallback } from '../../store/callbacks/callbacks.ts'
import type { Group } from '../../store/engine/group.ts'
import type { Advance } from '../../store/payments/advance.ts'
import type { RefundRequest } from '../../store/payments/refunds.ts'
import type { CallbackWrites } from '../../usecases/callbacks/context.ts'
import type { PaymentWrites } from '../../usecases/payments/context.ts'
import { during, type Spans } from './spans.ts'

type Writes = PaymentWrites & CallbackWrites

/** What of an item a span is about. */
type Manner<In> = {
  readonly traceOf: (item: In) => PaymentTrace
  readonly about: (item: In) => Attributes
}

/**
 * A span for each traced payment that waits for a write and takes part in it: from joining the group
 * to its commit. An event says when the write began, and a number how many shared it.
 */
export function tracedWrites<W extends Writes>(spans: Spans, writes: W): W {
  const group = <In, Out, G extends Group<In, Out>>(name: string, of: G, manner: Manner<In>): G =>
    tracedGroup(spans, `write ${name}`, of, manner)
  return {
    ...writes,
    accept: group('accept', writes.accept, OF_PAYMENT),
    hold: group('hold', writes.hold, OF_PAYMENT),
    refund: group('refund', writes.refund, OF_REFUND),
    park: group('park', writes.park, OF_PAYMENT),
    advance: group('advance', writes.advance, {
      ...OF_PAYMENT,
      about: (item: Advance) => ({ ...OF_PAYMENT.about(item), 'malipo.payment.state': item.to }),
    }),
    authorise: group('authorise', writes.authorise, OF_PAYMENT),
    doubt: group('doubt', writes.doubt, OF_PAYMENT),
    route: group('route', writes.route, OF_PAYMENT),
    sendings: group('sending', writes.sendings, OF_CALLBACK),
    attempts: group('attempt', writes.attempts, OF_CALLBACK),
  }
}

function tracedGroup<In, Out, G extends Group<In, Out>>(
  spans: Spans,
  name: string,
  group: G,
  manner: Manner<In>,
): G {
  const waiting = new Map<In, Span>()
  group.observe((items) => {
    if (waiting.size === 0) return
    for (const item of items) {
      const span = waiting.get(item)
      span?.setAttribute('db.operation.batch.size', items.length)
      span?.addEvent('the write begins')
    }
  })
  return {
    ...group,
    add: (item) => {
      const trace = manner.traceOf(item)
      if (trace.traceparent === undefined) return group.add(item)
      const about = { 'db.system.name': 'postgresql', ...manner.about(item) }
      const span = spans.next(name, trace, about)
      if (span === undefined) return group.add(item)
      waiting.set(item, span)
      return during(span, group.add(item)).finally(() => waiting.delete(item))
    },
  }
}

type WithPayment = { readonly payment: Payment }

const aboutPayment = ({ kind, id, provider }: Payment): Attributes => ({
  'malipo.payment.kind': kind,
  'malipo.payment.id': id,
  'malipo.payment.provider': provider,
})

const OF_PAYMENT: Manner<WithPayment> = {
  traceOf: ({ payment }) => payment.details,
  about: ({ payment }) => aboutPayment(payment),
}

const OF_REFUND: Manner<RefundRequest> = {
  traceOf: ({ trace = UNTRACED }) => trace,
  about: ({ deposit }) => ({
    'malipo.payment.kind': 'refund',
    'malipo.payment.refund_of': deposit.id,
    'malipo.payment.provider': deposit.provider,
  }),
}

const OF_CALLBACK: Manner<{ readonly owed: OwedCallback }> = {
  traceOf: ({ owed }) => traceOf(owed.subject),
  about: ({ owed: { subject, state, attempts } }) => ({
    'malipo.payment.kind': subject.kind,
    'malipo.payment.id': subject.id,
    'malipo.payment.state': state,
    'malipo.callback.earlier_attempts': attempts,
  }),
}
