import type { AccountForm } from '../../domain/operators/account.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { Times } from '../connector.ts'
import type { OpenAccount, Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Everything but a deposit is done in the name of an initiator, and ends by callback. */
const BY_INITIATOR: readonly OperationType[] = ['PAYOUT', 'REFUND', 'REMITTANCE']

const SHORT_CODE = { pattern: /^\d{4,7}$/, words: 'a short code of 4 to 7 digits' }

export const FORM: AccountForm = {
  operations: ['DEPOSIT', ...BY_INITIATOR],
  settings: {
    shortCode: { needed: ['DEPOSIT', 'REFUND'], form: SHORT_CODE },
    transactionType: {
      needed: false,
      oneOf: ['CustomerPayBillOnline', 'CustomerBuyGoodsOnline'],
    },
    till: { needed: false, form: { ...SHORT_CODE, words: 'a till number of 4 to 7 digits' } },
    b2cShortCode: { needed: false, form: SHORT_CODE },
    initiatorName: { needed: BY_INITIATOR },
    country: { needed: false, oneOf: ['KEN', 'ETH'] },
  },
  secrets: {
    consumerKey: { needed: true },
    consumerSecret: { needed: true },
    passkey: { needed: ['DEPOSIT'] },
    initiatorPassword: { needed: BY_INITIATOR },
    certificate: {
      needed: BY_INITIATOR,
      form: {
        pattern: /^-----BEGIN (CERTIFICATE|(RSA )?PUBLIC KEY)-----/,
        words: 'a certificate or a public key in PEM',
      },
    },
  },
}

/** A prompt lasts about a minute; what became of it is known soon after, or late. */
const PUSH_TIMES: Times = {
  unknownWindowMs: 4 * MINUTE,
  pendingWindowMs: 4 * MINUTE,
  lookUpPausesMs: [
    25 * SECOND,
    ...Array.from({ length: 11 }, () => 20 * SECOND),
    // The first one that lies behind the window.
    5 * MINUTE,
  ],
}

/**
 * The result is waited for. All pauses are longer than a node keeps a payment in memory, so that
 * every look sees what callbacks have left with it.
 */
const RESULT_TIMES: Times = {
  unknownWindowMs: 15 * MINUTE,
  pendingWindowMs: 15 * MINUTE,
  lookUpPausesMs: [
    90 * SECOND,
    90 * SECOND,
    2 * MINUTE,
    5 * MINUTE,
    5 * MINUTE,
    // The last one inside the window; an hour from then on.
    60 * MINUTE,
  ],
}

/** The operator is asked about an order whose result has not come within this. */
export const RESULT_COMES_WITHIN_MS = 5 * MINUTE

/** A prompt has no reference of ours, so nothing that may have arrived is ever sent again. */
export const PROFILE: Operator['profile'] = {
  ...PUSH_TIMES,
  timesOf: { PAYOUT: RESULT_TIMES, REFUND: RESULT_TIMES, REMITTANCE: RESULT_TIMES },
  refusesKnownReferences: false,
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 32, perSecond: 20 },
}

/** What the two countries have, and where; what is absent is not known to exist there. */
type Paths = {
  readonly token: string
  readonly push: string
  readonly pushQuery?: string
  readonly payout: string
  readonly reversal?: string
  readonly status: string
}

const PATHS = {
  KEN: {
    token: '/oauth/v1/generate?grant_type=client_credentials',
    push: '/mpesa/stkpush/v1/processrequest',
    pushQuery: '/mpesa/stkpushquery/v1/query',
    payout: '/mpesa/b2c/v3/paymentrequest',
    reversal: '/mpesa/reversal/v1/request',
    status: '/mpesa/transactionstatus/v1/query',
  },
  ETH: {
    token: '/v1/token/generate?grant_type=client_credentials',
    push: '/mpesa/stkpush/v3/processrequest',
    payout: '/mpesa/b2c/v2/paymentrequest',
    status: '/mpesa/transactionstatus/v1/query',
  },
} as const satisfies Record<string, Paths>

export const isEthiopia = ({ settings }: Pick<OpenAccount, 'settings'>): boolean =>
  settings.country === 'ETH'

export const pathsOf = (account: Pick<OpenAccount, 'settings'>): Paths =>
  isEthiopia(account) ? PATHS.ETH : PATHS.KEN
