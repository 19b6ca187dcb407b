import { CALLBACK_STATUSES } from '../../domain/callbacks/callback.ts'
import { SUBJECT_WORDS, type SubjectKind } from '../../domain/callbacks/callback-subject.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import { ifGiven, present } from '../../domain/present.ts'
import {
  callbacksOf,
  type HistoryPlace,
  type HistoryRow,
} from '../../usecases/callbacks/history.ts'
import { type Delivery, listDeliveries } from '../../usecases/callbacks/list-deliveries.ts'
import type { LinkContext } from '../../usecases/hosted/context.ts'
import { invalid, RequestFault } from '../../wire/fault.ts'
import { Timestamp } from '../../wire/formats.ts'
import { NOT_ANY_UUID } from '../../wire/identifiers.ts'
import { Type } from '../../wire/schema.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { queryText } from '../query-text.ts'
import { choiceIn, isoText, limitIn, PAGE, spanIn } from './asked.ts'

const KINDS = Object.keys(SUBJECT_WORDS) as SubjectKind[]

const CallbackList = Type.Object(
  {
    callbacks: Type.Array(
      Type.Object({
        kind: Type.Enum(KINDS, { description: 'what the callback is about' }),
        paymentId: Type.String({ description: 'the identifier of what it is about' }),
        status: Type.String({ description: 'the state that it reports', examples: ['COMPLETED'] }),
        delivery: Type.Enum([...CALLBACK_STATUSES]),
        tries: Type.Integer({ description: 'how often it was sent' }),
        url: Type.Optional(Type.String({ description: 'where it was sent, or will be' })),
        httpStatus: Type.Optional(Type.Integer({ description: 'of the last attempt' })),
        nextAttempt: Type.Optional(Timestamp),
        attempts: Type.Optional(
          Type.Array(
            Type.Object({
              at: Timestamp,
              url: Type.String(),
              durationMs: Type.Integer(),
              httpStatus: Type.Optional(Type.Integer()),
              reason: Type.Optional(Type.String({ description: 'why it was not delivered' })),
            }),
            { description: 'where one payment is asked for' },
          ),
        ),
      }),
      { description: 'newest payment first' },
    ),
    next: Type.Optional(
      Type.String({ description: 'where to go on; a page before the last one may be empty' }),
    ),
  },
  { $id: 'CallbackList' },
)

/** Bodies are left out: the feed has them, signed. */
export const listCallbacks = (ctx: LinkContext): Endpoint => ({
  method: 'GET',
  path: '/callbacks',
  operationId: 'listCallbacks',
  tag: 'callbacks',
  summary: 'See which callbacks arrived',
  description:
    'The callbacks of your account and what became of them, newest payment first. With ' +
    '`paymentId` those of one payment, with every attempt. `delivery`: PENDING is tried again at ' +
    '`nextAttempt`; GIVEN_UP had no success in seven days; PAUSED waits because the receiver ' +
    'answered 410; NO_ADDRESS is there for a client that listens.',
  access: { group: 'callbacks', level: 'read' },
  failureShape: { kind: 'resource' },
  query: {
    paymentId: Type.Optional(Type.String({ format: 'uuid', description: 'only of this payment' })),
    kind: Type.Optional(Type.Enum(KINDS, { description: 'only of this kind' })),
    delivery: Type.Optional(Type.Enum([...CALLBACK_STATUSES], { description: 'only these' })),
    ...PAGE,
  },
  answer: CallbackList,
  refusals: [400, 401, 403, 404],
  handle: (call) =>
    call.query.paymentId === undefined || call.query.paymentId === ''
      ? manyOf(ctx, call)
      : ofOne(ctx, call),
})

async function manyOf(ctx: LinkContext, { caller, query }: Call): Promise<object> {
  const { rows, next } = await callbacksOf(
    ctx,
    caller.merchant,
    {
      kind: choiceIn(query, 'kind', KINDS),
      result: choiceIn(query, 'delivery', CALLBACK_STATUSES),
      ...spanIn(query),
    },
    { after: placeIn(query), limit: limitIn(query) },
  )
  return {
    callbacks: rows.map(fromRow),
    ...present({ next: ifGiven(next, ({ key, state }) => `${key}.${state}`) }),
  }
}

const PLACE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Z_]{1,30})$/

function placeIn(query: Call['query']): HistoryPlace | undefined {
  const text = queryText(query, 'after', PLACE, 'it must be `next` of an earlier answer')
  const [, key, state] = PLACE.exec(text ?? '') ?? []
  return key === undefined || state === undefined ? undefined : { key, state }
}

const fromRow = (row: HistoryRow): object => ({
  kind: row.kind,
  paymentId: row.paymentId,
  status: row.state,
  delivery: row.status,
  tries: row.tries,
  ...present({ url: row.url, httpStatus: row.httpStatus, nextAttempt: nextOf(row) }),
})

async function ofOne(ctx: LinkContext, { caller, query }: Call): Promise<object> {
  const { paymentId } = query
  const id = typeof paymentId === 'string' ? parsePaymentId(paymentId) : undefined
  if (id === undefined) throw invalid('paymentId', NOT_ANY_UUID)
  const [kind, delivery] = [
    choiceIn(query, 'kind', KINDS),
    choiceIn(query, 'delivery', CALLBACK_STATUSES),
  ]
  const found = await listDeliveries(ctx, caller.merchant, id)
  if (found === undefined) {
    throw new RequestFault('NOT_FOUND', `No payment with the id '${paymentId}' was found.`)
  }
  const wanted = found
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((one) => delivery === undefined || one.status === delivery)
  return { callbacks: wanted.map((one) => fromDelivery(id, one)) }
}

function fromDelivery(paymentId: string, delivery: Delivery): object {
  const { kind, state, status, attempts, endpoint } = delivery
  const last = attempts.at(-1)
  return {
    kind,
    paymentId,
    status: state,
    delivery: status,
    tries: attempts.length,
    ...present({
      url: last?.url ?? endpoint?.url,
      httpStatus: last?.httpStatus,
      nextAttempt: nextOf(delivery),
    }),
    attempts: attempts.map((one) => ({
      at: isoText(one.atMs),
      url: one.url,
      durationMs: Math.round(one.durationMs),
      ...present({ httpStatus: one.httpStatus, reason: one.reason }),
    })),
  }
}

const nextOf = (one: {
  readonly status: string
  readonly dueMs: number | null
}): string | undefined => (one.status === 'PENDING' ? ifGiven(one.dueMs, isoText) : undefined)
