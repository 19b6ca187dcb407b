/** Which wallet and which period, as the address or a form says it. */

import { type Archived, isArchived, yearOf } from '../../../domain/archive/years.ts'
import { present } from '../../../domain/present.ts'
import type { MovementFilter } from '../../../domain/statements/export.ts'
import { MOVEMENT_TYPES } from '../../../domain/statements/statement-file.ts'
import { asStatementWallet, type Wallet } from '../../../usecases/statements/wallets.ts'
import { dayBefore, dayBegins, dayEnds, dayOf, readMoment } from '../period.ts'
import type { Visit } from '../visit.ts'

type Asked = Readonly<Record<string, string>>

export const askedIn = (values: Iterable<readonly [string, unknown]>): Asked =>
  Object.fromEntries(
    [...values].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  )

/** A field whose value cannot be used, by its name in the address and in the words. */
export type Fault = 'from' | 'to' | 'type' | 'provider'

export type Period = {
  readonly startAt: number
  readonly endAt: number
  /** As it is shown again, and repeated in links. */
  readonly from: string
  readonly to: string
  readonly faults: readonly Fault[]
  /** The movements of this year are archived, so the last thirty days are shown instead. */
  readonly archivedYear?: number
}

const DAYS_SHOWN = 30

/** Without one, or with one that cannot be read or is archived: the last thirty days. */
export function readPeriod(
  { ctx, person }: Visit,
  asked: Asked,
  archived: Archived | undefined,
): Period {
  const { timeZone } = person.user
  const today = dayOf(ctx.clock.now(), timeZone)
  const first = dayBefore(today, DAYS_SHOWN - 1)
  const { from = first, to = today } = asked
  const startAt = readMoment(from, timeZone)
  const endAt = readMoment(to, timeZone, true)
  const isWhole = startAt !== undefined && endAt !== undefined && 0 <= startAt && startAt < endAt
  const isGone = isWhole && isArchived(archived, startAt)
  if (isWhole && !isGone) return { startAt, endAt, from, to, faults: [] }
  return {
    ...(isGone && { archivedYear: yearOf(startAt) }),
    startAt: dayBegins(first, timeZone),
    endAt: dayEnds(today, timeZone),
    from: first,
    to: today,
    faults: [
      ...(startAt === undefined ? (['from'] as const) : []),
      ...(endAt === undefined ? (['to'] as const) : []),
      ...(startAt !== undefined && endAt !== undefined && !isGone ? (['from', 'to'] as const) : []),
    ],
  }
}

export type AskedStatement = {
  readonly wallet: Wallet
  readonly filter: MovementFilter
  readonly period: Period
  /** The filter as an address repeats it, without the place of the page. */
  readonly asked: Asked
  readonly faults: readonly Fault[]
}

/** Undefined where there is no such wallet, or it is not for this person. */
export function readStatement(
  visit: Visit,
  wallets: readonly Wallet[],
  asked: Asked,
  archived: Archived | undefined,
): AskedStatement | undefined {
  const wallet =
    asked.wallet === undefined
      ? liveliest(wallets)
      : wallets.find(({ name }) => name === asked.wallet)
  if (wallet === undefined) return undefined
  const period = readPeriod(visit, asked, archived)
  const type = MOVEMENT_TYPES.find((one) => one === asked.type)
  const provider = /^[A-Z0-9_]{1,40}$/.test(asked.provider ?? '') ? asked.provider : undefined
  const { startAt, endAt, from, to } = period
  return {
    wallet,
    period,
    filter: {
      wallet: asStatementWallet(wallet),
      startAt,
      endAt,
      ...present({ type, provider }),
    },
    asked: { wallet: wallet.name, from, to, ...present({ type, provider }) },
    faults: [
      ...period.faults,
      ...(asked.type !== undefined && type === undefined ? (['type'] as const) : []),
      ...(asked.provider !== undefined && provider === undefined ? (['provider'] as const) : []),
    ],
  }
}

/** Without a word about it, the wallet that moved last. */
const liveliest = (wallets: readonly Wallet[]): Wallet | undefined =>
  wallets.toSorted((one, other) => (other.movedAt ?? 0) - (one.movedAt ?? 0))[0]

/** How a file of it is called, without what says the format. */
export function fileNameOf(visit: Visit, { wallet, filter }: AskedStatement): string {
  const { timeZone } = visit.person.user
  // The last day that belongs to it.
  const days = [filter.startAt, filter.endAt - 1].map((at) => dayOf(at, timeZone))
  const only = [filter.type, filter.provider].filter(Boolean).map((one) => String(one))
  return ['statement', wallet.name, ...days, ...only].join('-')
}
