/** Tables that people made with a spreadsheet: RFC 4180, with the separator that theirs writes. */
export type CsvFault = 'NOT_TEXT' | 'QUOTES'

/** Spreadsheets of countries with a decimal comma write semicolons; a pasted selection has tabs. */
const SEPARATORS = [',', ';', '\t'] as const

/** Rows of cells, the heading among them; a blank line is a row without cells. */
export function readCsv(given: string): readonly (readonly string[])[] | CsvFault {
  const text = given.replace(/^\uFEFF/, '')
  // U+FFFD stands where the bytes were no UTF-8.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text)) return 'NOT_TEXT'
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quoted(text, at) : plain(text, at, separator)
    if (cell === undefined) return 'QUOTES'
    row.push(cell.value.trim())
    at = cell.end
    if (text[at] === separator) {
      at += 1
      // A separator at the very end is followed by an empty cell.
      if (at === text.length) row.push('')
      else continue
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') return 'QUOTES'
    at += text.startsWith('\r\n', at) ? 2 : 1
    rows.push(row.every((one) => one === '') ? [] : row)
    row = []
  }
  return rows
}

type Cell = { readonly value: string; readonly end: number }

function quoted(text: string, start: number): Cell | undefined {
  let value = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    at = quote + 2
  }
}

function plain(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') {
    end += 1
  }
  return { value: text.slice(start, end), end }
}

/** The one that the heading has most of. */
function separatorOf(text: string): string {
  const heading = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  const countIn = (separator: string): number => heading.split(separator).length
  return SEPARATORS.reduce((best, one) => (countIn(one) > countIn(best) ? one : best))
}
