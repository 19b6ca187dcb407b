import type { Merchant } from '../../domain/accounts/merchant.ts'
import { walletOf } from '../../domain/accounts/merchant.ts'
import { type Amount, formatBalance, parseSum } from '../../domain/amount.ts'
import { checkRows, needsOf, type RowCheck } from '../../domain/bulk/bulk-check.ts'
import type { BulkPayout, BulkRow, DraftRow } from '../../domain/bulk/bulk-payout.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import { type AccountName, walletName, walletNamed } from '../../domain/payments/ledger.ts'
import {
  type BulkFilter,
  findBulk,
  listBulks,
  listCreators,
  listOfSameFile,
} from '../../store/bulk/bulk-payouts.ts'
import {
  type BulkProgress,
  findUsedIds,
  readProgress,
  readPromised,
  readRows,
  readSentRows,
  type SentRow,
} from '../../store/bulk/rows.ts'
import type { Db } from '../../store/engine/database.ts'
import { findWallets } from '../../store/payments/ledger.ts'
import type { Context } from '../context.ts'
import type { Person } from '../people/context.ts'
import { seerOf } from './context.ts'

export type { BulkProgress, SentRow }

export const listBulkPayouts = (ctx: Context, person: Person, filter: BulkFilter, limit: number) =>
  listBulks(ctx.db, person.merchant.id, seerOf(person), filter, limit)

export const listBulkCreators = (ctx: Context, { merchant }: Person) =>
  listCreators(ctx.db, merchant.id)

export async function findBulkPayout(
  ctx: Context,
  person: Person,
  text: string,
  db: Db = ctx.db,
): Promise<BulkPayout | undefined> {
  const id = parsePaymentId(text)
  return id && findBulk(db, person.merchant.id, seerOf(person), id)
}

/** What one wallet would have to give. */
type WalletNeed = {
  readonly country: string
  readonly currency: string
  readonly provider: string | undefined
  readonly needed: string
  readonly available: string
  /** What other bulk payouts that are approved will still take of it. */
  readonly promised: string
  readonly missing: string | undefined
}

export type CheckedBulk = {
  readonly rows: readonly BulkRow[]
  /** One for each row. */
  readonly checks: readonly RowCheck[]
  readonly wallets: readonly WalletNeed[]
  readonly isShort: boolean
  readonly wrongRows: number
}

/** Every row by the rules of the API as they are now, and the wallets as they are now. */
export async function checkBulk(
  ctx: Context,
  person: Person,
  id: string,
  db: Db = ctx.db,
): Promise<CheckedBulk> {
  const { merchant, countries } = person
  const rows = await readRows(db, merchant.id, id)
  const usedIds = await findUsedIds(db, merchant.id, id, idsOf(rows))
  const { providers } = ctx
  const checks = checkRows(rows, { providers, merchant, countries, usedIds })
  const wallets = await needs(db, merchant, id, needsOf(rows, checks))
  return {
    rows,
    checks,
    wallets,
    isShort: wallets.some(({ missing }) => missing !== undefined),
    wrongRows: checks.filter(({ problems }) => problems.length > 0).length,
  }
}

const idsOf = (rows: readonly DraftRow[]): readonly string[] =>
  rows.flatMap(({ payoutId }) => parsePaymentId(payoutId) ?? [])

async function needs(
  db: Db,
  merchant: Merchant,
  id: string,
  needed: ReadonlyMap<AccountName, Amount>,
): Promise<readonly WalletNeed[]> {
  const balances = new Map<string, Amount>()
  for (const one of await findWallets(db, merchant.id, undefined)) {
    const name = walletName(one.country, one.currency, one.provider ?? undefined)
    balances.set(name, sum(one.balance))
  }
  const promised = new Map<string, Amount>()
  for (const one of await readPromised(db, merchant.id, id)) {
    const name = walletOf(merchant, one)
    promised.set(name, ((promised.get(name) ?? 0n) + sum(one.amount)) as Amount)
  }
  return [...needed.entries()].map(([wallet, need]) => {
    const { country, currency, provider } = walletNamed(wallet)
    const [available, taken] = [balances.get(wallet) ?? NOTHING, promised.get(wallet) ?? NOTHING]
    const missing = need + taken - available
    return {
      country,
      currency,
      provider,
      needed: formatBalance(need),
      available: formatBalance(available),
      promised: formatBalance(taken),
      missing: missing > 0n ? formatBalance(missing as Amount) : undefined,
    }
  })
}

const NOTHING = 0n as Amount
const sum = (text: string): Amount => parseSum(text) ?? NOTHING

export const sameFileAs = (ctx: Context, person: Person, { id }: BulkPayout) =>
  listOfSameFile(ctx.db, person.merchant.id, seerOf(person), id)

export const bulkProgress = (ctx: Context, { merchant }: Person, { id }: BulkPayout) =>
  readProgress(ctx.db, merchant.id, id)

export const sentRows = (
  ctx: Context,
  { merchant }: Person,
  { id }: BulkPayout,
  after: number,
  limit: number,
): Promise<readonly SentRow[]> => readSentRows(ctx.db, merchant.id, id, after, limit)
