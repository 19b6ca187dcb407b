/**
 * Mails about changes of provider status. They follow from the history, which is written with each
 * change, so a restart loses none. A node that dies after sending one and before it is noted sends it
 * again, under the same Message-ID.
 */
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import {
  latestChange,
  listChangesBetween,
  settledChange,
} from '../../store/operators/health-history.ts'
import {
  type ClaimedSubscription,
  claimStatusSubscription,
  finishStatusSubscription,
  isEveryoneMailed,
} from '../../store/people/status-subscriptions.ts'
import { findUser, listMemberships } from '../../store/people/users.ts'
import { readConfiguration } from '../accounts/read-configuration.ts'
import type { Log } from '../context.ts'
import type { PeopleContext } from './context.ts'
import type { StatusNotice } from './status-notice.ts'
import { unsubscribeToken } from './status-subscriptions.ts'

type StatusMails = {
  /** Called now and then. Looks whether something changed, and waits for nothing. */
  wake(): void
  /** Waits for what is under way. */
  stop(): Promise<void>
}

const TIMES = {
  apartMs: UPKEEP.statusMailsApartMs,
  againAfterMs: UPKEEP.statusMailAgainMs,
  againAtMostMs: UPKEEP.statusMailAgainMaxMs,
}
/** About eight hours. */
const TRIES = 12

export function createStatusMails(ctx: PeopleContext, log: Log): StatusMails {
  let isStopped = false
  let round: Promise<void> | undefined
  let head = -1
  let isDone = false

  const mailChanges = async (): Promise<void> => {
    if ((await latestChange(ctx.db)) !== head) head = await ctx.db.inTransaction(settledChange)
    else if (isDone) return
    while (!isStopped) {
      const times = { ...TIMES, now: ctx.clock.realNow() }
      const claimed = await ctx.db.inTransaction((tx) => claimStatusSubscription(tx, head, times))
      if (claimed === undefined) break
      await deliver(ctx, log, claimed, head)
    }
    isDone = await isEveryoneMailed(ctx.db, head)
  }
  return {
    wake: () => {
      if (isStopped || round !== undefined || ctx.people.mailer.way === 'NONE') return
      round = mailChanges()
        .catch((err) => log.warn({ err }, 'changes of provider status were not mailed'))
        .finally(() => {
          round = undefined
        })
    },
    stop: async () => {
      isStopped = true
      await round
    },
  }
}

async function deliver(
  ctx: PeopleContext,
  log: Log,
  claimed: ClaimedSubscription,
  head: number,
): Promise<void> {
  const notice = await noticeFor(ctx, claimed, head)
  if (notice === undefined) return finishStatusSubscription(ctx.db, claimed, head, false)
  try {
    await ctx.people.mailer.deliver(ctx.people.statusMail(notice))
  } catch (error) {
    // Texts of mail servers repeat the address of the person, which must not be in the log.
    const { code } = error as { readonly code?: unknown }
    const isLast = claimed.tries >= TRIES
    log.warn({ code, isLast }, 'a mail about provider status was not sent')
    if (!isLast) return
  }
  await finishStatusSubscription(ctx.db, claimed, head, true)
}

/** Undefined where nothing changed that the person may see, or they may see nothing any more. */
async function noticeFor(
  ctx: PeopleContext,
  { userId, merchantId, country, language, doneNumber }: ClaimedSubscription,
  head: number,
): Promise<StatusNotice | undefined> {
  const user = await findUser(ctx.db, userId)
  const memberships = await listMemberships(ctx.db, userId)
  const membership = memberships.find((one) => one.merchantId === merchantId)
  const merchant = await ctx.merchants.byId(merchantId)
  if (user === undefined || user.isDisabled || !membership || !merchant) return undefined
  const { countries } = membership
  const seen = readConfiguration(ctx, merchant, { country: country ?? undefined })
    .filter((one) => countries.length === 0 || countries.includes(one.country))
    .flatMap(({ name, providers }) => providers.map((one) => ({ ...one, name })))
  const found = await listChangesBetween(ctx.db, {
    merchantId,
    providers: seen.map(({ provider }) => provider.code),
    after: doneNumber,
    upTo: head,
  })
  const changes = found.flatMap((change) => {
    const of = seen.find(({ provider }) => provider.code === change.provider)
    if (of === undefined || !of.operations.includes(change.operation)) return []
    return [{ ...change, country: of.name, of: of.provider }]
  })
  if (changes.length === 0) return undefined
  return {
    user,
    language: user.language ?? language,
    merchant: merchant.name,
    changes,
    unsubscribe: unsubscribeToken(ctx, userId, merchantId),
    id: `status-${userId}-${merchantId}-${head}`,
  }
}
