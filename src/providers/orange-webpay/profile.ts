import type { AccountForm } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

export const FORM: AccountForm = {
  operations: ['DEPOSIT'],
  settings: {
    country: {
      needed: false,
      form: { pattern: /^[a-z]{2,5}$/, words: 'a part of the path, such as ci, sn or dev' },
    },
    currency: {
      needed: false,
      form: { pattern: /^[A-Z]{3}$/, words: 'three capitals, such as OUV' },
    },
    language: {
      needed: false,
      form: { pattern: /^[a-z]{2}$/, words: 'two letters, such as fr or en' },
    },
  },
  secrets: {
    clientId: { needed: true },
    clientSecret: { needed: true },
    merchantKey: { needed: true },
  },
}

/** How Orange writes countries in its paths. */
export const SEGMENTS: Readonly<Record<string, string>> = {
  BFA: 'bf',
  CIV: 'ci',
  CMR: 'cm',
  COD: 'cd',
  GIN: 'gn',
  MDG: 'mg',
  MLI: 'ml',
  SEN: 'sn',
  SLE: 'sl',
}

/** Of each address, of the order and of the text for the customer. */
export const LONGEST = { address: 120, reference: 30 } as const

/**
 * After this long a page that nobody was led to cannot be paid any more. Pages live some 15 minutes;
 * that the outcome is in doubt has been reported before.
 */
export const LOST_AFTER_MS = 27 * MINUTE

/** Orders are found by the token that comes with the page, so one that got lost is not sent again. */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 25 * MINUTE,
  pendingWindowMs: 25 * MINUTE,
  refusesKnownReferences: false,
  lookUpPausesMs: [
    ...Array.from({ length: 50 }, () => 30 * SECOND),
    // Soon after the time is over once more, for pages that nobody got.
    5 * MINUTE,
    60 * MINUTE,
  ],
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 32, perSecond: 50 },
}
