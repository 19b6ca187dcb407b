import type { Payment } from '../../domain/payments/payment.ts'
import { type DeliveryRecord, findDeliveries } from '../../store/callbacks/deliveries.ts'
import type { Db } from '../../store/engine/database.ts'
import { findExchanges, type KeptExchange } from '../../store/operators/exchanges.ts'
import {
  type Doubt,
  findDoubts,
  findPostings,
  findTimeline,
  type Posting,
  type StateChange,
} from '../../store/payments/story.ts'
import { archivedYearOf } from '../archive/archived.ts'

/** Everything that happened to a payment; nothing in it is secret. */
export type PaymentStory = {
  readonly payment: Payment
  readonly states: readonly StateChange[]
  /** With the operator, callbacks received among them. */
  readonly exchanges: readonly KeptExchange[]
  readonly transfers: readonly Posting[]
  readonly cases: readonly Doubt[]
  /** To the merchant. */
  readonly callbacks: readonly DeliveryRecord[]
  /** The files of this year have what is missing: movements, operator, callbacks. */
  readonly archivedIn?: number
}

export async function storyOf(db: Db, payment: Payment): Promise<PaymentStory> {
  const { merchantId, key } = payment
  const [states, exchanges, transfers, cases, callbacks, archivedIn] = await Promise.all([
    findTimeline(db, merchantId, key),
    findExchanges(db, merchantId, key),
    findPostings(db, merchantId, key),
    findDoubts(db, merchantId, key),
    findDeliveries(db, merchantId, key),
    archivedYearOf(db, payment),
  ])
  const story = { payment, states, exchanges, transfers, cases, callbacks }
  return archivedIn === undefined ? story : { ...story, archivedIn }
}
