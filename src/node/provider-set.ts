import { join } from 'node:path'
import { CATALOG_FILE, PACKAGE_ROOT } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import type { Connector, NotificationSource } from '../providers/connector.ts'
import { readPredictor } from '../providers/prefixes.ts'
import type { ReferenceOf } from '../providers/reference.ts'
import { createReferences } from '../providers/reference.ts'
import { createRegistry, type Registry } from '../providers/registry.ts'
import { keyFor } from '../signing/keys.ts'
import type { Database } from '../store/engine/database.ts'
import type { MerchantDirectory } from '../usecases/accounts/merchant-directory.ts'
import type { Clock } from '../usecases/context.ts'
import { createSandboxOperator } from '../usecases/sandbox/operator.ts'
import type { WalletLinks } from '../usecases/sandbox/wallet-links.ts'
import type { Config } from './config.ts'

/**
 * Which connector serves which provider in this environment: the simulated operator in the sandbox,
 * and everywhere the accounts, which the registry is handed later.
 */
export function createProviders(
  config: Config,
  database: Database,
  clock: Clock,
  merchants: MerchantDirectory,
  walletLinks: WalletLinks,
  maySend: () => boolean,
  traced: (connector: Connector) => Connector = (connector) => connector,
): ProviderSet {
  const catalog = readCatalog(CATALOG_FILE)
  const withTestNumbers = config.environment === 'sandbox'
  const prefixes = join(PACKAGE_ROOT, 'catalog', 'prefixes.json')
  const predict = readPredictor(prefixes, catalog, { withTestNumbers })
  const parts = { catalog, predict, withTestNumbers }
  const referenceOf = referencesOf(config.secretKey)
  if (config.environment !== 'sandbox') {
    const registry = createRegistry({ ...parts, simulator: undefined })
    return { registry, notifications: NO_NOTIFICATIONS, referenceOf }
  }
  const { now } = clock
  const delayMs = config.sandboxDelayMs
  const given = { delayMs, maySend, referenceOf }
  const operator = { database, catalog, now, merchants, walletLinks, ...given }
  const { connector, notifications } = createSandboxOperator(operator)
  const registry = createRegistry({ ...parts, simulator: traced(connector) })
  return { registry, notifications, referenceOf }
}

type ProviderSet = {
  readonly registry: Registry
  readonly notifications: NotificationSource
  readonly referenceOf: ReferenceOf
}

/** The same on all nodes, and in commands that ask an operator. */
export const referencesOf = (secretKey: string): ReferenceOf =>
  createReferences(keyFor(secretKey, 'operator references v1'))

const NO_NOTIFICATIONS: NotificationSource = {
  waiting: async () => [],
  acknowledge: async () => {},
}
