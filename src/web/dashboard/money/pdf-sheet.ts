/** Pages of A4 with rows in columns. Text stays text, so that it can be selected and searched. */
const MARGIN = 40
const PAGE = { width: 595.28, height: 841.89 }
const BOTTOM = PAGE.height - MARGIN - 24
const ROW = 15
const FULL = PAGE.width - 2 * MARGIN
const LABEL = 114

type Doc = PDFKit.PDFDocument

/** Where a column begins and how wide it is. */
export type Column = { readonly x: number; readonly width: number; readonly isNumber?: true }

export type Sheet = ReturnType<typeof createSheet>

/** `footer` gets the number of the page. `header` is drawn on each page but the first. */
export function createSheet(
  doc: Doc,
  columns: readonly Column[],
  parts: { readonly footer: (page: number) => readonly [string, string]; readonly header: Row },
) {
  let y = 0
  let pages = 0
  const put = (text: string, { x, width, isNumber }: Column): void => {
    // A number is never shortened, however long it is.
    const shown = isNumber ? printable(text) : fitted(doc, printable(text), width)
    const start = isNumber ? x + width - doc.widthOfString(shown) : x
    doc.text(shown, start, y, { lineBreak: false })
  }
  const row: DrawRow = (cells, isBold = false) => {
    doc.font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    cells.forEach((cell, at) => {
      const column = columns[at]
      if (column !== undefined && cell !== '') put(cell, column)
    })
    y += ROW
  }
  const header = (): void => {
    row(parts.header, true)
    const line = y - 4
    doc
      .moveTo(MARGIN, line)
      .lineTo(PAGE.width - MARGIN, line)
      .lineWidth(0.5)
      .stroke('#999999')
  }
  const addPage = (): void => {
    doc.addPage({ size: 'A4', margin: 0 })
    pages += 1
    doc.font('Helvetica').fontSize(8).fillColor('black')
    y = PAGE.height - MARGIN
    const [left, right] = parts.footer(pages)
    put(left, { x: MARGIN, width: FULL - 80 })
    put(right, { x: PAGE.width - MARGIN - 80, width: 80, isNumber: true })
    y = MARGIN
  }
  return {
    doc,
    row,
    header,
    addPage,
    title: (text: string): void => {
      doc.font('Helvetica-Bold').fontSize(16)
      put(text, { x: MARGIN, width: FULL })
      doc.font('Helvetica').fontSize(8)
      y += 28
    },
    /** A line over the whole width. */
    line: (text: string, isBold = false): void => {
      doc.font(isBold ? 'Helvetica-Bold' : 'Helvetica')
      put(text, { x: MARGIN, width: FULL })
      y += ROW
    },
    fact: (label: string, value: string): void => {
      doc.font('Helvetica')
      put(label, { x: MARGIN, width: LABEL - 4 })
      put(value, { x: MARGIN + LABEL, width: FULL - LABEL })
      y += ROW
    },
    skip: (): void => {
      y += ROW
    },
    /** A page more where so many rows do not fit on this one. */
    room: (rows: number): void => {
      if (y + rows * ROW <= BOTTOM) return
      addPage()
      header()
    },
  }
}

type Row = readonly string[]
type DrawRow = (cells: Row, isBold?: boolean) => void

function fitted(doc: Doc, text: string, width: number): string {
  if (doc.widthOfString(text) <= width) return text
  let length = text.length
  while (length > 0 && doc.widthOfString(`${text.slice(0, length)}…`) > width) length -= 1
  return `${text.slice(0, length)}…`
}

/**
 * The fonts that every reader has know the letters of Western Europe. Narrow spaces become plain
 * ones that do not break; what they do not know becomes a question mark.
 */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u202f\u2009]/g, '\u00a0')
    .replace(/\u2212/g, '-')
    .replace(
      /[^ -~\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u20ac\u0152\u0153]/gu,
      '?',
    )

/** Whether a text is on paper what it is elsewhere. */
export const isPrintable = (text: string): boolean => printable(text) === text.normalize('NFC')
