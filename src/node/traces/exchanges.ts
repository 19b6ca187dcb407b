import type { Attributes, Span } from '@opentelemetry/api'
import type { Delivery } from '../../callbacks/dispatch.ts'
import type { CallbackSender } from '../../callbacks/send.ts'
import { isAcknowledged } from '../../domain/callbacks/callback.ts'
import { traceOf } from '../../domain/callbacks/callback-subject.ts'
import type { Connector, Outcome, ProviderOrder } from '../../providers/connector.ts'
import type { Reply } from '../../providers/exchange.ts'
import type { AccountWorld } from '../../usecases/operators/open-account.ts'
import { contextOf, during, fail, type Spans } from './spans.ts'

/** What leaves the house about a payment that is traced: a span each, which the other side can continue. */

/**
 * Requests to an operator. It gets the identifiers and not the state of the trace, in which a merchant's
 * own systems talk to each other.
 */
export const tracedSend =
  (spans: Spans, send: AccountWorld['send']): AccountWorld['send'] =>
  (url, request, withinMs, about) => {
    const { what, order } = about
    const span = order && spans.next(`operator ${what}`, order, aboutOrder(order))
    if (span === undefined) return send(url, request, withinMs, about)
    span.setAttributes({ ...aboutAddress(url), 'http.request.method': request.method })
    const headers = { ...request.headers, ...contextOf(span, undefined) }
    const sent = send(url, { ...request, headers }, withinMs, about)
    return during(span, sent, (reply) => describeReply(span, reply))
  }

function describeReply(span: Span, reply: Reply): void {
  if (reply.kind === 'failed') {
    fail(span, reply.reason)
    return
  }
  span.setAttribute('http.response.status_code', reply.status)
  if (reply.status >= 400) fail(span, String(reply.status))
}

/** The simulated operator has no address, and is asked like any other. */
export function tracedConnector(spans: Spans, connector: Connector): Connector {
  const asked = (
    what: string,
    order: ProviderOrder,
    ask: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const span = spans.next(`operator ${what}`, order, aboutOrder(order))
    if (span === undefined) return ask()
    return during(span, ask(), ({ kind }) => span.setAttribute('malipo.outcome', kind))
  }
  return {
    ...connector,
    submit: (order, reference) =>
      order.traceparent === undefined
        ? connector.submit(order, reference)
        : asked('submit', order, () => connector.submit(order, reference)),
    query: (order, reference, memo) =>
      order.traceparent === undefined
        ? connector.query(order, reference, memo)
        : asked('query', order, () => connector.query(order, reference, memo)),
  }
}

/** Attempts to deliver a callback. The merchant gets back what it sent along, if it did. */
export const tracedSender = (spans: Spans, sender: CallbackSender): CallbackSender => ({
  ...sender,
  send: (subject, merchant, url) => {
    const trace = traceOf(subject)
    if (trace.traceparent === undefined) return sender.send(subject, merchant, url)
    const { kind, id, state } = subject
    const span = spans.next(`callback ${kind}`, trace, {
      ...(URL.canParse(url) ? aboutAddress(new URL(url)) : {}),
      'http.request.method': 'POST',
      'malipo.payment.kind': kind,
      'malipo.payment.id': id,
      'malipo.payment.state': state,
      'malipo.merchant': merchant.slug,
    })
    if (span === undefined) return sender.send(subject, merchant, url)
    const headers = { ...contextOf(span, trace.tracestate) }
    const sent = sender.send(subject, merchant, url, headers)
    return during(span, sent, (delivery) => describeDelivery(span, delivery))
  },
})

function describeDelivery(span: Span, { httpStatus, reason }: Delivery): void {
  if (httpStatus !== undefined) span.setAttribute('http.response.status_code', httpStatus)
  const isTaken = httpStatus !== undefined && isAcknowledged(httpStatus)
  if (!isTaken) fail(span, reason ?? String(httpStatus))
}

const aboutOrder = ({ operation, paymentId, provider }: ProviderOrder): Attributes => ({
  'malipo.operation': operation,
  'malipo.payment.id': paymentId,
  'malipo.payment.provider': provider,
})

/** Not the path: there may be a phone number in it, or the secret of a receiver. */
const aboutAddress = ({ hostname, port, protocol }: URL): Attributes => ({
  'server.address': hostname,
  'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})
