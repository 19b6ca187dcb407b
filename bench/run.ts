import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../src/package-root.ts'
import { type Measure, measuresOf, runMeasure } from './measures.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { flushesPerSecond } from './peer.ts'
import { profileNode } from './profile.ts'
import { compareQueues, missingPeer } from './queues.ts'
import { figuresTable, queuesTable, readResults, writeResults } from './report.ts'
import { mergeQueues, mergeRows, type Results, type Row, type Run } from './results.ts'
import { ROOT } from './service.ts'
import { compareTraces } from './traces.ts'

/** The whole of `npm run bench`: the measures asked for, one after the other, and their results. */
const startedAt = performance.now()
const failures: string[] = []

async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`)
    return 2
  }
  if (options.task === 'help') process.stdout.write(HELP)
  if (options.task === 'render') writeResults(readResults())
  if (options.task === 'measure') await measure(options)
  if (options.task === 'queues') await compare(options)
  if (options.task === 'traces') await traces(options)
  if (options.task === 'profile') await profile(options)
  for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`)
  return failures.length === 0 ? 0 : 1
}

/** Failures are reported at the end and do not stop the other measures. */
async function measure({ ids, effort, isStored }: Options): Promise<void> {
  const run = describeRun()
  const rows: Row[] = []
  const measures = measuresOf(ids)
  for (const [at, one] of measures.entries()) {
    const name = one.ids.join(', ')
    note(`${name} (${at + 1} of ${measures.length}) …`)
    const found = await orFailed(name, () => measureOne(one, rows, effort))
    rows.push(...(found ?? []))
    // Stored at once, so that they are kept if the run ends early.
    if (isStored && found !== undefined) store((results) => mergeRows(results, found, run))
  }
  process.stdout.write(`\n${figuresTable(mergeRows(EMPTY, rows, run).rows)}\n`)
  sayWhetherStored(isStored)
}

const measureOne = (one: Measure, rows: readonly Row[], effort: Options['effort']) =>
  runMeasure(one, {
    effort,
    note: (text) => note(`  ${text}`),
    measured: (id) => rows.find((row) => row.id === id),
  })

async function compare({ effort, isStored }: Options): Promise<void> {
  const missing = missingPeer()
  if (missing !== undefined) {
    failures.push(missing)
    return
  }
  const run = describeRun()
  const { rows, failed } = await compareQueues(effort, note)
  failures.push(...failed)
  if (isStored) store((results) => mergeQueues(results, rows, run))
  process.stdout.write(`\n${queuesTable(mergeQueues(EMPTY, rows, run).queues)}\n`)
  sayWhetherStored(isStored)
}

async function traces({ effort, beside }: Options): Promise<void> {
  const text = await orFailed('traces', () => compareTraces(effort, beside, note))
  process.stdout.write(`\n${text ?? ''}`)
}

async function profile({ ids, effort }: Options): Promise<void> {
  const name = ids[0] === 'P6' ? 'P6' : 'P1'
  const text = await orFailed(`profile of ${name}`, () => profileNode(name, effort, note))
  process.stdout.write(`\n${text ?? ''}`)
}

async function orFailed<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    note(`${name} failed: ${message}`)
    failures.push(`${name}: ${message}`)
    return undefined
  }
}

const EMPTY: Results = { rows: [], queues: [] }
const store = (change: (results: Results) => Results): void => writeResults(change(readResults()))

function sayWhetherStored(isStored: boolean): void {
  const text = isStored
    ? 'Stored in docs/benchmarks: results, table and charts.'
    : 'Not stored. A full run is stored, and any other with --save.'
  process.stdout.write(`\n${text}\n`)
}

/** Where this is, and how often its disk can be flushed: what every commit waits for. */
function describeRun(): Run {
  note('disk flush probe …')
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const flushes = flushesPerSecond(folder)
  rmSync(folder, { recursive: true })
  return {
    date: new Date().toISOString().slice(0, 10),
    version: versionMeasured(),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    flushesPerSecond: Math.round(flushes),
  }
}

/** Between two versions, what is measured is on its way to the next one. */
function versionMeasured(): string {
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [, next] = /^## Unreleased \((.+)\)$/m.exec(changes) ?? []
  return next === undefined ? VERSION : `before ${next}`
}

/** One line of progress, with the minutes and seconds since the start. */
function note(text: string): void {
  const seconds = Math.floor((performance.now() - startedAt) / 1000)
  const clock = [Math.floor(seconds / 60), seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  process.stderr.write(`[${clock.join(':')}] ${text}\n`)
}

process.exitCode = await main()
