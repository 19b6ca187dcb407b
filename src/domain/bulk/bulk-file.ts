import { type CsvFault, readCsv } from '../csv-reader.ts'
import { BULK_LIMITS } from './bulk-payout.ts'

/** The columns of the file; others hold metadata, and are named `metadata.` and a field. */
export const BULK_COLUMNS = [
  'amount',
  'currency',
  'phoneNumber',
  'provider',
  'payoutId',
  'customerMessage',
  'clientReferenceId',
] as const
export type BulkColumn = (typeof BULK_COLUMNS)[number]

const REQUIRED: readonly BulkColumn[] = ['amount', 'currency', 'phoneNumber']
const METADATA_PREFIX = 'metadata.'

/** Why nothing of a file can be read; what is wrong with one row is shown beside it. */
export type FileFault = {
  readonly rule:
    | CsvFault
    | 'EMPTY'
    | 'TOO_LARGE'
    | 'TOO_MANY_ROWS'
    | 'NO_ROWS'
    | 'UNKNOWN_COLUMN'
    | 'COLUMN_TWICE'
    | 'MISSING_COLUMN'
    | 'TOO_MANY_CELLS'
  readonly values?: Readonly<Record<string, string | number>>
}

type FileRow = {
  readonly number: number
  readonly cells: Readonly<Partial<Record<BulkColumn, string>>>
  readonly metadata: readonly { readonly name: string; readonly value: string }[]
}

export function readBulkFile(text: string): readonly FileRow[] | FileFault {
  if (text.trim() === '') return { rule: 'EMPTY' }
  const table = readCsv(text)
  if (typeof table === 'string') return { rule: table }
  const first = table.findIndex((cells) => cells.length > 0)
  const columns = columnsOf(table[first] ?? [])
  if ('rule' in columns) return columns
  const rows: FileRow[] = []
  for (const [at, cells] of table.entries()) {
    if (at <= first || cells.length === 0) continue
    // Empty cells at the end are a habit of spreadsheets.
    if (cells.slice(columns.length).some((cell) => cell !== '')) {
      return { rule: 'TOO_MANY_CELLS', values: { row: at + 1 } }
    }
    if (rows.length === BULK_LIMITS.rows) {
      return { rule: 'TOO_MANY_ROWS', values: { max: BULK_LIMITS.rows } }
    }
    rows.push(rowOf(at + 1, columns, cells))
  }
  return rows.length === 0 ? { rule: 'NO_ROWS' } : rows
}

type Column = { readonly known: BulkColumn } | { readonly field: string }

function columnsOf(heading: readonly string[]): readonly Column[] | FileFault {
  const names = heading.slice(0, heading.findLastIndex((name) => name !== '') + 1)
  const columns: Column[] = []
  const seen = new Set<string>()
  for (const name of names) {
    const column = columnNamed(name)
    if (column === undefined) return { rule: 'UNKNOWN_COLUMN', values: { column: name } }
    const key = 'known' in column ? column.known : METADATA_PREFIX + column.field
    if (seen.has(key)) return { rule: 'COLUMN_TWICE', values: { column: name } }
    seen.add(key)
    columns.push(column)
  }
  const missing = REQUIRED.find((name) => !seen.has(name))
  return missing === undefined ? columns : { rule: 'MISSING_COLUMN', values: { column: missing } }
}

function columnNamed(name: string): Column | undefined {
  const plain = name.toLowerCase()
  if (plain.startsWith(METADATA_PREFIX)) {
    const field = name.slice(METADATA_PREFIX.length).trim()
    return field === '' ? undefined : { field }
  }
  const known = BULK_COLUMNS.find((column) => column.toLowerCase() === plain)
  return known && { known }
}

function rowOf(number: number, columns: readonly Column[], cells: readonly string[]): FileRow {
  const known: Partial<Record<BulkColumn, string>> = {}
  const metadata: { name: string; value: string }[] = []
  for (const [at, column] of columns.entries()) {
    const value = cells[at] ?? ''
    if (value === '') continue
    if ('known' in column) known[column.known] = value
    else metadata.push({ name: column.field, value })
  }
  return { number, cells: known, metadata }
}
