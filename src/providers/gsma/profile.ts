import type { AccountForm, Field } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

const OPTIONAL: Field = { needed: false }

const PATH = { pattern: /^\/[\w.~/-]*$/, words: 'a path that begins with "/", such as /v1.2' }

export const FORM: AccountForm = {
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'],
  settings: {
    basePath: { needed: true, form: PATH },
    tokenPath: { needed: false, form: PATH },
    accountHoldingInstitution: {
      needed: false,
      form: {
        pattern: /^((lei|swiftbic|organisationid):)?[\w.-]{1,256}$/,
        words: 'an identifier, with "lei:" or "swiftbic:" before it where it is one',
      },
    },
    payeeMsisdn: {
      needed: false,
      form: { pattern: /^\+?\d{6,15}$/, words: 'a phone number of 6 to 15 digits' },
    },
    payeeAccount: OPTIONAL,
  },
  // Either a client or a user; the API key comes with both.
  secrets: {
    apiKey: OPTIONAL,
    clientId: OPTIONAL,
    clientSecret: OPTIONAL,
    username: OPTIONAL,
    password: OPTIONAL,
  },
}

/**
 * How long a customer may take is stated with each request state; five minutes and one more where it
 * is not. A correlation id is refused when reused.
 */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 6 * MINUTE,
  pendingWindowMs: 6 * MINUTE,
  refusesKnownReferences: true,
  lookUpPausesMs: [
    5 * SECOND,
    10 * SECOND,
    20 * SECOND,
    ...Array.from({ length: 11 }, () => 30 * SECOND),
    5 * MINUTE,
  ],
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 32, perSecond: 50 },
}

/** Between two look-ups, where the operator says how many it allows until when. */
export const SPREAD_MS = { least: 5 * SECOND, most: MINUTE } as const
