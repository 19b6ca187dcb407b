/** Tables for machines and for spreadsheets (RFC 4180). */
export type CsvStyle = {
  /** Cells that a spreadsheet would take for a formula are guarded, and a byte-order mark leads. */
  readonly isForSpreadsheets: boolean
  /** French spreadsheets expect a semicolon. */
  readonly separator: ',' | ';'
}

export const csvStart = ({ isForSpreadsheets }: CsvStyle): string =>
  isForSpreadsheets ? '\ufeff' : ''

export function csvLine(cells: readonly string[], style: CsvStyle): string {
  return `${cells.map((cell) => quoted(guarded(cell, style), style)).join(style.separator)}\r\n`
}

/** A leading apostrophe makes it text; machines get the value as it is. */
const guarded = (cell: string, { isForSpreadsheets }: CsvStyle): string =>
  isForSpreadsheets && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell

const quoted = (cell: string, { separator }: CsvStyle): string =>
  /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell
