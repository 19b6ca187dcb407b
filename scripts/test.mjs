// Runs the tests: builds, starts one PostgreSQL for all files, and ends with "N passed, N failed".
// Arguments are folders or parts of file names; none means everything.
import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { startTestDatabase } from './test-database.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)

const files = readdirSync(join(root, 'test'), { recursive: true })
  .filter((name) => name.endsWith(process.env.MALIPO_TEST_SUFFIX ?? '.test.ts'))
  .map((name) => join('test', name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .toSorted()

/** These need no database. */
const PURE = /^test\/(architecture|bench|domain|signing|outbound|web|workers)\b/
/** These measure or change their process; the others share some, because loading takes long. */
const ALONE = /^test\/browser\/|memory|outbound\/request|callbacks\/thread-end/
/** These mostly wait for processes that they start: some run beside those that are busy. */
const WAITING =
  /^test\/(cluster|node|proof)\/|cli\/listen|clients\/(testing-kit|example-suites)|store\/(embedded|migrations)/
const PROCESSES = { waiting: 3, moving: 1, busy: 2 }
/** These move the clock of a service that they share. Kept together, few processes need such a one. */
const MOVES_CLOCK = /shareService\('moving clock'\)/
/** The longest begin first, so that no process is left with one at the end. */
const LONGEST = [
  'browser/',
  'proof/simulation',
  'sandbox/clock',
  'dashboard/home',
  'people/roles',
  'cluster/takeover.',
  'payments/enqueued-races',
  'statements/statements',
  'node/start',
]
/** A process that reports nothing for so long hangs, on however slow a machine. */
const SILENCE_MS = 600_000

const totals = { passed: 0, failed: 0 }
/** Seconds by file, as they were measured in its process. */
const durations = new Map()
/** Processor seconds by file, of its process alone: not of PostgreSQL, nodes or browsers it uses. */
const processor = new Map()

buildIfNeeded()
if (files.some((name) => name.startsWith('test/browser/'))) await ensureBrowser()
const server = files.every((name) => PURE.test(name)) ? undefined : await startTestDatabase()
await runAll()
await server?.stop()
if (files.length > 20) reportCosts()
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)

async function runAll() {
  const isAlone = (name) => ALONE.test(name)
  const isWaiting = (name) => WAITING.test(name) && !isAlone(name)
  const isLong = (name) => LONGEST.some((part) => name.includes(part))
  const longestFirst = (names) => [
    ...names.filter(isLong),
    ...names.filter((name) => !isLong(name)),
  ]
  const waiting = longestFirst([...files.filter(isAlone), ...files.filter(isWaiting)])
  const rest = files.filter((name) => !waiting.includes(name))
  const moves = (name) => MOVES_CLOCK.test(readFileSync(join(root, name), 'utf8'))
  const moving = longestFirst(rest.filter(moves))
  const busy = longestFirst(rest.filter((name) => !moving.includes(name)))
  const places = (count, ...queues) => Array.from({ length: count }, () => queues)
  const all = [
    ...places(PROCESSES.busy, busy, waiting, moving),
    ...places(PROCESSES.moving, moving, busy, waiting),
    ...places(PROCESSES.waiting, waiting, busy, moving),
  ]
  // To start one takes seconds of processor time, so none for which there is no file.
  await Promise.all(all.slice(0, files.length).map(runIn))
}

/** Takes files from the first queue, then from the others, until there are none. */
async function runIn(queues) {
  const left = () => queues.find((queue) => queue.length > 0)
  const next = () => left()?.[0]
  for (let name = next(); name !== undefined; name = next()) {
    if (ALONE.test(name)) {
      const names = [left().shift()]
      await runProcess(() => names.shift())
    } else {
      await runProcess(() => (ALONE.test(next() ?? '') ? undefined : left()?.shift()))
    }
  }
}

/** Runs files in a process of their own, as it asks for them, and counts what its reporter sends. */
function runProcess(nextFile) {
  return new Promise((resolve) => {
    const open = new Set()
    const begun = []
    let failures = 0
    const child = fork(join(root, 'scripts/test-process.mjs'), {
      execArgv: [
        '--max-semi-space-size=32',
        '--test-reporter',
        join(root, 'scripts/test-reporter.mjs'),
      ],
    })
    const fail = (what, why) => {
      failures += 1
      totals.failed += 1
      console.log(`FAIL  ${what}\n${why}`)
    }
    let watchdog
    const watch = () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
    }
    watch()
    child.on('message', (message) => {
      watch()
      const { isReady, passed, failure, warning, file, seconds, used, processorSeconds } = message
      if (isReady) {
        const name = nextFile()
        if (name !== undefined) {
          open.add(name)
          begun.push(name)
        }
        child.send({ name })
      }
      if (used !== undefined) processor.set(used, processorSeconds)
      if (warning !== undefined) console.log(warning)
      totals.passed += passed ?? 0
      if (failure !== undefined) fail(`${failure.name} (${failure.file})`, failure.why)
      if (file !== undefined && open.delete(file)) reportFile(file, seconds)
    })
    child.on('close', (code, signal) => {
      clearTimeout(watchdog)
      const end = signal === null ? `ended with ${code}` : `was ended by ${signal}`
      if (open.size > 0) fail([...open].join(', '), `The process ${end} before these had run.`)
      else if (code !== 0 && failures === 0) fail(begun.join(', '), `The process ${end}.`)
      resolve()
    })
  })
}

function reportFile(file, seconds) {
  durations.set(file, seconds)
  console.log(`[${durations.size}/${files.length}] ${file} ${seconds.toFixed(1)} s`)
}

function reportCosts() {
  const slowest = [...durations].toSorted(([, one], [, other]) => other - one).slice(0, 15)
  console.log('The files that took longest:')
  for (const [file, seconds] of slowest) {
    const busy = (processor.get(file) ?? 0).toFixed(1).padStart(5)
    console.log(`${seconds.toFixed(1).padStart(6)} s, busy ${busy} s  ${file}`)
  }
  const seconds = processorSeconds()
  if (seconds !== undefined) console.log(`Processor time: ${seconds.toFixed(0)} s`)
}

/** Of this process and all that it started and saw end; only Linux has it. */
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
  return ticks / 100
}
