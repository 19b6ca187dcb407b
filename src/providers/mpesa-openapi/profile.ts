import type { AccountForm } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Markets of the platform: the country in our catalogue, how the platform writes it, and its money. */
export const MARKETS: Readonly<Record<string, Market>> = {
  vodacomTZN: { country: 'TZA', writtenAs: 'TZN', currency: 'TZS' },
  vodacomMOZ: { country: 'MOZ', writtenAs: 'MOZ', currency: 'MZN' },
  // Whether it takes francs as well has to be asked.
  vodacomDRC: { country: 'COD', writtenAs: 'DRC', currency: 'USD' },
  vodacomLES: { country: 'LSO', writtenAs: 'LES', currency: 'LSL' },
  vodafoneGHA: { country: 'GHA', writtenAs: 'GHA', currency: 'GHS' },
}

type Market = {
  readonly country: string
  readonly writtenAs: string
  readonly currency: string
}

export const FORM: AccountForm = {
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
  settings: {
    environment: { needed: true, oneOf: ['sandbox', 'openapi'] },
    market: { needed: true, oneOf: Object.keys(MARKETS) },
    serviceProviderCode: {
      needed: true,
      form: { pattern: /^[0-9A-Za-z]{4,12}$/, words: '4 to 12 letters and digits' },
    },
    origin: { needed: false },
  },
  secrets: {
    apiKey: { needed: true },
    publicKey: {
      needed: true,
      form: {
        pattern: /^(-----BEGIN [\s\S]+-----|[A-Za-z0-9+/=\s]{150,})$/,
        words: 'the public key of the platform, as base64 or PEM',
      },
    },
  },
}

/**
 * Where the application of the account is synchronous, an answer takes as long as the customer does.
 * The platform refuses references that it knows, but what it says of others on a look-up ("unknown
 * status") is not sure enough to send an order again.
 */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 5 * MINUTE,
  pendingWindowMs: 5 * MINUTE,
  refusesKnownReferences: false,
  lookUpPausesMs: [
    30 * SECOND,
    ...Array.from({ length: 4 }, () => MINUTE),
    30 * SECOND,
    5 * MINUTE,
  ],
  answersWithinMs: 120 * SECOND,
  limits: { atOnce: 256, perSecond: 50 },
}

/** How long a session lives is set in the portal; one that ends earlier is renewed when refused. */
export const SESSION = { livesMs: 5 * MINUTE, settlesMs: 30 * SECOND }
