import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'
import { exportsOf, passedOnBy, stemOf, takenBy } from './support/exports.ts'
import { MAY_IMPORT, mayImport, TREE_MAY_IMPORT } from './support/layers.ts'

/** Words that a folder must not use, each with what to use instead. */
const BANNED: readonly { in: RegExp; word: RegExp; instead: string }[] = [
  { in: /./, word: /\bany\b(?=[\s>,;[\])}]*(=|;|\)|>|,|$))(?<=: any)/, instead: 'a type' },
  { in: /./, word: /@ts-(ignore|expect-error|nocheck)/, instead: 'a type that fits' },
  { in: /./, word: /\benum \w+ \{/, instead: 'a union of literals' },
  // The samples are examples for other programs.
  { in: /^(?!web\/reference\/samples\/)/, word: /console\./, instead: 'the log' },
  {
    // A stand-in is a program of its own, with the clock of its machine.
    in: /^(domain|wire|store|usecases|workers|callbacks|providers)\/(?!.*stand-in\/)/,
    word: /Date\.now\(|new Date\(\)/,
    instead: 'the clock of the context',
  },
  {
    // The test kit starts a service, and passes on the environment of the test suite.
    in: /^(?!node\/config|cli\/(command|start)|store\/embedded\/|web\/reference\/samples\/|sdk\/testing\/child)/,
    word: /process\.env/,
    instead: 'config.ts',
  },
  { in: /^(domain|store)\//, word: /Math\.random|parseFloat/, instead: 'a value handed in' },
  { in: /^(domain|wire|usecases|workers|http|web)\//, word: /from 'pg'/, instead: 'store' },
]

type Source = { readonly name: string; readonly text: string }

const sourcesIn = (folder: string, ending = /\.tsx?$/): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** What the product is made of, named from src. */
const files = sourcesIn('src')

/** All code, named from the root. */
const tree = Object.keys(TREE_MAY_IMPORT).flatMap((folder) =>
  sourcesIn(folder).map(({ name, text }) => ({ name: join(folder, name), text })),
)

/** What other programs import, named from src. */
const packaged = [
  ...JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).exports).matchAll(
    /"\.\/dist\/src\/([^"]*)\.js"/g,
  ),
].map(([, name]) => `${name}.ts`)

/** The folder, or the name of a file that lies loose. */
const layerOf = (name: string): string => /^[^/.]+/.exec(name)?.[0] ?? ''

const IMPORTS = [/^(?:import|export)\b[^'"]*?from '([^']+)'/gms, /\bimport\('([^']+)'\)/g]

const importedBy = (file: Source): string[] =>
  IMPORTS.flatMap((form) => [...file.text.matchAll(form)].map((match) => match[1] ?? ''))

const localImports = (file: Source): string[] =>
  importedBy(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file.name), specifier)))

it('reads the sources it judges', () => {
  assert.ok(files.length > 60)
  assert.ok(files.flatMap(localImports).length > 200)
  assert.ok(tree.flatMap(exportsOf).length > 2000)
  assert.ok(tree.length > files.length + 100)
})

it('every folder of src is a layer of the table', () => {
  const layers = new Set(files.map((file) => layerOf(file.name)))
  assert.deepEqual([...layers].toSorted(), Object.keys(MAY_IMPORT).toSorted())
})

it('every import points down the layers', () => {
  const wrong = files.flatMap((file) =>
    localImports(file)
      .filter((target) => layerOf(file.name) !== layerOf(target))
      .filter((target) => !mayImport(layerOf(file.name)).includes(layerOf(target)))
      .map((target) => `${file.name} -> ${target}`),
  )
  assert.deepEqual(wrong, [])
})

it('src imports no tests, and neither do harness, bench and proof', () => {
  const wrong = tree.flatMap((file) => {
    const own = layerOf(file.name)
    return localImports(file)
      .filter((target) => layerOf(target) !== own)
      .filter((target) => TREE_MAY_IMPORT[own]?.includes(layerOf(target)) !== true)
      .map((target) => `${file.name} -> ${target}`)
  })
  assert.deepEqual(wrong, [])
})

it('no two files of src, harness, bench and proof import each other, however indirectly', () => {
  const graph = new Map(
    tree
      .filter(({ name }) => layerOf(name) !== 'test')
      .map((file) => [file.name, localImports(file)]),
  )
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    assert.ok(!path.includes(name), [...path.slice(path.indexOf(name)), name].join(' -> '))
    if (done.has(name)) return
    for (const target of graph.get(name) ?? []) visit(target, [...path, name])
    done.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
})

it('the two generations never import each other', () => {
  const wrong = files.flatMap((file) => {
    const own = /\/(v\d)\//.exec(file.name)?.[1]
    if (own === undefined) return []
    return localImports(file).filter((target) => {
      const other = /\/(v\d)\//.exec(target)?.[1]
      return other !== undefined && other !== own
    })
  })
  assert.deepEqual(wrong, [])
})

it('the domain imports nothing from outside', () => {
  const wrong = files
    .filter((file) => layerOf(file.name) === 'domain')
    .flatMap((file) => importedBy(file).filter((specifier) => !/^\.\.?\//.test(specifier)))
  assert.deepEqual(wrong, [])
})

it('of http, web takes the types of routes and what pages have in common with the API', () => {
  const taken = files
    .filter((file) => layerOf(file.name) === 'web')
    .flatMap(localImports)
    .filter((target) => layerOf(target) === 'http')
  assert.deepEqual([...new Set(taken)].toSorted(), [
    'http/admission-control.ts',
    'http/bodies.ts',
    'http/endpoint.ts',
    'http/openapi.ts',
    'http/pages.ts',
    'http/payment-record.ts',
  ])
})

it('outbound takes nothing but its limits of time from the domain', () => {
  const taken = files
    .filter((file) => layerOf(file.name) === 'outbound')
    .flatMap(localImports)
    .filter((target) => layerOf(target) === 'domain')
  assert.deepEqual([...new Set(taken)], ['domain/timing.ts'])
})

it('every file is imported by another, or is the command line, or what the package exports', () => {
  const imported = new Set([...files.flatMap(localImports), ...packaged])
  const lonely = files.map((file) => file.name).filter((name) => !imported.has(name))
  assert.deepEqual(lonely, ['cli/main.ts'])
})

it('no file exports what no other file imports', () => {
  const scripts = sourcesIn('scripts', /\.mjs$/).map(({ name, text }) => ({
    name: join('scripts', name),
    text,
  }))
  const taken = new Set([...tree, ...scripts].flatMap(takenBy))
  const entries = ['cli/main.ts', ...packaged].map((name) => join('src', name))
  const isEntry = ({ name }: Source): boolean => entries.includes(name)
  const open = new Set([...entries.map(stemOf), ...tree.filter(isEntry).flatMap(passedOnBy)])
  const idle = tree
    .filter(({ name }) => !open.has(stemOf(name)))
    .flatMap(exportsOf)
    .filter((exported) => !taken.has(exported))
  assert.deepEqual(idle, [])
})

it('no banned word is used', () => {
  const found = files.flatMap((file) =>
    BANNED.filter((rule) => rule.in.test(file.name) && rule.word.test(file.text)).map(
      (rule) => `${file.name}: ${rule.word} (use ${rule.instead})`,
    ),
  )
  assert.deepEqual(found, [])
})

/** Files whose times are their own: all others take theirs from the tables of `domain`. */
const OWN_TIMES: readonly RegExp[] = [
  /^domain\/(?:\w+-)?timing\.ts$/,
  // How an operator works is a fact about it. A stand-in is a program of its own.
  /^providers\/[\w-]+\//,
  // Other programs import these, which import nothing of the service.
  /^(?:sdk|signing)\//,
  // The samples are examples for other programs.
  /^web\/reference\/samples\//,
  // The past of the demo is a made-up story.
  /^cli\/demo\/(?!fill\.ts)/,
]

/** They are named as times, and are in no table, each for a reason. */
const STAYS: Readonly<Record<string, string>> = {
  'cli/demo/fill.ts: ANSWER_S': 'the story of the demo',
  'cli/demo/fill.ts: MOMENT_S': 'the story of the demo',
  'cli/demo/fill.ts: REFUNDED_WITHIN_S': 'the story of the demo',
  'domain/callbacks/callback.ts: RETRY_WINDOW_MS': 'it ends the schedule beside it',
  'domain/operators/breaker.ts: NEVER_MS': 'so far away that it never comes',
  'store/engine/saturation.ts: RATE_OVER_MS': 'how much of the past an average counts',
  'wire/v2/remittances.ts: EARLIEST_ZONE_MS': 'how far ahead clocks of people can be',
  'workers/lanes.ts: PACE_OVER_MS': 'how much of the past an average counts',
}

/** Units, lists (schedules and scales), and what is worked out from a table are no times of a file. */
const UNIT = /^(?:MINUTE|HOUR|DAY)_/
const LIST = /^\[/
const FROM_TABLE =
  /\b(?:NODE_TIMING|LIMITS|LIFETIMES|UPKEEP|EMBEDDED|CONNECTIONS|PAGES|COMMAND_TIMING)\./

const TIME = /^(?:export )?const (\w+_(?:MS|SECONDS|S))\b[^=]*=\s*(.*)/gm
const TIMER = /\b(setTimeout|setInterval|sleep|pause|timeout)\(/g

/** What stands between the bracket before and the one that closes it, comma by comma. */
function argumentsAt(text: string, from: number): string[] {
  const found = ['']
  for (let at = from, depth = 0; at < text.length && depth >= 0; at += 1) {
    const char = text.charAt(at)
    if ('([{'.includes(char)) depth += 1
    if (')]}'.includes(char)) depth -= 1
    if (char === ',' && depth === 0) found.push('')
    else found.push((found.pop() ?? '') + char)
  }
  return found.map((argument) => argument.replace(/\)$/, '').trim())
}

/** Times that a file names itself, and timers that it sets for a number. */
function timesIn({ name, text }: Source): string[] {
  if (OWN_TIMES.some((one) => one.test(name))) return []
  const named = [...text.matchAll(TIME)]
    .filter(([, time = '', value = '']) => {
      return !UNIT.test(time) && !LIST.test(value) && !FROM_TABLE.test(value)
    })
    .map(([, time]) => `${name}: ${time}`)
  const set = [...text.matchAll(TIMER)]
    .filter((match) =>
      argumentsAt(text, match.index + match[0].length).some((one) => /^[\d_.*+ -]*\d$/.test(one)),
    )
    .map(([, timer]) => `${name}: ${timer} for a number`)
  return [...named, ...set]
}

// Ages of cached pages, defaults of settings and limits of the API in minutes or days are no waits, and scripts of
// pages have their own: none of them is looked at.
it('constants and timers of the program take their time from the tables of the domain', () => {
  assert.deepEqual(files.flatMap(timesIn).toSorted(), Object.keys(STAYS))
})

it('a time that is elsewhere is found', () => {
  const text = [
    'const DAY_MS = 86_400_000',
    'const WAIT_MS = 5000',
    'export const SWEEP_SECONDS: number = 2 * 60',
    'const PAUSES_MS: readonly number[] = [',
    'const KEPT_SECONDS = LIFETIMES.keptMs / 1000',
    'setTimeout(() => go(1, 2), LIMITS.goMs)',
    'setTimeout(',
    '  () => { go(3) },',
    '  2 * 1_000,',
    ')',
    'await sleep(20)',
    'setInterval(go, everyMs).unref()',
  ].join('\n')
  const found = timesIn({ name: 'http/some.ts', text })
  assert.deepEqual(
    found.map((one) => one.replace('http/some.ts: ', '')),
    ['WAIT_MS', 'SWEEP_SECONDS', 'setTimeout for a number', 'sleep for a number'],
  )
  assert.deepEqual(timesIn({ name: 'providers/wave/profile.ts', text }), [])
})

it('no file of src is longer than 300 lines', () => {
  const long = files
    .map((file) => ({ name: file.name, lines: file.text.split('\n').length }))
    .filter(({ lines }) => lines > 300)
  assert.deepEqual(long, [])
})

it('no folder of code holds more than 30 files', () => {
  const counts = Object.keys(TREE_MAY_IMPORT)
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    ])
    .map((folder) => {
      const entries = readdirSync(folder, { withFileTypes: true })
      return { folder, count: entries.filter((entry) => entry.isFile()).length }
    })
  assert.deepEqual(
    counts.filter(({ count }) => count > 30),
    [],
  )
})
