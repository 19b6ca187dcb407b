import { totalsOf } from '../../domain/bulk/bulk-check.ts'
import type { BulkColumn } from '../../domain/bulk/bulk-file.ts'
import {
  BULK_MACHINE,
  type BulkEvent,
  type BulkPayout,
  type DraftRow,
} from '../../domain/bulk/bulk-payout.ts'
import { may } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import {
  deleteBulk,
  keepSummary,
  lockBulk,
  lockOpenBulks,
  moveBulk,
} from '../../store/bulk/bulk-payouts.ts'
import { deleteRow, putRows, readRows, type StoredRow } from '../../store/bulk/rows.ts'
import type { Db } from '../../store/engine/database.ts'
import { recordChange } from '../people/change.ts'
import type { Person } from '../people/context.ts'
import type { BulkContext } from './context.ts'
import { checkBulk, findBulkPayout } from './read-bulk.ts'
import { changedRow, countriesOf } from './rows.ts'

/** Why a change was not made. */
type BulkRefusal =
  | 'MISSING'
  | 'NOT_YOURS'
  | 'OWN'
  | 'NOT_ALLOWED'
  | 'NOT_NOW'
  | 'CHANGED'
  | 'PROBLEMS'
  | 'NO_ROWS'
  | 'SHORT'
export type BulkChange = 'DONE' | BulkRefusal

/** The bulk payout as it is, and nobody else changes it until the work is done. */
async function withBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
  work: (tx: Db, bulk: BulkPayout) => Promise<BulkChange>,
): Promise<BulkChange> {
  return ctx.db.inTransaction(async (tx) => {
    const seen = await findBulkPayout(ctx, person, id, tx)
    if (seen === undefined) return 'MISSING'
    await lockBulk(tx, person.merchant.id, seen.id)
    const bulk = await findBulkPayout(ctx, person, id, tx)
    return bulk === undefined ? 'MISSING' : work(tx, bulk)
  })
}

const isMaker = (person: Person, bulk: BulkPayout): boolean =>
  person.user.userId === bulk.createdBy.userId

/** Only the maker changes a draft: else one could approve what one wrote oneself. */
async function withDraft(
  ctx: BulkContext,
  person: Person,
  id: string,
  work: (tx: Db, bulk: BulkPayout) => Promise<BulkChange>,
): Promise<BulkChange> {
  return withBulk(ctx, person, id, async (tx, bulk) => {
    if (!isMaker(person, bulk)) return 'NOT_YOURS'
    return bulk.state === 'DRAFT' ? work(tx, bulk) : 'NOT_NOW'
  })
}

export type RowEdit = {
  readonly number: number
  readonly cells: Readonly<Partial<Record<BulkColumn, string>>>
}

/** Saves what was typed into rows, and takes one of them out if asked to. */
export async function changeRows(
  ctx: BulkContext,
  person: Person,
  id: string,
  { edits, removed }: { readonly edits: readonly RowEdit[]; readonly removed?: number | undefined },
): Promise<BulkChange> {
  const { merchant } = person
  return withDraft(ctx, person, id, async (tx, bulk) => {
    const rows = new Map(
      (await readRows(tx, merchant.id, bulk.id)).map((row): [number, DraftRow] => [
        row.number,
        row,
      ]),
    )
    const before: DraftRow[] = []
    const changed: StoredRow[] = []
    for (const { number, cells } of edits) {
      const row = rows.get(number)
      if (row === undefined || number === removed) continue
      const next = changedRow(ctx, row, cells)
      if (isSame(row, next)) continue
      before.push(row)
      changed.push(next)
      rows.set(number, next)
    }
    const gone = removed === undefined ? undefined : rows.get(removed)
    if (changed.length === 0 && gone === undefined) return 'DONE'
    await putRows(tx, merchant.id, bulk.id, changed)
    if (gone !== undefined) {
      await deleteRow(tx, merchant.id, bulk.id, gone.number)
      rows.delete(gone.number)
      before.push(gone)
    }
    await keepSummary(tx, merchant.id, bulk.id, totalsOf([...rows.values()]))
    await recordChange(ctx, tx, person, {
      action: 'bulk payout rows changed',
      object: bulk.id,
      before: { rows: before.map(noted) },
      after: { rows: changed.map(noted), countries: countriesOf(ctx, [...before, ...changed]) },
    })
    return 'DONE'
  })
}

const isSame = (one: DraftRow, other: DraftRow): boolean =>
  one.payoutId === other.payoutId && JSON.stringify(entries(one)) === JSON.stringify(entries(other))

/** The database has an order of its own. */
const entries = ({ fields }: DraftRow) =>
  Object.entries(fields)
    .filter(([name]) => name !== 'metadata')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

/** For the audit log, which many may read: of a number, the end. */
const noted = ({ number, payoutId, fields }: DraftRow): object => ({
  row: number,
  payoutId,
  amount: fields.amount,
  currency: fields.currency,
  provider: fields.provider,
  phoneNumber: `…${fields.phoneNumber.slice(-3)}`,
})

export async function discardBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
): Promise<BulkChange> {
  return withDraft(ctx, person, id, async (tx, bulk) => {
    const countries = countriesOf(ctx, await readRows(tx, person.merchant.id, bulk.id))
    await deleteBulk(tx, person.merchant.id, bulk.id)
    const { name, rowCount: rows, totals } = bulk
    const change = {
      action: 'bulk payout discarded',
      object: bulk.id,
      before: { name, rows, totals, countries },
    }
    await recordChange(ctx, tx, person, change)
    return 'DONE'
  })
}

type Move = { readonly event: BulkEvent; readonly action: string; readonly reason?: string }

/** Takes it from state to state, as the table allows, with its entry in the audit log. */
async function move(
  ctx: BulkContext,
  tx: Db,
  person: Person,
  bulk: BulkPayout,
  { event, action, reason }: Move,
): Promise<BulkChange> {
  const state = BULK_MACHINE[bulk.state][event]
  if (state === undefined) return 'NOT_NOW'
  const isDecision = event === 'approve' || event === 'reject'
  await moveBulk(tx, person.merchant.id, bulk.id, {
    state,
    now: ctx.clock.now(),
    ...(isDecision ? { decidedBy: person.user.userId } : {}),
    ...present({ reason }),
  })
  // What is submitted has right rows alone, so the country of each is known.
  const { rowCount: rows, totals, countries } = bulk
  await recordChange(ctx, tx, person, {
    action,
    object: bulk.id,
    before: { state: bulk.state },
    after: { state, rows, totals, countries, reason },
  })
  return 'DONE'
}

export async function submitBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
): Promise<BulkChange> {
  return withBulk(ctx, person, id, async (tx, bulk) => {
    if (!isMaker(person, bulk)) return 'NOT_YOURS'
    if (bulk.state === 'NEEDS_APPROVAL') return 'DONE'
    if (bulk.state !== 'DRAFT') return 'NOT_NOW'
    const { rows, wrongRows } = await checkBulk(ctx, person, bulk.id, tx)
    if (rows.length === 0) return 'NO_ROWS'
    if (wrongRows > 0) return 'PROBLEMS'
    return move(ctx, tx, person, bulk, { event: 'submit', action: 'bulk payout submitted' })
  })
}

export async function withdrawBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
): Promise<BulkChange> {
  return withBulk(ctx, person, id, async (tx, bulk) => {
    if (!isMaker(person, bulk)) return 'NOT_YOURS'
    if (bulk.state === 'DRAFT') return 'DONE'
    return move(ctx, tx, person, bulk, { event: 'withdraw', action: 'bulk payout withdrawn' })
  })
}

/** Who decides is never who made it, and decides about what they saw. */
function decisionRefusal(
  person: Person,
  bulk: BulkPayout,
  version: number,
): BulkRefusal | undefined {
  if (!may(person.role, 'payouts:approve')) return 'NOT_ALLOWED'
  if (isMaker(person, bulk)) return 'OWN'
  if (bulk.state !== 'NEEDS_APPROVAL') return 'NOT_NOW'
  return bulk.version === version ? undefined : 'CHANGED'
}

/** The button was pressed twice: this person approved it already. */
const isApprovedBy = (person: Person, { state, decidedBy }: BulkPayout): boolean =>
  state !== 'DRAFT' && state !== 'NEEDS_APPROVAL' && decidedBy?.userId === person.user.userId

/** This person rejected it with these words already, and nobody has touched it since. */
const isRejectedBy = (person: Person, bulk: BulkPayout, reason: string): boolean =>
  bulk.state === 'DRAFT' && bulk.decidedBy?.userId === person.user.userId && bulk.reason === reason

export async function rejectBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<BulkChange> {
  return withBulk(ctx, person, id, async (tx, bulk) => {
    if (isRejectedBy(person, bulk, reason)) return 'DONE'
    const refusal = decisionRefusal(person, bulk, version)
    if (refusal !== undefined) return refusal
    const action = 'bulk payout rejected'
    return move(ctx, tx, person, bulk, { event: 'reject', action, reason })
  })
}

/** Refused while a row is wrong by the rules of today, or a wallet is short. */
export async function approveBulk(
  ctx: BulkContext,
  person: Person,
  id: string,
  version: number,
): Promise<BulkChange> {
  const result = await ctx.db.inTransaction(async (tx): Promise<BulkChange> => {
    await lockOpenBulks(tx, person.merchant.id)
    const bulk = await findBulkPayout(ctx, person, id, tx)
    if (bulk === undefined) return 'MISSING'
    if (isApprovedBy(person, bulk)) return 'DONE'
    const refusal = decisionRefusal(person, bulk, version)
    if (refusal !== undefined) return refusal
    const { wrongRows, isShort } = await checkBulk(ctx, person, bulk.id, tx)
    if (wrongRows > 0) return 'PROBLEMS'
    if (isShort) return 'SHORT'
    return move(ctx, tx, person, bulk, { event: 'approve', action: 'bulk payout approved' })
  })
  if (result === 'DONE') ctx.work.wake()
  return result
}
