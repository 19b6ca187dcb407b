import { join } from 'node:path'
import { CATALOG_FILE, PACKAGE_ROOT } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import type { NotificationSource } from '../providers/connector.ts'
import { readPredictor } from '../providers/prefixes.ts'
import { createReferences } from '../providers/reference.ts'
import { createRegistry, type Registry } from '../providers/registry.ts'
import { keyFor } from '../signing/keys.ts'
import type { Database } from '../store/engine/database.ts'
import type { MerchantDirectory } from '../usecases/accounts/merchant-directory.ts'
import type { Clock } from '../usecases/context.ts'
import { createSandboxOperator } from '../usecases/sandbox/operator.ts'
import type { WalletLinks } from '../usecases/sandbox/wallet-links.ts'
import type { Config } from './config.ts'

/** Which connector serves which provider in this environment. */
export function createProviders(
  config: Config,
  database: Database,
  clock: Clock,
  merchants: MerchantDirectory,
  walletLinks: WalletLinks,
  maySend: () => boolean,
): { readonly registry: Registry; readonly notifications: NotificationSource } {
  const catalog = readCatalog(CATALOG_FILE)
  const withTestNumbers = config.environment === 'sandbox'
  const prefixes = join(PACKAGE_ROOT, 'catalog', 'prefixes.json')
  const predict = readPredictor(prefixes, catalog, { withTestNumbers })
  const parts = { catalog, predict, withTestNumbers }
  if (config.environment !== 'sandbox') {
    return {
      registry: createRegistry({ ...parts, connectorOf: () => undefined }),
      notifications: NO_NOTIFICATIONS,
    }
  }
  const { now } = clock
  const delayMs = config.sandboxDelayMs
  const referenceOf = createReferences(keyFor(config.secretKey, 'operator references v1'))
  const given = { delayMs, maySend, referenceOf }
  const operator = { database, catalog, now, merchants, walletLinks, ...given }
  const { connector, notifications } = createSandboxOperator(operator)
  return { registry: createRegistry({ ...parts, connectorOf: () => connector }), notifications }
}

const NO_NOTIFICATIONS: NotificationSource = {
  waiting: async () => [],
  acknowledge: async () => {},
}
