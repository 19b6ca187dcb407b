import type { Story } from '../../domain/sandbox/stories.ts'
import type { Catalog } from '../../providers/catalog.ts'
import type { Connector, NotificationSource } from '../../providers/connector.ts'
import type { ReferenceOf } from '../../providers/reference.ts'
import type { PhoneSetting, Verdict } from '../../providers/sandbox/approval.ts'
import type { FoundEntry, OperatorBook } from '../../providers/sandbox/book.ts'
import { createSandboxConnector } from '../../providers/sandbox/connector.ts'
import { createSandboxNotifications } from '../../providers/sandbox/notifications.ts'
import type { Database } from '../../store/engine/database.ts'
import { expireApproval } from '../../store/sandbox/approvals.ts'
import {
  createBookingGroup,
  type FoundOrder,
  findNotifications,
  findOrder,
  forgetNotifications,
} from '../../store/sandbox/orders.ts'
import { askOrRefuse, bookWithPhone, useCode } from '../../store/sandbox/phones.ts'
import type { MerchantDirectory } from '../accounts/merchant-directory.ts'
import { approvalOf } from './approval.ts'
import type { WalletLinks } from './wallet-links.ts'

type OperatorParts = {
  readonly database: Database
  readonly catalog: Catalog
  readonly now: () => number
  readonly merchants: MerchantDirectory
  readonly walletLinks: WalletLinks
  readonly delayMs: number
  readonly referenceOf: ReferenceOf
  /** Asked again before an order is written: a node that others take for dead sends nothing. */
  readonly maySend: () => boolean
}

/** The simulated operator with its book in the database: to the core a connector like any other. */
export function createSandboxOperator(parts: OperatorParts): {
  readonly connector: Connector
  readonly notifications: NotificationSource
} {
  const { database, catalog, now, merchants, walletLinks, delayMs, referenceOf } = parts
  const connector = createSandboxConnector({
    book: bookIn(database, parts.maySend),
    catalog,
    now,
    delayMs,
    referenceOf,
    phoneOf: async (merchantId, phoneNumber) => {
      const merchant = await merchants.byId(merchantId)
      return merchant?.phoneStories.get(phoneNumber) as PhoneSetting | undefined
    },
    pageOf: walletLinks.urlOf,
  })
  const notifications = createSandboxNotifications({
    find: async () =>
      (await findNotifications(database, now())).map((one) => ({
        ...one,
        story: one.story as Story,
        verdict: (one.verdict ?? undefined) as Verdict | undefined,
      })),
    forget: (reported) => forgetNotifications(database, reported),
  })
  return { connector, notifications }
}

function bookIn(database: Database, maySend: () => boolean): OperatorBook {
  const booking = createBookingGroup(database, maySend)
  return {
    write: (entry) => booking.add(entry),
    ask: (entry, question) =>
      bookWithPhone(database, entry, maySend, (tx) => askOrRefuse(tx, entry, question)),
    redeem: (entry, { code, whenRight, whenWrong }) =>
      bookWithPhone(database, entry, maySend, async (tx) =>
        (await useCode(tx, entry, code, entry.receivedAt)) ? whenRight : whenWrong,
      ),
    find: async (merchantId, reference) =>
      toEntry(await findOrder(database, merchantId, reference)),
    expire: (merchantId, reference, now) =>
      expireApproval(database, { merchantId, reference }, now),
  }
}

function toEntry(found: FoundOrder | undefined): FoundEntry | undefined {
  if (found === undefined) return undefined
  const { receivedAt, story } = found
  const script = story === null ? undefined : (story as Story)
  return { receivedAt, story: script, approval: approvalOf(found) }
}
