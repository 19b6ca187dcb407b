import type { Amount } from '../../domain/amount.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { walletName } from '../../domain/payments/ledger.ts'
import type { MovementFilter } from '../../domain/statements/export.ts'
import {
  type LineStyle,
  type Movement,
  movementLine,
  movementType,
  netOf,
  statementHeader,
} from '../../domain/statements/statement-file.ts'
import { LIMITS } from '../../domain/timing.ts'
import { beginReading, type WalletPeriod } from '../../store/payments/movements.ts'
import {
  balanceBefore,
  movementsBefore,
  type Place,
  placeAt,
  placeOf,
} from '../../store/payments/wallet-history.ts'
import type { Context } from '../context.ts'
import type { SomeLines } from './context.ts'

export type ListedMovement = {
  readonly movement: Movement
  readonly place: Place
  readonly balanceAfter: Amount
}

export const isMeant = ({ type, provider }: MovementFilter, movement: Movement): boolean =>
  (type === undefined || movementType(movement) === type) &&
  (provider === undefined || movement.payment?.provider === provider)

export const periodOf = (merchantId: MerchantId, filter: MovementFilter): WalletPeriod => {
  const { wallet, startAt, endAt } = filter
  const account = walletName(wallet.country, wallet.currency, wallet.provider)
  return { merchantId, wallet: account, startAt, endAt }
}

const READ_AT_ONCE = 500

/**
 * All movements of the period, the latest first, with the balance after each. Every batch is a look
 * of its own at the database, so that a visitor who is slow to take a file holds nothing up. From
 * what is settled on, the balance of one batch leads to that of the next.
 */
async function* walletMovements(
  ctx: Context,
  period: WalletPeriod,
  after: Place | undefined,
  atOnce: number,
): AsyncGenerator<readonly ListedMovement[]> {
  const settledBefore = ctx.clock.now() - LIMITS.movementsSettledMs
  let place = after ?? placeAt(period.endAt)
  let carried: Amount | undefined
  for (;;) {
    const { balance, found, opening } = await ctx.db.inTransaction(async (tx) => {
      await beginReading(tx, period)
      const found = await movementsBefore(tx, period, place, atOnce)
      const balance = carried ?? (await balanceBefore(tx, period, place))
      const isLast = found.length < atOnce
      const opening = isLast && (await balanceBefore(tx, period, placeAt(period.startAt)))
      return { balance, found, opening }
    })
    let left = balance
    const batch = found.map((one) => {
      const balanceAfter = left
      left = (left - netOf(one.movement)) as Amount
      return { ...one, balanceAfter }
    })
    if (batch.length > 0) yield batch
    if (opening !== false) {
      invariant(left === opening, `the movements lead back to ${left}, not to ${opening}`)
      return
    }
    carried = Number(place.at) / 1000 < settledBefore ? left : undefined
    place = batch.at(-1)?.place ?? place
  }
}

export type MovementPage = {
  readonly rows: readonly ListedMovement[]
  /** Where the next page goes on; undefined at the end. */
  readonly next: string | undefined
  /** So many movements were looked through that the page ends here, though it is not full. */
  readonly isCut: boolean
}

/** A filter that hardly anything passes must not read a year at once. */
const LOOKED_AT_MAX = 20_000

export async function pageOfMovements(
  ctx: Context,
  merchantId: MerchantId,
  filter: MovementFilter,
  { after, per }: { readonly after?: string | undefined; readonly per: number },
): Promise<MovementPage> {
  const isOpen = filter.type === undefined && filter.provider === undefined
  const from = after === undefined ? undefined : readPlace(after)
  const all = walletMovements(
    ctx,
    periodOf(merchantId, filter),
    from,
    isOpen ? per + 1 : READ_AT_ONCE,
  )
  const rows: ListedMovement[] = []
  let lookedAt = 0
  for await (const batch of all) {
    for (const one of batch) {
      if (!isMeant(filter, one.movement)) continue
      const last = rows.at(-1)
      if (rows.length === per && last !== undefined) {
        return { rows, next: writePlace(last.place), isCut: false }
      }
      rows.push(one)
    }
    lookedAt += batch.length
    const last = batch.at(-1)
    if (lookedAt >= LOOKED_AT_MAX && last !== undefined && rows.length < per) {
      return { rows, next: writePlace(last.place), isCut: true }
    }
  }
  return { rows, next: undefined, isCut: false }
}

const PLACE = /^(\d{1,17})_([0-9a-f-]{36})_([\w:.-]{1,80})$/

const writePlace = ({ at, key, cause }: Place): string => `${at}_${key}_${cause}`

function readPlace(text: string): Place | undefined {
  const [, at, key, cause] = PLACE.exec(text) ?? []
  if (at === undefined || key === undefined || cause === undefined) return undefined
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)
    ? placeOf(at, key, cause)
    : undefined
}

/** The file of a filter, some lines at a time, and how many movements are in them. */
export async function* statementLines(
  ctx: Context,
  merchantId: MerchantId,
  filter: MovementFilter,
  style: LineStyle,
): AsyncGenerator<SomeLines> {
  yield { text: statementHeader(style.csv), rows: 0 }
  const period = periodOf(merchantId, filter)
  for await (const batch of walletMovements(ctx, period, undefined, READ_AT_ONCE)) {
    const meant = batch.filter(({ movement }) => isMeant(filter, movement))
    const lines = meant.map(({ movement, balanceAfter }) =>
      movementLine(movement, style, balanceAfter),
    )
    if (lines.length > 0) yield { text: lines.join(''), rows: lines.length }
  }
}
