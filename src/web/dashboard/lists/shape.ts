/** What can be listed, and by what. */
import { CHECKOUT_STATES } from '../../../domain/hosted/checkout.ts'
import { PAYMENT_STATES, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { ListName } from '../../../domain/statements/export.ts'
import type { MenuName } from '../menu.ts'

/** States as merchants see them: one that waits for its split's deposit is ACCEPTED to them. */
export const SHOWN_STATES = PAYMENT_STATES.filter((state) => state !== 'WAITING')

const FIELDS = [
  'from',
  'to',
  'status',
  'provider',
  'country',
  'currency',
  'min',
  'max',
  'failureCode',
  'source',
  'clientReferenceId',
  'phone',
] as const
export type FieldName = (typeof FIELDS)[number]

export type ListPlace = Extract<
  MenuName,
  'deposits' | 'payouts' | 'refunds' | 'remittances' | 'split-payments' | 'checkouts'
>

export type ListShape = {
  /** Where it is: `/dashboard/<place>`, and its name in the menu. */
  readonly place: ListPlace
  readonly list: ListName
  readonly kinds: readonly PaymentKind[]
  readonly states: readonly string[]
  /** Filters, beside whole values of metadata. */
  readonly fields: readonly FieldName[]
}

const ofKind = (place: ListPlace, kind: PaymentKind): ListShape => ({
  place,
  list: 'payments',
  kinds: [kind],
  states: SHOWN_STATES,
  fields: FIELDS,
})

export const LISTS = {
  deposits: ofKind('deposits', 'deposit'),
  payouts: ofKind('payouts', 'payout'),
  refunds: ofKind('refunds', 'refund'),
  remittances: ofKind('remittances', 'remittance'),
  'split-payments': {
    place: 'split-payments',
    list: 'split-payments',
    kinds: [],
    states: ['OPEN', 'COMPLETED', 'PAYOUT_FAILED', 'FAILED'],
    fields: FIELDS.filter((name) => name !== 'source'),
  },
  checkouts: {
    place: 'checkouts',
    list: 'checkouts',
    kinds: [],
    states: CHECKOUT_STATES,
    fields: ['from', 'to', 'status', 'country', 'currency', 'min', 'max', 'clientReferenceId'],
  },
} as const satisfies Readonly<Record<string, ListShape>>

export const listAt = (place: string | null): ListShape | undefined =>
  Object.values(LISTS).find((shape) => shape.place === place)
