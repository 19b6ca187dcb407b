import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chartsOf } from '../../bench/charts.ts'
import { MEASURES, readOptions } from '../../bench/options.ts'
import { areasOf } from '../../bench/profile-areas.ts'
import { byModule } from '../../bench/profile-modules.ts'
import { FOLDER, figuresTable, filesOf, readResults, sizingOf } from '../../bench/report.ts'
import {
  mergeQueues,
  mergeRows,
  QUEUE_WORKS,
  type QueueRow,
  type QueueWork,
  type Results,
  type Row,
  type Run,
} from '../../bench/results.ts'
import { PACKAGE_ROOT } from '../../src/package-root.ts'

const read = (file: string): string => readFileSync(join(PACKAGE_ROOT, file), 'utf8')

const RUN: Run = {
  date: '2026-01-02',
  version: '9.9.9',
  machine: 'a <machine>',
  node: 'v20',
  flushesPerSecond: 1000,
}
const LATER: Run = { ...RUN, date: '2026-02-03' }
const EMPTY: Results = { rows: [], queues: [] }

const row = (id: string, value: number, measure = 'a measure'): Row => ({
  id,
  measure,
  figures: [{ name: '', value, unit: '/s' }],
  bar: 'none',
  met: true,
})

const queueRow = (library: string, work: QueueWork, perSecond: number): QueueRow => ({
  library,
  version: '1.2.3',
  work,
  perSecond,
  rounds: [perSecond],
  settings: 'pool 10',
})

it('table, charts and sizing in docs are made from the stored results', () => {
  const files = filesOf(readResults())
  for (const [file, text] of files) {
    assert.equal(read(file), text, `${file}: run "npm run bench -- --render"`)
  }
  const made = [...files.keys()].filter((file) => file.startsWith(`${FOLDER}/`))
  assert.deepEqual(
    readdirSync(join(PACKAGE_ROOT, FOLDER)).toSorted(),
    made.map((file) => file.slice(FOLDER.length + 1)).toSorted(),
  )
})

it('saving sets the figures under sizing, each by the id behind it', () => {
  const rows = mergeRows(EMPTY, [row('P1', 1234.5), row('P10', 2562)], RUN).rows
  const before =
    '| burst | 9 a second for nine seconds (P1) | 500 a second |\n| WAL | 9.9 kB a payment (P10) |'
  assert.equal(
    sizingOf(rows, before),
    '| burst | 1,235 a second for nine seconds (P1) | 500 a second |\n| WAL | 2.6 kB a payment (P10) |',
  )
  assert.throws(() => sizingOf(rows, '| 5 a second (P6) |'), /names P6, which is not measured/)
  const sizing = read('docs/operating/sizing.md')
  for (const words of ['a second[^|]*', 'kB a payment ', 'MB idle ']) {
    assert.match(sizing, new RegExp(`${words}\\(P\\d+\\)`))
  }
})

it('every stored row belongs to a measure and says where and when', () => {
  const { rows, queues } = readResults()
  const known: readonly string[] = MEASURES
  for (const { id, figures } of rows) {
    assert.ok(known.includes(id), id)
    assert.ok(figures.length > 0, id)
  }
  for (const { run } of [...rows, ...queues]) {
    assert.match(run.date, /^\d{4}-\d\d-\d\d$/)
    assert.match(run.version, /^(before )?\d+\.\d+\.\d+/)
    assert.match(run.node, /^v\d+/)
    assert.ok(run.machine.length > 0)
  }
})

it('a chart describes its figures in text, follows the colours of the reader and loads nothing', () => {
  const works = Object.keys(QUEUE_WORKS) as QueueWork[]
  const compared = works.map((work, at) => queueRow('a & b', work, 1000 * (at + 1)))
  const charts = chartsOf(mergeQueues(readResults(), compared, RUN))
  assert.deepEqual(
    charts.map(({ name }) => name),
    ['rates', 'latency', 'growth', 'growth-list', 'queues-stored', 'queues-worked'],
  )
  for (const { name, svg } of charts) {
    assert.match(svg, /role="img" aria-labelledby="title description"/, name)
    assert.match(
      svg,
      /<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/,
      name,
    )
    assert.match(svg, /prefers-color-scheme: dark/, name)
    assert.doesNotMatch(svg, /NaN|undefined|Infinity|&(?!amp;|lt;|gt;)/, name)
    assert.doesNotMatch(svg, /href|url\(|@import|<script/, name)
    const description = /<desc[^>]*>([^<]+)</.exec(svg)?.[1] ?? ''
    const drawn = [...svg.matchAll(/<text[^>]*>([\d.,]+(?:\/s| ms))\b/g)].map(([, label]) => label)
    for (const label of drawn) assert.ok(description.includes(label ?? ''), `${name}: ${label}`)
  }
})

it('a measure that is repeated replaces its own rows and leaves the others with their date', () => {
  const first = mergeRows(
    EMPTY,
    [row('P10', 1), row('P9', 2, 'start'), row('P9', 3, 'memory')],
    RUN,
  )
  const { rows } = mergeRows(first, [row('P9', 4, 'start'), row('P1', 5)], LATER)
  assert.deepEqual(
    rows.map(({ id, run, figures }) => [id, run.date, figures[0]?.value]),
    [
      ['P1', LATER.date, 5],
      ['P9', LATER.date, 4],
      ['P10', RUN.date, 1],
    ],
  )
  const table = figuresTable(rows)
  assert.match(table, /^\| P10 .* \| 2026-01-02, 9\.9\.9 \|$/m)
  assert.match(table, /^\| P1 .* \| 2026-02-03, 9\.9\.9 \|$/m)
})

it('the comparison is listed work by work, the fastest first', () => {
  const before = [queueRow('slow', 'enqueue', 10), queueRow('fast', 'work', 5)]
  const { queues } = mergeQueues(
    mergeQueues(EMPTY, before, RUN),
    [queueRow('fast', 'enqueue', 20), queueRow('slow', 'enqueue', 11)],
    LATER,
  )
  assert.deepEqual(
    queues.map(({ library, work, perSecond }) => [library, work, perSecond]),
    [
      ['fast', 'enqueue', 20],
      ['slow', 'enqueue', 11],
      ['fast', 'work', 5],
    ],
  )
})

it('only full runs are stored by default, and quick ones never', () => {
  const of = (...args: string[]) => readOptions(args)
  assert.deepEqual([of().task, of().ids, of().isStored], ['measure', MEASURES, true])
  assert.deepEqual([of('--quick').isStored, of('--seconds', '1').isStored], [false, false])
  const some = of('--only', 'P1,p3', '--save')
  assert.deepEqual([some.ids, some.isStored], [['P1', 'P3'], true])
  assert.deepEqual([of('P4').ids, of('P4').isStored], [['P4'], false])
  assert.deepEqual([of('queues').task, of('queues').isStored], ['queues', false])
  const traces = of('traces', '--beside', '../earlier')
  assert.deepEqual([traces.task, traces.beside, traces.isStored], ['traces', '../earlier', false])
  assert.deepEqual([of('--profile', 'P6').task, of('--profile', 'P6').ids], ['profile', ['P6']])
  assert.throws(() => of('--quick', '--save'), /not stored/)
  assert.throws(() => of('P8'), /no measure 'P8'. There are P1, P2/)
  assert.throws(() => of('--profile', 'P3'), /takes P1 or P6/)
  assert.throws(() => of('--seconds', 'ten'), /a number above 0, not 'ten'/)
  assert.throws(() => of('queues', 'P1'), /a run of its own/)
})

it('a profile gives time without an area of its own to the nearest caller that has one', () => {
  const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
    id,
    callFrame: { functionName, url },
    children,
  })
  const nodes = [
    frame(1, '(root)', '', [2, 3, 4, 5]),
    frame(2, '(idle)', ''),
    frame(3, 'onStreamRead', 'node:internal/stream_base_commons', [6]),
    frame(4, 'parserOnIncoming', 'node:_http_server', [7]),
    frame(5, '(garbage collector)', ''),
    frame(6, 'parse', 'file:///x/node_modules/pg-protocol/dist/parser.js', [8]),
    frame(7, 'sign', 'file:///x/dist/src/signing/keys.js', [9]),
    frame(8, 'slice', ''),
    frame(9, 'signOneShot', 'node:internal/crypto/sig'),
  ]
  const samples = [2, 8, 9, 3, 5, 2]
  const timeDeltas = [1000, 1000, 2000, 3000, 4000, 5000]
  const areas = areasOf({ nodes, startTime: 0, samples, timeDeltas }, 1500, 12_000)
  assert.deepEqual(areas, [
    { area: 'garbage collection', ms: 5 },
    { area: 'Node itself: sockets, timers, promises', ms: 4 },
    { area: 'signing', ms: 3 },
    { area: 'driver of PostgreSQL', ms: 2 },
  ])
})

it('a profile of the joined program names the modules that it was compiled from', () => {
  const lines = read('dist/program/main.js').split('\n')
  const lineNumber = lines.findIndex((line) => line.includes('function runCli('))
  const url = pathToFileURL(join(PACKAGE_ROOT, 'dist/program/main.js')).href
  const frame = { id: 1, callFrame: { functionName: 'runCli', url, lineNumber } }
  const { nodes } = byModule({ nodes: [frame], startTime: 0, samples: [], timeDeltas: [] })
  assert.deepEqual(
    nodes.map(({ callFrame }) => fileURLToPath(callFrame.url)),
    [join(PACKAGE_ROOT, 'dist/src/cli/main.js')],
  )
})

it('the libraries to compare with are pinned, apart from the product, and name no host', () => {
  const peers = JSON.parse(read('bench/peers/package.json'))
  const product = JSON.parse(read('package.json'))
  for (const [name, version] of Object.entries<string>(peers.dependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
    if (name !== 'pg') assert.ok(!JSON.stringify(product).includes(`"${name}"`), name)
  }
  assert.doesNotMatch(read('bench/peers/package-lock.json'), /"resolved"/)
})
