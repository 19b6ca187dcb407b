import { join } from 'node:path'
import type { Config } from './config.ts'
import { CATALOG_FILE, PACKAGE_ROOT } from './package-root.ts'
import { readCatalog } from './providers/catalog.ts'
import type { NewsSource } from './providers/connector.ts'
import { readPredictor } from './providers/prefixes.ts'
import { createRegistry, type Registry } from './providers/registry.ts'
import { createSandboxConnector } from './providers/sandbox/connector.ts'
import { createSandboxNews } from './providers/sandbox/news.ts'
import type { Story } from './providers/sandbox/stories.ts'
import type { Database } from './store/database.ts'
import { createBookingGroup, findNews, findOrder, forgetNews } from './store/sandbox-orders.ts'
import type { Clock } from './usecases/context.ts'
import type { MerchantDirectory } from './usecases/merchant-directory.ts'

/** Which connector serves which provider in this environment. */
export function createProviders(
  config: Config,
  database: Database,
  clock: Clock,
  merchants: MerchantDirectory,
  maySend: () => boolean,
): { readonly registry: Registry; readonly news: NewsSource } {
  const catalog = readCatalog(CATALOG_FILE)
  const predict = readPredictor(join(PACKAGE_ROOT, 'catalog', 'prefixes.json'), catalog, {
    withTestNumbers: config.environment === 'sandbox',
  })
  if (config.environment !== 'sandbox') {
    return { registry: createRegistry(catalog, predict, () => undefined), news: NO_NEWS }
  }
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
  const news = createSandboxNews({
    find: () => findNews(database, clock.now()),
    forget: (told) => forgetNews(database, told),
  })
  return { registry: createRegistry(catalog, predict, () => sandbox), news }
}

const NO_NEWS: NewsSource = { waiting: async () => [], acknowledge: async () => {} }
