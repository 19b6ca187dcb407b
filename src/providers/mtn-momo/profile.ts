import type { AccountForm } from '../../domain/operators/account.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

export const PRODUCTS = ['collection', 'disbursement', 'remittance'] as const
export type Product = (typeof PRODUCTS)[number]

/** Each product has a subscription, a user and a token of its own. */
export const PRODUCT_OF: Readonly<Record<OperationType, Product>> = {
  DEPOSIT: 'collection',
  PAYOUT: 'disbursement',
  REFUND: 'disbursement',
  REMITTANCE: 'remittance',
}

const credentialsFor = (...needed: readonly OperationType[]) => ({
  needed,
  members: ['subscriptionKey', 'apiUser', 'apiKey'],
})

export const FORM: AccountForm = {
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'],
  settings: {
    targetEnvironment: {
      needed: true,
      form: { pattern: /^[a-z]{3,40}$/, words: 'lower-case letters, such as mtnzambia or sandbox' },
    },
    currency: {
      needed: false,
      form: { pattern: /^[A-Z]{3}$/, words: 'three capitals, such as EUR' },
    },
    tokenBody: { needed: false, oneOf: ['empty', 'json'] },
  },
  secrets: {
    collection: credentialsFor('DEPOSIT'),
    disbursement: credentialsFor('PAYOUT', 'REFUND'),
    remittance: credentialsFor('REMITTANCE'),
  },
}

/** A customer has some five minutes to approve; X-Reference-Id is refused with 409 when reused. */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 7 * MINUTE,
  pendingWindowMs: 7 * MINUTE,
  refusesKnownReferences: true,
  lookUpPausesMs: [
    5 * SECOND,
    10 * SECOND,
    20 * SECOND,
    ...Array.from({ length: 13 }, () => 30 * SECOND),
    5 * MINUTE,
  ],
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 64, perSecond: 200 },
}
