import { permits } from '../../domain/accounts/token.ts'
import { PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import type { Caller } from '../../usecases/accounts/merchant-directory.ts'
import type { Context } from '../../usecases/context.ts'
import { storiesOf } from '../../usecases/payments/look-up.ts'
import type { PaymentStory } from '../../usecases/payments/payment-story.ts'
import { RequestFault } from '../../wire/fault.ts'
import { Timestamp } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { paymentRecord } from '../payment-record.ts'
import { ANY_KIND, isoText, readableKinds } from './asked.ts'
import { AnyRecord } from './find-payments.ts'

const EVENTS = ['STATE', 'OPERATOR', 'MONEY', 'CASE', 'CALLBACK'] as const

const PaymentStories = Type.Object(
  {
    payments: Type.Array(
      Type.Object({
        kind: Type.Enum([...PAYMENT_KINDS]),
        data: AnyRecord,
        events: Type.Array(
          Type.Object({
            at: Timestamp,
            type: Type.Enum([...EVENTS]),
            text: Type.String({ examples: ['COMPLETED'] }),
          }),
          { description: 'everything that happened, in its order' },
        ),
        archivedIn: Type.Optional(
          Type.Integer({
            description:
              'movements, exchanges and callbacks are in the files of this archived year, not here',
          }),
        ),
      }),
      { description: 'kinds have identifiers of their own, so there may be one of each' },
    ),
  },
  { $id: 'PaymentStories' },
)

export const explainPayment = (ctx: Context): Endpoint => ({
  method: 'GET',
  path: '/payments/:paymentId',
  operationId: 'explainPayment',
  tag: 'payments',
  summary: 'Read what happened to a payment',
  description:
    'The record of the payment and its story: states, what the operator was asked and answered, ' +
    'and doubts about the outcome. Movements of money are shown to tokens with the scope ' +
    '`finances:read`, attempts of callbacks to those with `callbacks:read`.',
  access: ANY_KIND,
  failureShape: { kind: 'resource' },
  answer: PaymentStories,
  refusals: [400, 401, 403, 404],
  handle: async ({ caller, params }) => {
    const id = pathId(params, 'paymentId')
    const stories = await storiesOf(ctx, caller.merchant, readableKinds(caller), id)
    if (stories.length === 0) {
      throw new RequestFault('NOT_FOUND', `No payment with the id '${params.paymentId}' was found.`)
    }
    return { payments: stories.map((story) => fromStory(caller, story)) }
  },
})

type Event = {
  readonly atMs: number
  readonly type: (typeof EVENTS)[number]
  readonly text: string
}

function fromStory({ scopes }: Caller, story: PaymentStory): object {
  const events: readonly Event[] = [
    ...happened(story),
    ...(permits(scopes, 'finances', 'read') ? moneyMoved(story) : []),
    ...(permits(scopes, 'callbacks', 'read') ? callbackEvents(story) : []),
  ]
  return {
    kind: story.payment.kind,
    data: paymentRecord(story.payment),
    ...present({ archivedIn: story.archivedIn }),
    events: events
      .toSorted((one, other) => one.atMs - other.atMs)
      .map(({ atMs, ...rest }) => ({ at: isoText(atMs), ...rest })),
  }
}

/** Neither what was sent to an operator nor the name of the account there is for merchants. */
function happened({ payment, states, exchanges, cases }: PaymentStory): readonly Event[] {
  return [
    ...states.map(({ state, atMs }) => ({
      atMs,
      type: 'STATE' as const,
      text: state === 'FAILED' && payment.failure ? `FAILED: ${payment.failure.message}` : state,
    })),
    ...exchanges.map(({ at, what, httpStatus, outcome, reason }) => {
      const result = [httpStatus, outcome ?? reason].filter((one) => one !== undefined).join(' ')
      const text = `${EXCHANGES[what]}: ${result === '' ? 'no answer' : result}`
      return { atMs: at, type: 'OPERATOR' as const, text }
    }),
    ...cases.flatMap(({ cause, openedMs, closedMs, resolution }) => [
      { atMs: openedMs, type: 'CASE' as const, text: `opened: ${cause}` },
      ...(closedMs === null
        ? []
        : [{ atMs: closedMs, type: 'CASE' as const, text: `closed: ${resolution}` }]),
    ]),
  ]
}

const EXCHANGES = {
  submit: 'sent to the operator',
  query: 'looked up at the operator',
  callback: 'callback from the operator',
} as const

function moneyMoved({ payment, transfers }: PaymentStory): readonly Event[] {
  return transfers.map(({ atMs, amount, debit, credit }) => {
    const text = `${amount} ${payment.currency} from ${placeOf(debit)} to ${placeOf(credit)}`
    return { atMs, type: 'MONEY' as const, text }
  })
}

/** `wallet:ZMB:ZMW` as it is; of the money with an operator, not through which account. */
const placeOf = (account: string): string =>
  account.startsWith('float:') ? account.split(':').slice(0, 3).join(':') : account

function callbackEvents({ callbacks }: PaymentStory): readonly Event[] {
  return callbacks.flatMap(({ state, status, dueMs, attempts }) =>
    attempts
      .filter(({ url }) => url !== '')
      .map(({ atMs, attempt, url, httpStatus, reason }, at, { length }) => {
        const isNext = at === length - 1 && status === 'PENDING' && dueMs !== null
        const next = isNext ? `, next attempt ${isoText(dueMs)}` : ''
        const result = httpStatus ?? reason ?? 'no answer'
        const text = `${state} to ${url}, attempt ${attempt}: ${result}${next}`
        return { atMs, type: 'CALLBACK' as const, text }
      }),
  )
}
