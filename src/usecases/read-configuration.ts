import {
  type ConfigurationFilter,
  type EnabledCountry,
  enabledCountries,
} from '../domain/configuration.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Context } from './context.ts'

/** What the merchant can use here and now: a provider that nothing reaches is not offered. */
export function readConfiguration(
  ctx: Context,
  merchant: Merchant,
  filter: ConfigurationFilter,
): readonly EnabledCountry[] {
  const { catalog, find } = ctx.providers
  const reached = catalog.all.filter((provider) => find(provider.code) !== undefined)
  return enabledCountries(reached, merchant, filter)
}
