import { randomUUID } from 'node:crypto'
import type { BulkColumn } from '../../domain/bulk/bulk-file.ts'
import type { DraftRow, RowFields } from '../../domain/bulk/bulk-payout.ts'
import type { MetadataEntry } from '../../domain/payments/payment.ts'
import { plainAmount } from '../../domain/payments/typed-amount.ts'
import { present } from '../../domain/present.ts'
import type { StoredRow } from '../../store/bulk/rows.ts'
import { predictProvider } from '../accounts/predict-provider.ts'
import type { Context } from '../context.ts'

type Cells = Readonly<Partial<Record<BulkColumn, string>>>

/** What people write around the digits of a number. */
const WRITTEN_NUMBER = /^[+\d\s()./-]+$/

/** A row as it was written, with its identifier; whatever is unclear stays as it is, and is reported. */
export function rowFrom(
  ctx: Context,
  number: number,
  cells: Cells,
  metadata: readonly { readonly name: string; readonly value: string }[],
): StoredRow {
  const { payoutId = randomUUID() } = cells
  const entries: readonly MetadataEntry[] = metadata.map((one) => ({ ...one, pii: false }))
  return stored(ctx, {
    number,
    payoutId,
    fields: {
      ...moneyOf(ctx, cells),
      ...present({
        customerMessage: cells.customerMessage,
        clientReferenceId: cells.clientReferenceId,
        metadata: entries.length === 0 ? undefined : entries,
      }),
    },
  })
}

/** The same row with other words; its identifier changes only where another one is given. */
export function changedRow(ctx: Context, row: DraftRow, cells: Cells): StoredRow {
  const { fields, number } = row
  const given = (name: keyof Cells & keyof RowFields): string | undefined =>
    cells[name] === undefined ? fields[name] : cells[name] || undefined
  // A provider that was predicted is predicted again for another number.
  const isPredicted = fields.isPredicted === true && given('provider') === fields.provider
  const money = moneyOf(ctx, {
    ...present({
      amount: given('amount'),
      currency: given('currency'),
      phoneNumber: given('phoneNumber'),
      provider: isPredicted ? undefined : given('provider'),
    }),
  })
  return stored(ctx, {
    number,
    payoutId: cells.payoutId || row.payoutId,
    fields: {
      ...money,
      ...present({
        customerMessage: given('customerMessage'),
        clientReferenceId: given('clientReferenceId'),
        metadata: fields.metadata,
      }),
    },
  })
}

function moneyOf(
  ctx: Context,
  { amount = '', currency = '', phoneNumber = '', provider = '' }: Cells,
): Pick<RowFields, 'amount' | 'currency' | 'phoneNumber' | 'provider' | 'isPredicted'> {
  const predicted = WRITTEN_NUMBER.test(phoneNumber)
    ? predictProvider(ctx, phoneNumber)
    : 'UNKNOWN_COUNTRY'
  const known = typeof predicted === 'string' ? undefined : predicted
  const digits = phoneNumber.replace(/[+\s()./-]/g, '').replace(/^00/, '')
  const isPredicted = provider === '' && known !== undefined
  return {
    amount: plainAmount(amount),
    currency: currency.toUpperCase(),
    phoneNumber: known?.phoneNumber ?? digits,
    provider: isPredicted ? known.provider : provider.toUpperCase(),
    ...(isPredicted ? { isPredicted } : {}),
  }
}

const stored = (ctx: Context, row: DraftRow): StoredRow => ({
  ...row,
  country: ctx.providers.find(row.fields.provider)?.country,
})

/**
 * For the audit log, which shows an entry to those who see all of its countries. None where the
 * country of a row is unknown: then only people who see all countries see it.
 */
export function countriesOf(ctx: Context, rows: readonly DraftRow[]): readonly string[] {
  const found = rows.map(({ fields }) => ctx.providers.find(fields.provider)?.country)
  const known = found.filter((country) => country !== undefined)
  return known.length < found.length ? [] : [...new Set(known)].toSorted()
}
