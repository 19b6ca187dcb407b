import { PAYMENT_KINDS, PAYMENT_STATES } from '../../domain/payments/payment-state.ts'
import { PHONE_PATTERN } from '../../domain/phone-number.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { Caller } from '../../usecases/accounts/merchant-directory.ts'
import type { Context } from '../../usecases/context.ts'
import { type LookUp, lookUpPayments } from '../../usecases/payments/look-up.ts'
import { RequestFault } from '../../wire/fault.ts'
import { PhoneNumber } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import { DepositRecord } from '../../wire/v2/deposits.ts'
import { PayoutRecord } from '../../wire/v2/payouts.ts'
import { RefundRecord } from '../../wire/v2/refunds.ts'
import { RemittanceRecord } from '../../wire/v2/remittances.ts'
import type { Endpoint } from '../endpoint.ts'
import { paymentRecord } from '../payment-record.ts'
import { queryText } from '../query-text.ts'
import { ANY_KIND, choiceIn, limitIn, PAGE, readableKinds, spanIn } from './asked.ts'

export const AnyRecord = Type.Union([DepositRecord, PayoutRecord, RefundRecord, RemittanceRecord], {
  description: 'the record that the status check of the kind answers',
})

const FoundPayments = Type.Object(
  {
    payments: Type.Array(Type.Object({ kind: Type.Enum([...PAYMENT_KINDS]), data: AnyRecord }), {
      description: 'newest first',
    }),
    next: Type.Optional(Type.String({ description: 'where to go on; absent on the last page' })),
  },
  { $id: 'FoundPayments' },
)

/** In records, what waits for its split payment is ACCEPTED. */
const STATUSES = PAYMENT_STATES.filter((state) => state !== 'WAITING')

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))

export const findPayments = (ctx: Context): Endpoint => ({
  method: 'GET',
  path: '/payments',
  operationId: 'findPayments',
  tag: 'payments',
  summary: 'Find payments',
  description:
    'The payments that fit all that is asked for, newest first, of the kinds that the token may ' +
    'read. Values are compared as a whole. Each record is the one that the status check answers.',
  access: ANY_KIND,
  failureShape: { kind: 'resource' },
  query: {
    kind: Type.Optional(Type.Enum([...PAYMENT_KINDS], { description: 'only of this kind' })),
    status: Type.Optional(Type.Enum(STATUSES, { description: 'only those in this state' })),
    clientReferenceId: text('your own reference', 'INV-123456'),
    phoneNumber: Type.Optional(PhoneNumber),
    providerTransactionId: text("the provider's own identifier", 'SBXDD0E0B6979C2AA06'),
    metadata: text('a value of the metadata, under whatever name', 'ORD-123456789'),
    ...PAGE,
  },
  answer: FoundPayments,
  refusals: [400, 401, 403],
  handle: async ({ caller, query }) => {
    const after = queryText(query, 'after', KEY, 'it must be `next` of an earlier answer')
    const page = { after, limit: limitIn(query) }
    const { payments, next } = await lookUpPayments(
      ctx,
      caller.merchant,
      asked(caller, query),
      page,
    )
    return {
      payments: payments.map((one) => ({ kind: one.kind, data: paymentRecord(one) })),
      ...present({ next }),
    }
  },
})

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NUMBER = new RegExp(PHONE_PATTERN)
/** Longer than any value that is stored. */
const WORDS_MAX = 500

function asked(caller: Caller, query: Readonly<Record<string, unknown>>): LookUp {
  const words = (name: string): string | undefined =>
    queryText(
      query,
      name,
      new RegExp(`^.{1,${WORDS_MAX}}$`, 'su'),
      `it has up to ${WORDS_MAX} characters`,
    )
  const kind = choiceIn(query, 'kind', PAYMENT_KINDS)
  const status = choiceIn(query, 'status', STATUSES)
  const number = queryText(query, 'phoneNumber', NUMBER, 'it must be digits with the country code')
  const metadata = words('metadata')
  return {
    kinds: kindsOf(caller, kind),
    ...spanIn(query),
    ...present({
      states: status === 'ACCEPTED' ? (['ACCEPTED', 'WAITING'] as const) : status && [status],
      clientReferenceId: words('clientReferenceId'),
      transactionId: words('providerTransactionId'),
      phoneNumbers: ifGiven(number, (one) => [one]),
      metadata: ifGiven(metadata, (value) => [{ value }]),
    }),
  }
}

function kindsOf(caller: Caller, kind: LookUp['kinds'][number] | undefined): LookUp['kinds'] {
  const kinds = readableKinds(caller)
  if (kind === undefined) return kinds
  if (kinds.includes(kind)) return [kind]
  throw new RequestFault('AUTHORISATION_ERROR', `The API token may not read the kind '${kind}'.`)
}
