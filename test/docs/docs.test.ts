import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { optionLabel } from '../../src/cli/command-kit.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { RETRY_DELAYS_MS } from '../../src/domain/callbacks/callback.ts'
import { CONNECTIONS } from '../../src/domain/client-timing.ts'
import { VARIABLES } from '../../src/node/config.ts'
import { createMetrics } from '../../src/node/metrics.ts'
import { CHECKS } from '../../src/store/verify/books.ts'
import { ROOT } from '../node/program.ts'
import { MAY_IMPORT } from '../support/layers.ts'
import { chapter, documents, plain, read, rowsOf } from './documents.ts'

it('the configuration page is the table of settings in the code', () => {
  const table = read('docs/configuration.md').split('## Notes')[0] ?? ''
  assert.deepEqual(
    rowsOf(table).map(([name, meaning]) => [plain(name), meaning]),
    Object.entries(VARIABLES),
  )
})

it('the configuration page states the limits of time that connections have', () => {
  const text = read('docs/configuration.md').replace(/\s+/g, ' ')
  const { headersWithinMs, requestWithinMs, keepAliveMs, silentMs } = CONNECTIONS
  for (const part of [
    `Request headers must arrive within ${headersWithinMs / 1000} seconds`,
    `the whole request within ${requestWithinMs / 1000},`,
    `An idle connection is kept for ${keepAliveMs / 1000} seconds`,
    `reads nothing of its answer for ${silentMs / 1000} seconds`,
  ]) {
    assert.ok(text.includes(part), part)
  }
})

it('the metrics page names every metric with its type and labels', () => {
  const metrics = createMetrics()
  metrics.onAnswer('GET /', 200, 0)
  metrics.measure.payment('accepted')
  metrics.measure.callback('delivered', 1, undefined)
  metrics.operators.exchange('mtn-zambia', 'submit', 'PENDING', 1, undefined)
  metrics.operators.alert('mtn-zambia')
  const text = metrics.text({
    paymentsHeld: 0,
    callbacksHeld: 0,
    queueAgeSeconds: 0,
    isJoined: true,
    openBreakers: 0,
    pausedEndpoints: 0,
    callbackAgeSeconds: 0,
    operators: [
      {
        account: 'mtn-zambia',
        isResting: false,
        floats: [{ currency: 'ZMW', stated: 1, difference: 0, ageSeconds: 1 }],
      },
    ],
    cases: { CONTRADICTION: { open: 0, oldestMs: 0 } },
  })
  const labelsOf = (name: string): string => {
    const found = new RegExp(`^${name}(?:_count|)\\{(.*)\\}`, 'm').exec(text)?.[1] ?? ''
    const names = [...found.matchAll(/(\w+)="/g)].map(([, label]) => label)
    return names.length === 0 ? '–' : names.map((label) => `\`${label}\``).join(', ')
  }
  const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [
    name,
    type,
    labelsOf(name),
  ])
  const documented = rowsOf(read('docs/metrics.md')).map(([name, type, labels]) => [
    plain(name),
    type,
    labels,
  ])
  assert.deepEqual(documented.toSorted(), served.toSorted())
})

it('the callbacks page has the delays of the schedule', () => {
  const words = (ms: number): string =>
    ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
  const rows = rowsOf(read('docs/callbacks.md')).filter(([first]) => /^`\d\d?`/.test(first ?? ''))
  assert.deepEqual(
    rows.map(([, delay]) => delay),
    ['at once', ...RETRY_DELAYS_MS.map(words)],
  )
  assert.match(rows.at(-1)?.[0] ?? '', /and later/)
})

it('the commands page has every command with its arguments, summary and options', () => {
  const text = read('docs/commands.md')
  const headings = [...text.matchAll(/^## `malipo (.*)`$/gm)].map(([, heading]) => heading)
  const shown = COMMANDS.map((command) =>
    [command.name, ...(command.arguments ?? []).map((one) => `<${one}>`)].join(' '),
  )
  assert.deepEqual(headings, shown)
  for (const [at, command] of COMMANDS.entries()) {
    const part = chapter(text, `\`malipo ${shown[at]}\``)
    assert.ok(part.includes(`\n${command.summary}.\n`), command.name)
    assert.deepEqual(
      rowsOf(part).map(([option, meaning]) => [plain(option), meaning]),
      Object.entries(command.options).map(([name, option]) => [
        optionLabel(name, option),
        inTable(option.summary),
      ]),
    )
    for (const { summary } of Object.values(command.options)) {
      for (const value of valuesBelow(summary)) assert.ok(part.includes(`\`${value}\``), value)
    }
  }
})

const CELL_MAX = 120

/** A list of values that is too long for a table stands below it. */
const LONG_LIST = /^(.*?): (.*) (\(default .*\))$/

const inTable = (summary: string): string =>
  summary.length > CELL_MAX ? summary.replace(LONG_LIST, '$1, see below $3') : summary

const valuesBelow = (summary: string): readonly string[] =>
  summary.length > CELL_MAX ? (LONG_LIST.exec(summary)?.[2] ?? '').split(', ') : []

it('the commands page shows verify with as many checks as there are', () => {
  const [first, last] = [CHECKS[0], CHECKS.at(-1)]
  const shown = chapter(read('docs/commands.md'), '`malipo verify`')
  assert.ok(shown.includes(`\n  [1/${CHECKS.length}] ${first?.name}: ok\n`))
  assert.ok(shown.includes(`\n  [${CHECKS.length}/${CHECKS.length}] ${last?.name}: ok\n`))
})

it('no cell of a table is too long to read', () => {
  const long = documents().flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => line.slice(1, -1).split(' | '))
      .filter((cell) => cell.trim().length > CELL_MAX && !/^-+$/.test(cell.trim()))
      .map((cell) => `${file}: ${cell.trim().slice(0, 60)}…`),
  )
  assert.deepEqual(long, [])
})

it('the table of slow tests has a row for every file of proofs, and no others', () => {
  const rows = rowsOf(chapter(read('docs/proofs.md'), 'Slow and pages'))
  const named = rows.flatMap(([files = '']) =>
    [...files.matchAll(/`(.+?)`/g)].map(([, file = '']) => file),
  )
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proof.ts'))
    .map((file) => file.slice(0, -'.proof.ts'.length))
  assert.deepEqual(named.filter((file) => file !== 'browser').toSorted(), files.toSorted())
})

it('the layer table of ARCHITECTURE.md is the one that the architecture test holds', () => {
  const held = Object.entries(MAY_IMPORT).map(([layer, list]) => [layer, list.join(', ') || '–'])
  const documented = rowsOf(chapter(read('ARCHITECTURE.md'), 'The layers'))
  assert.deepEqual(
    documented.map(([layer, list]) => [plain(layer), list]),
    held,
  )
})

it('every run-time dependency has its reason on the page of dependencies', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const text = read('docs/decisions/0002-dependencies.md')
  assert.deepEqual(
    rowsOf(text)
      .map(([name]) => plain(name))
      .toSorted(),
    Object.keys(dependencies).toSorted(),
  )
  for (const name of Object.keys(optionalDependencies)) {
    assert.ok(text.includes(`\`${name.replace(/\/.*/, '/*')}\``), name)
  }
})
