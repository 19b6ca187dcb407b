import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { AccountContext } from '../../usecases/accounts/context.ts'
import { predictProvider } from '../../usecases/accounts/predict-provider.ts'
import { readBalances } from '../../usecases/accounts/read-balances.ts'
import { readConfiguration, readPlatform } from '../../usecases/accounts/read-configuration.ts'
import { publishedFor } from '../../usecases/accounts/signing-keys.ts'
import { invalid } from '../../wire/fault.ts'
import { UNPREDICTABLE } from '../../wire/prediction.ts'
import { PublicKeys } from '../../wire/public-keys.ts'
import { fromWallets, LegacyBalances } from '../../wire/v1/finances.ts'
import {
  fromAvailability,
  fromConfiguration,
  fromPrediction,
  LegacyAvailability,
  LegacyConfiguration,
  LegacyPrediction,
  LegacyPredictionRequest,
  readPredictionRequest,
} from '../../wire/v1/toolkit.ts'
import type { Endpoint } from '../endpoint.ts'
import { legacy } from './legacy-calls.ts'

export function legacyToolkitEndpoints(ctx: AccountContext): readonly Endpoint[] {
  const predict = prediction(ctx)
  const keys = publicKeys(ctx)
  return [
    configuration(ctx),
    availability(ctx),
    predict,
    // Clients in use ask like this.
    { ...predict, method: 'GET', operationId: 'legacyPredictByGet', isHidden: true },
    keys,
    { ...keys, path: '/public-key/https', operationId: 'legacyGetPublicKeysAlias', isHidden: true },
    balances(ctx, '/v1/wallet-balances', 'legacyGetBalances'),
    balances(ctx, '/v1/wallet-balances/:country', 'legacyGetBalancesOfCountry'),
  ]
}

const configuration = (ctx: AccountContext): Endpoint => ({
  ...legacy('toolkit', 'read'),
  method: 'GET',
  path: '/active-conf',
  operationId: 'legacyGetConfiguration',
  summary: 'Read the configuration of the account',
  description: 'Correspondents, currencies and limits, by country.',
  replacement: 'GET /v2/active-conf',
  answer: LegacyConfiguration,
  handle: async ({ caller }) =>
    fromConfiguration(caller.merchant, readConfiguration(ctx, caller.merchant, {})),
})

const availability = (ctx: AccountContext): Endpoint => ({
  ...legacy('toolkit', 'read'),
  method: 'GET',
  path: '/availability',
  operationId: 'legacyGetAvailability',
  summary: 'See which correspondents work now',
  description: "Without a token the state of the platform, with a token the account's own.",
  replacement: 'GET /v2/availability',
  isTokenOptional: true,
  answer: LegacyAvailability,
  handle: async ({ caller }) => {
    const merchant: Merchant | undefined = caller.merchant
    const countries =
      merchant === undefined ? readPlatform(ctx) : readConfiguration(ctx, merchant, {})
    return fromAvailability(merchant, countries)
  },
})

const prediction = (ctx: AccountContext): Endpoint => ({
  ...legacy('toolkit', 'read'),
  method: 'POST',
  path: '/v1/predict-correspondent',
  operationId: 'legacyPredict',
  summary: 'Predict the correspondent of a phone number',
  description: 'Cleans a number, and names the correspondent it most likely belongs to.',
  replacement: 'POST /v2/predict-provider',
  body: LegacyPredictionRequest,
  answer: LegacyPrediction,
  handle: async ({ body }) => {
    const predicted = predictProvider(ctx, readPredictionRequest(body()).msisdn)
    if (typeof predicted === 'string') throw invalid('msisdn', UNPREDICTABLE[predicted])
    return fromPrediction(predicted)
  },
})

const publicKeys = (ctx: AccountContext): Endpoint => {
  const { access: _, ...open } = legacy('toolkit', 'read')
  return {
    ...open,
    method: 'GET',
    path: '/public-key/http',
    operationId: 'legacyGetPublicKeys',
    summary: 'Get the public keys',
    description:
      'The keys that verify the signatures of callbacks. Needs no token; with one, the key ids are ' +
      'those that the service uses for the account.',
    replacement: 'GET /v2/public-key/http',
    answer: PublicKeys,
    refusals: [],
    handle: async ({ caller }) => publishedFor(ctx.signingKeys, caller.merchant),
  }
}

const balances = (ctx: AccountContext, path: string, operationId: string): Endpoint => ({
  ...legacy('finances', 'read'),
  method: 'GET',
  path,
  operationId,
  summary: path.includes(':') ? 'Read the balances of a country' : 'Read all balances',
  description: 'The money in each wallet.',
  replacement: path.includes(':')
    ? 'GET /v2/wallet-balances?country={country}'
    : 'GET /v2/wallet-balances',
  answer: LegacyBalances,
  handle: async ({ caller, params }) => {
    const { country } = params
    if (country !== undefined && !/^[A-Z]{3}$/.test(country)) {
      throw invalid('country', 'it must be a country as three capital letters (ISO 3166-1 alpha-3)')
    }
    return fromWallets(await readBalances(ctx, caller.merchant, country))
  },
})
