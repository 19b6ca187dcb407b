/**
 * The part of Markdown that descriptions use: headings, paragraphs, lists, tables, fenced code.
 * Parsed to data first, because the navigation needs the headings before anything is rendered.
 */
export type ProseBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly text: string }

type Row = readonly string[]

/** Gives a heading its anchor; an empty answer leaves the heading without one. */
export type ClaimId = (name: string) => string

export function parseProse(text: string, claimId: ClaimId = () => ''): readonly ProseBlock[] {
  const blocks: ProseBlock[] = []
  let lines: readonly string[] = text.replaceAll('\r\n', '\n').split('\n')
  while (lines.length > 0) {
    const [first = ''] = lines
    if (first.trim() === '') {
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

function lengthOfBlock(lines: readonly string[]): number {
  const [first = ''] = lines
  if (FENCE.test(first)) {
    const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
    return end === -1 ? lines.length : end + 1
  }
  if (HEADING.test(first)) return 1
  const isInList = BULLET.test(first) || NUMBER.test(first)
  const end = lines.findIndex((line, index) => index > 0 && endsBlock(line, isInList))
  return end === -1 ? lines.length : end
}

function endsBlock(line: string, isInList: boolean): boolean {
  if (line.trim() === '' || HEADING.test(line) || FENCE.test(line)) return true
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
  return { kind: 'paragraph', text: lines.map((line) => line.trim()).join(' ') }
}

function listOf(lines: readonly string[]): ProseBlock {
  const isOrdered = NUMBER.test(lines[0] ?? '')
  const mark = isOrdered ? NUMBER : BULLET
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line) || items.length === 0) items.push(line.replace(mark, '').trim())
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  return { kind: 'list', isOrdered, items }
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
