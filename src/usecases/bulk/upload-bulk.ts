import { hash } from 'node:crypto'
import { totalsOf } from '../../domain/bulk/bulk-check.ts'
import { type FileFault, readBulkFile } from '../../domain/bulk/bulk-file.ts'
import { BULK_LIMITS } from '../../domain/bulk/bulk-payout.ts'
import { insertBulk, keepSummary } from '../../store/bulk/bulk-payouts.ts'
import { putRows } from '../../store/bulk/rows.ts'
import { changeAs } from '../people/change.ts'
import type { Person } from '../people/context.ts'
import type { BulkContext } from './context.ts'
import { rowFrom } from './rows.ts'

/** Keeps what a file says as a draft; from now on each row has the identifier of its payout. */
export async function uploadBulk(
  ctx: BulkContext,
  person: Person,
  file: { readonly name: string; readonly text: string },
): Promise<{ readonly id: string } | FileFault> {
  if (Buffer.byteLength(file.text) > BULK_LIMITS.bytes) return { rule: 'TOO_LARGE' }
  const read = readBulkFile(file.text)
  if ('rule' in read) return read
  const rows = read.map(({ number, cells, metadata }) => rowFrom(ctx, number, cells, metadata))
  const totals = totalsOf(rows)
  const id = ctx.newKey()
  const { merchant, user } = person
  const change = {
    action: 'bulk payout uploaded',
    object: id,
    after: { name: file.name, rows: rows.length, totals },
  }
  await changeAs(ctx, person, change, async (tx) => {
    await insertBulk(tx, {
      merchantId: merchant.id,
      id,
      name: file.name,
      fileHash: hash('sha256', file.text, 'buffer'),
      userId: user.userId,
      now: ctx.clock.now(),
    })
    await putRows(tx, merchant.id, id, rows)
    await keepSummary(tx, merchant.id, id, totals)
  })
  return { id }
}
