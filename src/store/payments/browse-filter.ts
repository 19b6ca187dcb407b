import { keyAfter, keySpan } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import {
  FINAL_STATES,
  type PaymentKind,
  type PaymentState,
} from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { LISTED } from '../engine/listed.ts'
import { FROM_SOURCE, type Source } from './sources.ts'
import type { Known } from './terms.ts'

export type BrowseFilter = Known & {
  readonly merchantId: MerchantId
  readonly kinds: readonly PaymentKind[]
  /** The countries to which a person is limited; none: all. */
  readonly within: readonly string[]
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
  readonly states?: readonly PaymentState[] | undefined
  readonly provider?: string | undefined
  readonly country?: string | undefined
  readonly currency?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly failureCode?: string | undefined
  readonly source?: Source | undefined
  /** Keys: only payments that came after, or before, that one. */
  readonly newerThan?: string | undefined
  readonly before?: string | undefined
  readonly ids?: readonly string[] | undefined
  readonly refundOf?: string | undefined
  readonly splitId?: string | undefined
  readonly checkoutId?: string | undefined
  /** At least one of these is true of the payment. */
  readonly anyOf?: readonly Known[] | undefined
}

/** Open payments are few, and have an index of their own. */
export const areOpen = ({ states }: BrowseFilter): boolean =>
  states?.every((state) => !FINAL_STATES.some((one) => one === state)) === true

/** Adds a value to the others, and says where it is among them. */
type PlaceOf = (value: unknown) => string

/** What is true of a payment `p` of the filter; the span of its keys is also given by itself. */
export function conditionsOf(filter: BrowseFilter) {
  const list: string[] = []
  const values: unknown[] = []
  const place: PlaceOf = (value) => `$${values.push(value)}`
  const addIf = (condition: (place: string) => string, value: unknown): void => {
    if (value !== undefined) list.push(condition(place(value)))
  }
  const span = spanOf(filter)
  list.push(`p.merchant_id = ${place(filter.merchantId)}`, `p.kind = any(${place(filter.kinds)})`)
  // Of one kind, the index gives them in order.
  const [kind, another] = filter.kinds
  if (another === undefined) list.push(`p.kind = ${place(kind)}`)
  const [from, to] = [place(span.from), place(span.to)]
  list.push(`p.key >= ${from}::uuid`, `p.key < ${to}::uuid`, LISTED('p'))
  if (filter.within.length > 0) list.push(`p.country = any(${place(filter.within)})`)
  addIf((at) => `p.state = any(${at})`, filter.states)
  if (areOpen(filter)) list.push('p.due_at is not null')
  addIf((at) => `p.provider = ${at}`, filter.provider)
  addIf((at) => `p.country = ${at}`, filter.country)
  addIf((at) => `p.currency = ${at}`, filter.currency)
  addIf((at) => `p.amount >= ${at}::numeric`, filter.min)
  addIf((at) => `p.amount <= ${at}::numeric`, filter.max)
  addIf((at) => `p.failure_code = ${at}`, filter.failureCode)
  addIf((at) => `p.id = any(${at}::uuid[])`, filter.ids)
  addIf((at) => `p.refund_of = ${at}`, filter.refundOf)
  addIf((at) => `p.split_id = ${at}`, filter.splitId)
  addIf((at) => `p.checkout_id = ${at}`, filter.checkoutId)
  if (filter.source !== undefined) list.push(FROM_SOURCE[filter.source])
  list.push(...knownConditions(filter, place))
  if (filter.anyOf !== undefined) {
    const each = filter.anyOf.map((known) => knownConditions(known, place).join(' and '))
    list.push(`(${each.map((one) => `(${one})`).join(' or ')})`)
  }
  return { where: list.join(' and '), values, from, to }
}

function spanOf(filter: BrowseFilter) {
  const { fromMs, toMs, newerThan, before } = filter
  const span = keySpan(present({ fromMs, toMs }))
  const newer = newerThan === undefined ? span.from : keyAfter(newerThan)
  return {
    from: newer > span.from ? newer : span.from,
    to: before === undefined || span.to < before ? span.to : before,
  }
}

function knownConditions(known: Known, place: PlaceOf): readonly string[] {
  const { phoneNumbers, transactionId } = known
  const details = detailsOf(known)
  return [
    ...(phoneNumbers === undefined ? [] : [`p.phone_number = any(${place(phoneNumbers)})`]),
    ...(transactionId === undefined ? [] : [`p.provider_transaction_id = ${place(transactionId)}`]),
    ...(details === undefined ? [] : [`p.details @> ${place(JSON.stringify(details))}::jsonb`]),
  ]
}

/** What the details have to contain. */
function detailsOf({ clientReferenceId, metadata = [] }: Known): object | undefined {
  if (clientReferenceId === undefined && metadata.length === 0) return undefined
  return present({ clientReferenceId, metadata: metadata.length === 0 ? undefined : metadata })
}
