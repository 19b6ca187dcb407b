import type { AccountForm } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Countries as Airtel writes them, by the code that the catalogue has. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  COD: 'CD',
  COG: 'CG',
  GAB: 'GA',
  KEN: 'KE',
  MDG: 'MG',
  MWI: 'MW',
  NER: 'NE',
  NGA: 'NG',
  RWA: 'RW',
  SYC: 'SC',
  TCD: 'TD',
  TZA: 'TZ',
  UGA: 'UG',
  ZMB: 'ZM',
}

const PUBLIC_KEY = /^(-----BEGIN [A-Z ]+-----[\s\S]+|[A-Za-z0-9+/=\s]{100,})$/

/** Remittances are paid out as disbursements; so are refunds that Airtel cannot make by itself. */
export const FORM: AccountForm = {
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'],
  settings: {
    signing: { needed: false, oneOf: ['none', 'v2'] },
    disbursementVersion: { needed: false, oneOf: ['v1', 'v2', 'v3'] },
  },
  secrets: {
    clientId: { needed: true },
    clientSecret: { needed: true },
    pin: {
      needed: ['PAYOUT', 'REMITTANCE'],
      form: { pattern: /^\d{4,12}$/, words: 'the digits of the PIN for disbursements' },
    },
    // Signing needs it as well, which is found out when an order is sent.
    publicKey: {
      needed: ['PAYOUT', 'REMITTANCE'],
      form: { pattern: PUBLIC_KEY, words: 'the RSA key of the portal, as PEM or in base64' },
    },
    callbackKey: { needed: false },
  },
}

/**
 * Airtel wants to be asked three minutes after a push at the earliest. A transaction.id that it
 * knows is refused (ESB000041, DP00900001017), and orders are found by it.
 */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 10 * MINUTE,
  pendingWindowMs: 10 * MINUTE,
  refusesKnownReferences: true,
  lookUpPausesMs: [3 * MINUTE, ...Array.from({ length: 7 }, () => MINUTE), 10 * MINUTE],
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 64, perSecond: 100 },
}
