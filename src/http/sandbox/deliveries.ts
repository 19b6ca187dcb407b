import { parsePaymentId } from '../../domain/ids.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { type Delivery, listDeliveries } from '../../usecases/callbacks/list-deliveries.ts'
import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import { invalid, missing, RequestFault } from '../../wire/fault.ts'
import { NOT_ANY_UUID } from '../../wire/identifiers.ts'
import { Deliveries } from '../../wire/sandbox/controls.ts'
import { Type } from '../../wire/schema.ts'
import type { Endpoint } from '../endpoint.ts'
import { control } from './control.ts'

/** What was sent about a payment, and what came back. */
export const deliveries = (ctx: SandboxContext): Endpoint => ({
  ...control('read'),
  method: 'GET',
  path: '/sandbox/deliveries',
  operationId: 'listDeliveries',
  summary: 'See the callbacks of a payment',
  description:
    'Every callback of the payment `paymentId` with every attempt: what was sent, what came ' +
    'back, why it failed in plain words, and when the next attempt is. `endpoint` is the address ' +
    'of now, and whether it is paused or keeps failing; it is absent if no address is set.',
  query: {
    paymentId: Type.String({ format: 'uuid', description: 'the identifier of the payment' }),
  },
  answer: Deliveries,
  refusals: [400, 401, 403, 404],
  handle: async ({ caller, query }) => {
    const text = query.paymentId
    if (text === undefined || text === '') throw missing('paymentId')
    const id = typeof text === 'string' ? parsePaymentId(text) : undefined
    if (id === undefined) throw invalid('paymentId', NOT_ANY_UUID)
    const found = await listDeliveries(ctx, caller.merchant, id)
    if (found === undefined) {
      throw new RequestFault('NOT_FOUND', `No payment with the id '${text}' was found.`)
    }
    return found.map(fromDelivery)
  },
})

function fromDelivery(delivery: Delivery): object {
  const { endpoint, unsent } = delivery
  return {
    kind: delivery.kind,
    status: delivery.state,
    delivery: delivery.status,
    ...present({
      nextAttempt: ifGiven(delivery.dueMs, isoText),
      reason: unsent,
      endpoint: ifGiven(endpoint, ({ url, state, sinceMs }) => ({
        url,
        state,
        ...present({ since: ifGiven(sinceMs, isoText) }),
      })),
    }),
    attempts: delivery.attempts.map((one) => ({
      number: one.attempt,
      at: isoText(one.atMs),
      url: one.url,
      requestHeaders: one.requestHeaders,
      requestBody: one.requestBody,
      durationMs: one.durationMs,
      ...present({
        httpStatus: one.httpStatus,
        answer: one.answer,
        reason: one.reason,
        nextAttempt: ifGiven(one.nextMs, isoText),
      }),
    })),
  }
}

const isoText = (ms: number): string => new Date(Math.round(ms)).toISOString()
