/** Tables for machines and for spreadsheets (RFC 4180). */
export type CsvStyle = {
  /** Cells that a spreadsheet would take for a formula are guarded, and a byte-order mark leads. */
  readonly isForSpreadsheets: boolean
  /** French spreadsheets expect a semicolon. */
  readonly separator: ',' | ';'
}

export const FOR_MACHINES: CsvStyle = { isForSpreadsheets: false, separator: ',' }

export const csvStart = ({ isForSpreadsheets }: CsvStyle): string =>
  isForSpreadsheets ? '\ufeff' : ''

/** `numbers`: cells at these places are numbers of ours, and a minus sign is one. */
export function csvLine(
  cells: readonly string[],
  style: CsvStyle,
  numbers: ReadonlySet<number> = NONE,
): string {
  const written = cells.map((cell, at) =>
    quoted(numbers.has(at) ? cell : guarded(cell, style), style),
  )
  return `${written.join(style.separator)}\r\n`
}

const NONE: ReadonlySet<number> = new Set()

/** A leading apostrophe makes it text; machines get the value as it is. */
const guarded = (cell: string, { isForSpreadsheets }: CsvStyle): string =>
  isForSpreadsheets && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell

const quoted = (cell: string, { separator }: CsvStyle): string =>
  /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell
