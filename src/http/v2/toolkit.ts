import type { ConfigurationFilter } from '../../domain/accounts/configuration.ts'
import type { AccountContext } from '../../usecases/accounts/context.ts'
import { predictProvider } from '../../usecases/accounts/predict-provider.ts'
import { readConfiguration } from '../../usecases/accounts/read-configuration.ts'
import { publishedFor } from '../../usecases/accounts/signing-keys.ts'
import { invalid } from '../../wire/fault.ts'
import { UNPREDICTABLE } from '../../wire/prediction.ts'
import { PublicKeys } from '../../wire/public-keys.ts'
import { fromAvailability, ProviderAvailability } from '../../wire/v2/availability.ts'
import { ActiveConfiguration, fromConfiguration } from '../../wire/v2/configuration.ts'
import {
  PredictionRequest,
  ProviderPrediction,
  readPredictionRequest,
} from '../../wire/v2/prediction.ts'
import { ConfigurationQuery, OPERATION_FILTERS } from '../../wire/v2/toolkit.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { queryText } from '../query-text.ts'
import {
  AVAILABILITY_EXAMPLES,
  CONFIGURATION_EXAMPLES,
  PREDICTION_EXAMPLES,
} from './toolkit-examples.ts'

/** `publicUrl` is where the flags and logos that the configuration names are found. */
export function toolkitEndpoints(
  ctx: AccountContext,
  publicUrl: () => string,
): readonly Endpoint[] {
  const keys = publicKeys(ctx)
  return [
    activeConfiguration(ctx, publicUrl),
    availability(ctx),
    prediction(ctx),
    keys,
    // A client in use asks here.
    { ...keys, path: '/v2/public-keys', operationId: 'getPublicKeysAlias', isHidden: true },
  ]
}

const activeConfiguration = (ctx: AccountContext, publicUrl: () => string): Endpoint => ({
  method: 'GET',
  path: '/v2/active-conf',
  operationId: 'getActiveConfiguration',
  tag: 'toolkit',
  summary: 'Read the configuration of the account',
  description:
    'The countries, providers, currencies and operations that the account can use, with their ' +
    'limits, and what a payment form shows: names, flags, logos, and the steps by which a ' +
    'customer approves a payment. Read it now and then; limits and providers change.',
  access: { group: 'toolkit', level: 'read' },
  failureShape: { kind: 'resource' },
  query: ConfigurationQuery,
  answer: ActiveConfiguration,
  examples: CONFIGURATION_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, query }) => {
    const countries = readConfiguration(ctx, caller.merchant, filterOf(query))
    return fromConfiguration(caller.merchant, countries, publicUrl())
  },
})

const availability = (ctx: AccountContext): Endpoint => ({
  method: 'GET',
  path: '/v2/availability',
  operationId: 'getAvailability',
  tag: 'toolkit',
  summary: 'See which providers work now',
  description:
    "The state of each operation of the account's providers. Look here before you offer a " +
    'provider, and when a request was refused with PROVIDER_TEMPORARILY_UNAVAILABLE.',
  access: { group: 'toolkit', level: 'read' },
  failureShape: { kind: 'resource' },
  query: ConfigurationQuery,
  answer: ProviderAvailability,
  examples: AVAILABILITY_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, query }) =>
    fromAvailability(caller.merchant, readConfiguration(ctx, caller.merchant, filterOf(query))),
})

const prediction = (ctx: AccountContext): Endpoint => ({
  method: 'POST',
  path: '/v2/predict-provider',
  operationId: 'predictProvider',
  tag: 'toolkit',
  summary: 'Predict the provider of a phone number',
  description:
    'Cleans a number that a person typed in, and names the provider it most likely belongs to. ' +
    'People keep their number when they change the operator, so let the customer correct it. ' +
    'Providers whose customers have numbers of any operator, such as Wave, are never predicted.',
  access: { group: 'toolkit', level: 'read' },
  failureShape: { kind: 'resource', rejects: true },
  body: PredictionRequest,
  answer: ProviderPrediction,
  examples: PREDICTION_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ body }) => {
    const { phoneNumber } = readPredictionRequest(body())
    const predicted = predictProvider(ctx, phoneNumber)
    if (typeof predicted === 'string') throw invalid('phoneNumber', UNPREDICTABLE[predicted])
    return predicted
  },
})

const publicKeys = (ctx: AccountContext): Endpoint => ({
  method: 'GET',
  path: '/v2/public-key/http',
  operationId: 'getPublicKeys',
  tag: 'toolkit',
  summary: 'Get the public keys',
  description:
    'The keys that verify the signatures of callbacks. The first one signs now; keys retired ' +
    'earlier follow it. Fetch the list again when a signature names a key id you do not know.',
  access: { group: 'toolkit', level: 'read' },
  failureShape: { kind: 'resource' },
  answer: PublicKeys,
  refusals: [401, 403],
  handle: async ({ caller }) => publishedFor(ctx.signingKeys, caller.merchant),
})

const OPERATION_FORM = new RegExp(`^(${OPERATION_FILTERS.join('|')})$`)

function filterOf(query: Call['query']): ConfigurationFilter {
  const country = 'it must be a country as three capital letters (ISO 3166-1 alpha-3)'
  const operation = `it must be one of ${OPERATION_FILTERS.join(', ')}`
  return {
    country: queryText(query, 'country', /^[A-Z]{3}$/, country),
    operationType: queryText(query, 'operationType', OPERATION_FORM, operation),
  }
}
