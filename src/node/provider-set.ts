import { join } from 'node:path'
import type { Story } from '../domain/sandbox/stories.ts'
import { CATALOG_FILE, PACKAGE_ROOT } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import type { NotificationSource } from '../providers/connector.ts'
import { readPredictor } from '../providers/prefixes.ts'
import { createRegistry, type Registry } from '../providers/registry.ts'
import type { PhoneSetting, Verdict } from '../providers/sandbox/approval.ts'
import type { FoundEntry } from '../providers/sandbox/book.ts'
import { createSandboxConnector } from '../providers/sandbox/connector.ts'
import { createSandboxNotifications } from '../providers/sandbox/notifications.ts'
import type { Database } from '../store/engine/database.ts'
import { expireApproval } from '../store/sandbox/approvals.ts'
import {
  createBookingGroup,
  type FoundOrder,
  findNotifications,
  findOrder,
  forgetNotifications,
} from '../store/sandbox/orders.ts'
import { askOrRefuse, bookWithPhone, useCode } from '../store/sandbox/phones.ts'
import type { MerchantDirectory } from '../usecases/accounts/merchant-directory.ts'
import type { Clock } from '../usecases/context.ts'
import { approvalOf } from '../usecases/sandbox/approval.ts'
import type { WalletLinks } from '../usecases/sandbox/wallet-links.ts'
import type { Config } from './config.ts'

/** Which connector serves which provider in this environment. */
export function createProviders(
  config: Config,
  database: Database,
  clock: Clock,
  merchants: MerchantDirectory,
  wallets: WalletLinks,
  maySend: () => boolean,
): { readonly registry: Registry; readonly notifications: NotificationSource } {
  const catalog = readCatalog(CATALOG_FILE)
  const predict = readPredictor(join(PACKAGE_ROOT, 'catalog', 'prefixes.json'), catalog, {
    withTestNumbers: config.environment === 'sandbox',
  })
  if (config.environment !== 'sandbox') {
    return {
      registry: createRegistry(catalog, predict, () => undefined),
      notifications: NO_NOTIFICATIONS,
    }
  }
  const booking = createBookingGroup(database, maySend)
  const sandbox = createSandboxConnector({
    book: {
      write: (entry) => booking.add(entry),
      ask: (entry, question) =>
        bookWithPhone(database, entry, maySend, (tx) => askOrRefuse(tx, entry, question)),
      redeem: (entry, { code, whenRight, whenWrong }) =>
        bookWithPhone(database, entry, maySend, async (tx) =>
          (await useCode(tx, entry, code, entry.receivedAt)) ? whenRight : whenWrong,
        ),
      find: async (merchantId, reference) =>
        toEntry(await findOrder(database, merchantId, reference), clock),
      expire: (merchantId, reference, question) =>
        expireApproval(database, { merchantId, reference, ...question }),
    },
    catalog,
    now: clock.now,
    delayMs: config.sandboxDelayMs,
    phoneOf: async (merchantId, phoneNumber) => {
      const merchant = await merchants.byId(merchantId)
      return merchant?.phoneStories.get(phoneNumber) as PhoneSetting | undefined
    },
    pageOf: wallets.urlOf,
  })
  const notifications = createSandboxNotifications({
    find: async () =>
      (await findNotifications(database, { now: clock.now(), offsetMs: clock.offsetMs() })).map(
        (one) => ({
          ...one,
          story: one.story as Story,
          verdict: (one.verdict ?? undefined) as Verdict | undefined,
        }),
      ),
    forget: (told) => forgetNotifications(database, told),
  })
  return { registry: createRegistry(catalog, predict, () => sandbox), notifications }
}

function toEntry(found: FoundOrder | undefined, clock: Clock): FoundEntry | undefined {
  if (found === undefined) return undefined
  const { receivedAt, story, clockOffsetMs } = found
  const script = story === null ? undefined : (story as Story)
  const at = clock.realNow() + clockOffsetMs
  return { at, receivedAt, story: script, approval: approvalOf(found) }
}

const NO_NOTIFICATIONS: NotificationSource = {
  waiting: async () => [],
  acknowledge: async () => {},
}
