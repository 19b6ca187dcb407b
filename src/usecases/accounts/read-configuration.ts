import {
  type ConfigurationFilter,
  type EnabledCountry,
  enabledCountries,
} from '../../domain/accounts/configuration.ts'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import { OPERATION_TYPES } from '../../domain/provider.ts'
import type { Context } from '../context.ts'

/** What the merchant can use here and now: a provider that nothing reaches is not offered. */
export function readConfiguration(
  ctx: Context,
  merchant: Merchant,
  filter: ConfigurationFilter,
): readonly EnabledCountry[] {
  return enabledCountries(ctx.providers.reached(), merchant, filter)
}

/** What the platform offers to anybody: every operation of every provider that is reached. */
export function readPlatform(ctx: Context): readonly EnabledCountry[] {
  const providers = ctx.providers.reached()
  const everything = new Map(providers.map(({ code }) => [code, new Set(OPERATION_TYPES)]))
  return enabledCountries(providers, { providers: everything }, {})
}
