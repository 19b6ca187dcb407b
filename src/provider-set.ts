import type { Config } from './config.ts'
import { CATALOG_FILE } from './package-root.ts'
import { readCatalog } from './providers/catalog.ts'
import { createRegistry, type Registry } from './providers/registry.ts'
import { createSandboxConnector } from './providers/sandbox/connector.ts'
import type { Story } from './providers/sandbox/stories.ts'
import type { Database } from './store/database.ts'
import { createBookingGroup, findOrder } from './store/sandbox-orders.ts'
import type { Clock } from './usecases/context.ts'
import type { MerchantDirectory } from './usecases/merchant-directory.ts'

/** Which connector serves which provider in this environment. */
export function createProviders(
  config: Config,
  database: Database,
  clock: Clock,
  merchants: MerchantDirectory,
  maySend: () => boolean,
): Registry {
  const catalog = readCatalog(CATALOG_FILE)
  if (config.environment !== 'sandbox') return createRegistry(catalog, () => undefined)
  const booking = createBookingGroup(database, maySend)
  const sandbox = createSandboxConnector({
    book: {
      write: (entry) => booking.add(entry),
      find: (merchantId, reference) => findOrder(database, merchantId, reference),
    },
    catalog,
    now: clock.now,
    delayMs: config.sandboxDelayMs,
    scriptOf: async (merchantId, phoneNumber) => {
      const merchant = await merchants.byId(merchantId)
      return merchant?.phoneStories.get(phoneNumber) as Story | undefined
    },
  })
  return createRegistry(catalog, () => sandbox)
}
