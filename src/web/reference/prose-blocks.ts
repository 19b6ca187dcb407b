/**
 * The part of Markdown that descriptions and guides use: headings, paragraphs, lists, tables,
 * fenced code, pictures. Parsed to data first: navigation and search need it before anything is
 * rendered.
 */
export type ProseBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly text: string; readonly source: string }

type Item = readonly ProseBlock[]
type Row = readonly string[]

/** Gives a heading its anchor; an empty answer leaves the heading without one. */
export type ClaimId = (name: string) => string

export function parseProse(text: string, claimId: ClaimId = () => ''): readonly ProseBlock[] {
  const blocks: ProseBlock[] = []
  let lines: readonly string[] = text.replaceAll('\r\n', '\n').split('\n')
  while (lines.length > 0) {
    const [first = ''] = lines
    if (first.trim() === '' || COMMENT.test(first)) {
      lines = lines.slice(1)
      continue
    }
    const length = lengthOfBlock(lines)
    blocks.push(blockOf(lines.slice(0, length), claimId))
    lines = lines.slice(length)
  }
  return blocks
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/
const BULLET = /^\s*[-*]\s+/
const NUMBER = /^\s*\d+[.)]\s+/
const FENCE = /^\s*```/
const COMMENT = /^<!--.*-->$/
const PICTURE = /^!\[([^\]]*)\]\(([^)\s]+)\)$/

function lengthOfBlock(lines: readonly string[]): number {
  const [first = ''] = lines
  if (FENCE.test(first)) {
    const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
    return end === -1 ? lines.length : end + 1
  }
  if (HEADING.test(first)) return 1
  const isList = BULLET.test(first) || NUMBER.test(first)
  const end = lines.findIndex(
    (line, index) => index > 0 && endsBlock(line, isList, lines[index + 1]),
  )
  return end === -1 ? lines.length : end
}

/** What is indented below an item belongs to it, also after an empty line. */
function endsBlock(line: string, isInList: boolean, next = ''): boolean {
  if (COMMENT.test(line)) return true
  if (line.trim() === '') return !(isInList && /^ {2,}\S/.test(next))
  if (isInList && line.startsWith('  ')) return false
  if (HEADING.test(line) || FENCE.test(line)) return true
  return !isInList && BULLET.test(line)
}

function blockOf(lines: readonly string[], claimId: ClaimId): ProseBlock {
  const [first = ''] = lines
  const heading = HEADING.exec(first)
  if (heading !== null) {
    const [, hashes = '', text = ''] = heading
    return { kind: 'heading', level: hashes.length, text, id: claimId(text) }
  }
  if (FENCE.test(first)) {
    const body = lines.slice(1).filter((line) => !FENCE.test(line))
    return { kind: 'code', text: body.join('\n') }
  }
  if (BULLET.test(first) || NUMBER.test(first)) return listOf(lines)
  if (isTable(lines)) return tableOf(lines)
  const text = lines.map((line) => line.trim()).join(' ')
  const [, words, source] = PICTURE.exec(text) ?? []
  if (words !== undefined && source !== undefined) return { kind: 'picture', text: words, source }
  return { kind: 'paragraph', text }
}

function listOf(lines: readonly string[]): ProseBlock {
  const isOrdered = NUMBER.test(lines[0] ?? '')
  const mark = isOrdered ? /^\d+[.)]\s+/ : /^[-*]\s+/
  const items: string[][] = []
  for (const line of dedent(lines)) {
    const own = items.at(-1)
    if (own === undefined || mark.test(line)) items.push([line.replace(mark, '')])
    else own.push(line)
  }
  return { kind: 'list', isOrdered, items: items.map(itemOf) }
}

function itemOf([first = '', ...more]: readonly string[]): Item {
  return parseProse([first, ...dedent(more)].join('\n'))
}

/** Takes away the indentation that all lines share. */
function dedent(lines: readonly string[]): readonly string[] {
  const full = lines.filter((line) => line.trim() !== '')
  const shared = Math.min(...full.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(shared))
}

function isTable(lines: readonly string[]): boolean {
  return (lines[0] ?? '').includes('|') && /^[\s|:-]+$/.test(lines[1] ?? '') && lines.length > 1
}

function tableOf(lines: readonly string[]): ProseBlock {
  const [head = [], , ...rows] = lines.map(cellsOf)
  return { kind: 'table', head, rows }
}

function cellsOf(line: string): Row {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
}

/** Its words alone, for search and for names. */
export function plainText(block: ProseBlock): string {
  if (block.kind === 'list') return block.items.flat().map(plainText).join(' ')
  if (block.kind === 'table') return withoutMarks([block.head, ...block.rows].flat().join(' '))
  return block.kind === 'code' ? block.text : withoutMarks(block.text)
}

export function withoutMarks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)\s]+\)/g, '$1').replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '')
}
