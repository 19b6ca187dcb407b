import { hash } from 'node:crypto'
import { totalsOf } from '../../domain/bulk/bulk-check.ts'
import { type FileFault, readBulkFile } from '../../domain/bulk/bulk-file.ts'
import { BULK_LIMITS } from '../../domain/bulk/bulk-payout.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { insertBulk, isSameUpload, keepSummary } from '../../store/bulk/bulk-payouts.ts'
import { putRows } from '../../store/bulk/rows.ts'
import { recordChange } from '../people/change.ts'
import type { Person } from '../people/context.ts'
import type { BulkContext } from './context.ts'
import { countriesOf, rowFrom } from './rows.ts'

/**
 * Keeps what a file says as a draft; from now on each row has the identifier of its payout. The
 * identifier of the draft comes with the form: sent again, the form makes no second draft.
 */
export async function uploadBulk(
  ctx: BulkContext,
  person: Person,
  file: { readonly name: string; readonly text: string; readonly id?: PaymentId | undefined },
): Promise<{ readonly id: string } | FileFault> {
  if (Buffer.byteLength(file.text) > BULK_LIMITS.bytes) return { rule: 'TOO_LARGE' }
  const read = readBulkFile(file.text)
  if ('rule' in read) return read
  const rows = read.map(({ number, cells, metadata }) => rowFrom(ctx, number, cells, metadata))
  const totals = totalsOf(rows)
  const { merchant, user } = person
  const named = {
    merchantId: merchant.id,
    userId: user.userId,
    name: file.name,
    fileHash: hash('sha256', file.text, 'buffer'),
    now: ctx.clock.now(),
  }
  return ctx.db.inTransaction(async (tx) => {
    let id: string = file.id ?? ctx.newKey()
    if (!(await insertBulk(tx, { ...named, id }))) {
      if (await isSameUpload(tx, { ...named, id })) return { id }
      // The form came back with another file.
      id = ctx.newKey()
      await insertBulk(tx, { ...named, id })
    }
    await putRows(tx, merchant.id, id, rows)
    await keepSummary(tx, merchant.id, id, totals)
    await recordChange(ctx, tx, person, {
      action: 'bulk payout uploaded',
      object: id,
      after: { name: file.name, rows: rows.length, totals, countries: countriesOf(ctx, rows) },
    })
    return { id }
  })
}
