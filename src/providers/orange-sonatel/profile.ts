import type { AccountForm } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

export const FORM: AccountForm = {
  // Refunds are payouts to the payer.
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
  settings: {
    merchantCode: {
      needed: true,
      form: {
        pattern: /^[A-Za-z0-9-]{2,30}$/,
        words: 'the code of the merchant, or for payouts the nine digits of the own wallet',
      },
    },
  },
  secrets: {
    clientId: { needed: true },
    clientSecret: { needed: true },
    callbackApiKey: { needed: true },
    pin: { needed: ['PAYOUT', 'REFUND'] },
  },
}

/**
 * Orders are found by our reference, but whether one that is reused would be refused nobody has
 * established: an order that never arrived is not sent again.
 */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 3 * MINUTE,
  pendingWindowMs: 3 * MINUTE,
  refusesKnownReferences: false,
  lookUpPausesMs: [...Array.from({ length: 36 }, () => 5 * SECOND), 5 * MINUTE],
  answersWithinMs: 60 * SECOND,
  limits: { atOnce: 32, perSecond: 50 },
}
