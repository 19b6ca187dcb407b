import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { it } from 'node:test'
import { COMMANDS } from '../src/commands.ts'
import { VARIABLES } from '../src/config.ts'
import { FAILURE_CODES } from '../src/domain/failure.ts'
import { sandboxEndpoints } from '../src/http/sandbox.ts'
import { createMetrics } from '../src/metrics.ts'
import { GENERAL_ENDINGS } from '../src/providers/sandbox/stories.ts'
import type { Context } from '../src/usecases/context.ts'
import { ROOT } from './operations/program.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The cells of every table row whose first cell is code. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )

const plain = (cell = ''): string => cell.replaceAll('`', '')

/** The part of a document under one heading. */
const chapter = (text: string, heading: string): string => {
  const start = text.indexOf(`\n## ${heading}\n`)
  assert.ok(start >= 0, heading)
  const rest = text.slice(start + heading.length + 5)
  const end = rest.indexOf('\n## ')
  return end < 0 ? rest : rest.slice(0, end)
}

it('the configuration page is the table of settings in the code', () => {
  const table = read('docs/configuration.md').split('## Notes')[0] ?? ''
  assert.deepEqual(
    rowsOf(table).map(([name, meaning]) => [plain(name), meaning]),
    Object.entries(VARIABLES),
  )
})

it('the metrics page names every metric with its type and labels', () => {
  const metrics = createMetrics()
  metrics.onAnswer('GET /', 200, 0)
  metrics.measure.payment('accepted')
  metrics.measure.callback('delivered', 1)
  const text = metrics.text({
    paymentsHeld: 0,
    callbacksHeld: 0,
    queueAgeSeconds: 0,
    isJoined: true,
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

it('every failure code is explained: what happened, the money, the payer, the retry', () => {
  const text = read('docs/failure-codes.md')
  for (const [heading, where] of [
    ['Refused requests', 'request'],
    ['Failed payments', 'payment'],
  ] as const) {
    const rows = rowsOf(chapter(text, heading))
    assert.deepEqual(
      rows.map(([code]) => plain(code)),
      Object.entries(FAILURE_CODES)
        .filter(([, place]) => place === where)
        .map(([code]) => code),
    )
    for (const row of rows) {
      assert.equal(row.length, 5, row[0])
      assert.ok(
        row.every((cell) => cell.length > 1),
        row[0],
      )
    }
  }
})

it('the sandbox page has the endings of numbers as the simulator tells them', () => {
  const [deposits = '', payouts = ''] = chapter(
    read('docs/sandbox.md'),
    'Phone numbers decide the outcome',
  ).split('Payouts (')
  for (const [text, table] of [
    [deposits, GENERAL_ENDINGS.DEPOSIT],
    [payouts, GENERAL_ENDINGS.PAYOUT],
  ] as const) {
    const documented = rowsOf(text).map(([digits, ending]) => [plain(digits), ending])
    assert.deepEqual(Object.fromEntries(documented), table)
  }
})

it('the sandbox page names every control', () => {
  // Only the descriptions are looked at; a description needs no context.
  const controls = sandboxEndpoints({} as Context)
  assert.deepEqual(
    rowsOf(chapter(read('docs/sandbox.md'), 'Controls')).map(([name]) => plain(name)),
    controls.map(({ method, path }) => `${method} ${path}`),
  )
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
      Object.entries(command.options).map(([name, { value, summary }]) => [
        `--${name}${value === undefined ? '' : ` <${value}>`}`,
        summary,
      ]),
    )
  }
})

it('the layer table of ARCHITECTURE.md is the one that the architecture test holds', () => {
  const source = read('test/architecture.test.ts')
  const block = /MAY_IMPORT[^{]*\{\n(.*?)\n\}/s.exec(source)?.[1] ?? ''
  const held = [...block.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(([, layer, list = '']) => [
    layer,
    list.replaceAll("'", '') || '–',
  ])
  assert.ok(held.length > 5)
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

const SKIPPED = /^(node_modules|dist|data|\.git)(\/|$)/

function documents(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (SKIPPED.test(path)) return []
    if (entry.isDirectory()) return documents(path)
    return path.endsWith('.md') ? [path] : []
  })
}

it('every relative link in a document resolves', () => {
  const files = documents()
  assert.ok(files.length > 15)
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

it('every source file that a document names exists', () => {
  const missing = documents().flatMap((file) =>
    [...read(file).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|sql|json))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !/NNNN/.test(path))
      .filter((path) => !['', 'src'].some((base) => existsSync(join(ROOT, base, path))))
      .map((path) => `${relative('', file)}: ${path}`),
  )
  assert.deepEqual(missing, [])
})
