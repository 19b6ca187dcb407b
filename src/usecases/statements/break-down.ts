import { type Amount, parseSum } from '../../domain/amount.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { walletName } from '../../domain/payments/ledger.ts'
import type { StatementWallet } from '../../domain/statements/statement.ts'
import { MOVEMENT_TYPES, type MovementType } from '../../domain/statements/statement-file.ts'
import type { Db } from '../../store/engine/database.ts'
import { beginReading, type WalletPeriod } from '../../store/payments/movements.ts'
import {
  findSummedDays,
  keepSums,
  type SummedDay,
  sumMovements,
  type TypeSum,
} from '../../store/payments/type-sums.ts'
import { balanceBefore, placeAt } from '../../store/payments/wallet-history.ts'
import type { Context } from '../context.ts'

type BreakdownRow = {
  readonly type: MovementType
  readonly isCredit: boolean
  readonly count: number
  /** With its sign. */
  readonly sum: Amount
}

/** What became of a wallet in a period: the opening balance and the rows give the closing one. */
export type Breakdown = {
  readonly opening: Amount
  readonly closing: Amount
  readonly rows: readonly BreakdownRow[]
  readonly moneyIn: Amount
  readonly moneyOut: Amount
}

const DAY_MS = 86_400_000

/**
 * Days that somebody looked at before are summed up already; of the others, and of the parts of a
 * day at both ends, the movements are read, a day at a time.
 */
export async function breakDown(
  ctx: Context,
  merchantId: MerchantId,
  wallet: StatementWallet,
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): Promise<Breakdown> {
  const account = walletName(wallet.country, wallet.currency, wallet.provider)
  const period: WalletPeriod = { merchantId, wallet: account, startAt, endAt }
  const fresh: SummedDay[] = []
  const found = await ctx.db.inTransaction(async (tx) => {
    await beginReading(tx, period)
    return {
      opening: await balanceBefore(tx, period, placeAt(startAt)),
      closing: await balanceBefore(tx, period, placeAt(endAt)),
      sums: await sumsOf(tx, period, fresh),
    }
  })
  await keepSums(ctx.db, period, fresh)
  const rows = merged(found.sums)
  const total = (of: readonly BreakdownRow[]): Amount =>
    of.reduce((sum, row) => sum + row.sum, 0n) as Amount
  const { opening, closing } = found
  invariant(opening + total(rows) === closing, 'the sums of a wallet lead to its balance')
  return {
    opening,
    closing,
    rows,
    moneyIn: total(rows.filter(({ isCredit }) => isCredit)),
    moneyOut: total(rows.filter(({ isCredit }) => !isCredit)),
  }
}

/** Adds to `fresh` the days that nobody had summed up. */
async function sumsOf(tx: Db, period: WalletPeriod, fresh: SummedDay[]): Promise<TypeSum[]> {
  const { startAt, endAt } = period
  const firstDay = Math.ceil(startAt / DAY_MS) * DAY_MS
  const lastEnd = Math.floor(endAt / DAY_MS) * DAY_MS
  if (firstDay >= lastEnd) return [...(await sumMovements(tx, period))]
  const sums = [
    ...(await sumMovements(tx, { ...period, endAt: firstDay })),
    ...(await sumMovements(tx, { ...period, startAt: lastEnd })),
  ]
  for (const day of await findSummedDays(tx, { ...period, startAt: firstDay, endAt: lastEnd })) {
    const whole = { ...period, startAt: day.startAt, endAt: day.startAt + DAY_MS }
    const ofDay = day.sums ?? (await sumMovements(tx, whole))
    if (day.sums === null) fresh.push({ ...day, sums: ofDay })
    sums.push(...ofDay)
  }
  return sums
}

/** One row for each type and direction, in the order of the types. */
function merged(sums: readonly TypeSum[]): readonly BreakdownRow[] {
  return MOVEMENT_TYPES.flatMap((type) =>
    [true, false].flatMap((isCredit) => {
      const these = sums.filter((one) => one.type === type && one.isCredit === isCredit)
      if (these.length === 0) return []
      const amount = these.reduce((sum, one) => sum + amountOf(one.amount), 0n)
      return {
        type,
        isCredit,
        count: these.reduce((sum, one) => sum + one.count, 0),
        sum: (isCredit ? amount : -amount) as Amount,
      }
    }),
  )
}

function amountOf(text: string): Amount {
  const amount = parseSum(text)
  invariant(amount !== undefined, `a sum is ${text}`)
  return amount
}
