import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './service.ts'

/** One figure with what it stands beside. */
export type Row = {
  readonly id: string
  readonly measure: string
  readonly figure: string
  readonly beside: string
  readonly ratio?: number
  readonly bar: string
  readonly met: boolean
}

const START = '<!-- figures -->'
const END = '<!-- end of figures -->'

/** Prints the table; a full run also puts it into docs/benchmarks.md. */
export function writeReport(
  rows: readonly Row[],
  facts: { quick: boolean; flushes: number; machine: string; node: string; write: boolean },
): void {
  const table = [
    `${new Date().toISOString().slice(0, 10)}, ${facts.machine}, Node ${facts.node}, ` +
      `${facts.flushes.toFixed(0)} disk flushes per second${facts.quick ? ' (quick run)' : ''}`,
    '',
    '| Id | Measure | Figure | Beside | Ratio | Bar | Met |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.id} | ${row.measure} | ${row.figure} | ${row.beside} | ` +
        `${row.ratio?.toFixed(2) ?? '–'} | ${row.bar} | ${row.met ? 'yes' : 'no'} |`,
    ),
  ].join('\n')
  process.stdout.write(`${table}\n`)
  if (!facts.write) return
  const file = join(ROOT, 'docs', 'benchmarks.md')
  const text = readFileSync(file, 'utf8')
  const before = text.slice(0, text.indexOf(START) + START.length)
  const after = text.slice(text.indexOf(END))
  writeFileSync(file, `${before}\n${table}\n${after}`)
}
