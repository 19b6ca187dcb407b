import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartsOf } from './charts.ts'
import {
  type Figure,
  QUEUE_WORKS,
  type QueueRow,
  type Results,
  type Row,
  type Stored,
} from './results.ts'
import { ROOT } from './service.ts'
import { besideOf, figuresOf, runLines, whole } from './words.ts'

/** Reads and writes docs/benchmarks: results, and from them the table, the charts and the figures under sizing. */
const DOCUMENT = 'docs/benchmarks.md'
const SIZING = 'docs/operating/sizing.md'
export const FOLDER = 'docs/benchmarks'
const RESULTS = `${FOLDER}/results.json`

export const readResults = (): Results =>
  JSON.parse(readFileSync(join(ROOT, RESULTS), 'utf8')) as Results

export function writeResults(results: Results): void {
  mkdirSync(join(ROOT, FOLDER), { recursive: true })
  for (const [file, text] of filesOf(results)) writeFileSync(join(ROOT, file), text)
}

/** Every file that follows from the results, by its path. */
export function filesOf(results: Results): ReadonlyMap<string, string> {
  return new Map([
    [RESULTS, `${JSON.stringify(results, null, 2)}\n`],
    [DOCUMENT, documentOf(results, readFileSync(join(ROOT, DOCUMENT), 'utf8'))],
    [SIZING, sizingOf(results.rows, readFileSync(join(ROOT, SIZING), 'utf8'))],
    ...chartsOf(results).map(({ name, svg }) => [`${FOLDER}/${name}.svg`, svg] as const),
  ])
}

function documentOf(results: Results, document: string): string {
  const links = chartsOf(results).map(({ name, alt }) => ({
    name,
    link: `![${alt}](benchmarks/${name}.svg)`,
  }))
  const ofQueues = links.filter(({ name }) => name.startsWith('queues'))
  const others = links.filter((one) => !ofQueues.includes(one))
  const figures = [figuresTable(results.rows), ...others.map(({ link }) => link)]
  const queues = [queuesTable(results.queues), ...ofQueues.map(({ link }) => link)]
  return between(between(document, 'figures', figures), 'queues', queues)
}

const SIZING_UNITS = new Map<string, (figure: Figure) => string>([
  ['a second', ({ value }) => whole(value)],
  ['MB idle', ({ value }) => whole(value)],
  ['kB a payment', ({ value }) => (value / 1000).toFixed(1)],
])

/** Sets the numbers of sizing: those before one of the units and, in the same cell, the id of a measure. */
export function sizingOf(rows: readonly Row[], document: string): string {
  let result = document
  for (const [unit, text] of SIZING_UNITS) {
    const cell = new RegExp(`[\\d,.]+( ${unit}\\b[^|]*?\\((P\\d+)\\))`, 'g')
    result = result.replace(cell, (_, rest: string, id: string) => {
      const figure = rows.filter((row) => row.id === id).at(-1)?.figures[0]
      if (figure === undefined) throw new Error(`${SIZING} names ${id}, which is not measured`)
      return `${text(figure)}${rest}`
    })
  }
  return result
}

function between(document: string, name: string, parts: readonly string[]): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} lacks ${start} or ${end}`)
  return `${document.slice(0, from + start.length)}\n${parts.join('\n\n')}\n${document.slice(to)}`
}

export function figuresTable(rows: readonly Stored<Row>[]): string {
  const head = ['Id', 'Measure', 'Figure', 'Beside', 'Ratio', 'Bar', 'Met', 'Measured']
  const lines = rows.map((row) => [
    row.id,
    row.measure,
    figuresOf(row),
    besideOf(row),
    ratioOf(row),
    row.bar,
    row.met ? 'yes' : 'no',
    measured(row),
  ])
  return [...table(head, lines), '', ...runLines(rows.map(({ run }) => run))].join('\n')
}

/** The one that counts, and those of all rounds in their order. */
function ratioOf({ ratio, rounds = [] }: Row): string {
  if (ratio === undefined) return '–'
  const all = rounds.map((round) => round.ratio.toFixed(2))
  return all.length < 2 ? ratio.toFixed(2) : `${ratio.toFixed(2)} (${all.join(' · ')})`
}

export function queuesTable(rows: readonly Stored<QueueRow>[]): string {
  if (rows.length === 0) return 'Not measured yet: `npm run bench -- queues --save`.'
  const head = ['Work', 'Library', 'Per second', 'Rounds', 'Settings', 'Measured']
  const lines = rows.map((row) => [
    QUEUE_WORKS[row.work],
    `${row.library} ${row.version}`,
    whole(row.perSecond),
    row.rounds.map(whole).join(' · '),
    row.settings,
    measured(row),
  ])
  return [...table(head, lines), '', ...runLines(rows.map(({ run }) => run))].join('\n')
}

const measured = ({ run }: Stored<object>): string => `${run.date}, ${run.version}`

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
