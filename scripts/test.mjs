// Runs the tests: builds, starts one PostgreSQL for all files, and ends with "N passed, N failed".
// Arguments are folders or parts of file names; none means everything.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { startTestDatabase } from './test-database.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)

const files = readdirSync(join(root, 'test'), { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .toSorted()

/** Loading the product takes longer than many a file of tests; these share a process with others. */
const SHARING = /^test\/(api|bench|domain|providers|signing|web|wire)\//
const FILES_IN_A_PROCESS = 6
/** These begin first, beside quick ones, so that none of them is left over at the end. */
const LONG =
  /^test\/browser\/|crash|histories|statement|simulation|takeover|drain|operations\/start/

/** The files overlap, so the time of one is from its first to its last word. */
const seen = new Map()

buildIfNeeded()
const server = await startDatabase(files)
const totals = await runAll()
await server?.stop()
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)

/** The files as node runs them: one by one, or several as the suites of one program. */
function programs() {
  const folder = join(root, 'dist/test-groups')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const built = (name) => join(root, 'dist', name.replace(/\.ts$/, '.js'))
  const sharing = files.filter((name) => SHARING.test(name))
  const groups = []
  for (let at = 0; at < sharing.length; at += FILES_IN_A_PROCESS) {
    const suites = sharing.slice(at, at + FILES_IN_A_PROCESS).map((name) => {
      const [label, file] = [JSON.stringify(name), JSON.stringify(built(name))]
      return `describe(${label}, () => (last = last.then(() => import(${file}))))\n`
    })
    const group = join(folder, `${groups.length + 1}.js`)
    // One after the other: each starts a service, and a transaction must not stand still for long.
    const head = `import { describe } from 'node:test'\nlet last = Promise.resolve()\n`
    writeFileSync(group, head + suites.join(''))
    groups.push(group)
  }
  const alone = files.filter((name) => !SHARING.test(name))
  const long = alone.filter((name) => LONG.test(name)).map(built)
  const short = [...groups, ...alone.filter((name) => !LONG.test(name)).map(built)]
  return short
    .flatMap((name, at) => [...long.slice(at, at + 1), name])
    .concat(long.slice(short.length))
}

/** Pure tests need no server; those that do find it through the environment. */
async function startDatabase(names) {
  const isPure = (name) => /test\/(architecture|bench|domain|signing|outbound|web)\b/.test(name)
  return names.every(isPure) ? undefined : startTestDatabase()
}

function follow(file) {
  // Tests that a helper makes carry the helper's name.
  if (!file?.endsWith('.test.js')) return
  const now = performance.now()
  const known = seen.get(file)
  if (known !== undefined) known.last = now
  else {
    seen.set(file, { first: now, last: now })
    console.log(`[${seen.size}/${files.length}] ${labelOf(file)}`)
  }
}

function tellSlowest() {
  const spans = [...seen].map(([file, { first, last }]) => ({
    file,
    seconds: (last - first) / 1000,
  }))
  const slowest = spans.toSorted((a, b) => b.seconds - a.seconds).slice(0, 15)
  if (files.length < 20) return
  console.log('The files that took longest:')
  for (const { file, seconds } of slowest) {
    console.log(`${seconds.toFixed(0).padStart(5)} s  ${labelOf(file)}`)
  }
}

function labelOf(file) {
  return file.replace(`${root}dist/`, '').replace(/\.js$/, '')
}

async function runAll() {
  let passed = 0
  let failed = 0
  const stream = run({ files: programs(), concurrency: 3, timeout: 600_000 })
  for await (const { type, data } of stream) {
    if (type === 'test:pass' || type === 'test:fail' || type === 'test:start') follow(data.file)
    const isSuite = data?.details?.type === 'suite'
    if (type === 'test:pass' && !isSuite && !isFile(data)) passed += 1
    if (type === 'test:fail') {
      // What fails because of its tests is counted by them; what fails by itself is not.
      const cause = data.details.error?.cause
      if (data.details.error?.failureType !== 'subtestsFailed') {
        failed += 1
        console.log(`FAIL  ${data.name} (${labelOf(data.file ?? '')})`)
        console.log(cause?.stack ?? cause ?? data.details.error)
      }
    }
    if (type === 'test:stderr') process.stderr.write(data.message)
  }
  tellSlowest()
  return { passed, failed }
}

function isFile(data) {
  return data.nesting === 0 && data.name.startsWith(root)
}
