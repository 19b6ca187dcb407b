// Runs the tests: builds, starts one PostgreSQL for all files, and ends with "N passed, N failed".
// Arguments are folders or parts of file names; none means everything.
import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { measureStolen } from './stolen-time.mjs'
import { startTestDatabase } from './test-database.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)

const files = readdirSync(join(root, 'test'), { recursive: true })
  .filter((name) => name.endsWith(process.env.MALIPO_TEST_SUFFIX ?? '.test.ts'))
  .map((name) => join('test', name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .toSorted()

/** These need no database. */
const PURE = /^test\/(architecture|bench|domain|signing|outbound|web)\b/
/** These measure or change their process; the others share some, because loading takes long. */
const ALONE = /^test\/browser\/|memory|outbound\/request/
/** These mostly wait for processes that they start: some run beside those that are busy. */
const WAITING = /^test\/(cluster|node|proof)\/|cli\/listen|store\/(embedded|migrations)/
const PROCESSES = { waiting: 3, busy: 3 }
/** The longest of them begin first, so that no process is left with one at the end. */
const LONGEST = ['browser/sandbox', 'browser/waiting', 'takeover-of-the-living', 'browser/paying']
/** A process that reports nothing for so long hangs, on however slow a machine. */
const SILENCE_MS = 600_000

/**
 * Nodes take each other for dead after seconds of silence. If the host takes this much of the
 * processors away, they fall silent for no fault of their own: a file that fails then runs again.
 */
const STOLEN_TOO_MUCH = 0.2
const TRIES = 3

const totals = { passed: 0, failed: 0 }
/** Seconds by file, as they were measured in its process. */
const durations = new Map()
/** How often each of those had failed that run again. */
const voided = new Map()
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
  const isWaiting = (name) => WAITING.test(name) && !isAlone(name)
  const isLong = (name) => LONGEST.some((part) => name.includes(part))
  const waits = [...files.filter(isAlone), ...files.filter(isWaiting)]
  const waiting = [...waits.filter(isLong), ...waits.filter((name) => !isLong(name))]
  const busy = files.filter((name) => !waiting.includes(name))
  const places = (count, ...queues) =>
    Array.from({ length: count }, () => runIn(queues, (name) => queues[0].push(name)))
  await Promise.all([
    ...places(PROCESSES.waiting, waiting, busy),
    ...places(PROCESSES.busy, busy, waiting),
  ])
}

function isAlone(name) {
  return ALONE.test(name) || voided.has(name)
}

/** Takes files from the first queue, then from the other, until there are none. */
async function runIn(queues, runAgain) {
  const left = () => queues.find((queue) => queue.length > 0)
  const next = () => left()?.[0]
  for (let name = next(); name !== undefined; name = next()) {
    if (isAlone(name)) {
      const names = [left().shift()]
      await runProcess(() => names.shift(), runAgain)
    } else {
      await runProcess(() => (isAlone(next() ?? '') ? undefined : left()?.shift()), runAgain)
    }
  }
}

/** Runs files in a process of their own, as it asks for them, and counts what its reporter sends. */
function runProcess(nextFile, runAgain) {
  return new Promise((resolve) => {
    const open = new Set()
    const begun = []
    let failures = 0
    /** Of the file that runs, until it is clear that they count. */
    let passes = 0
    let faults = []
    let stolen = measureStolen()
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
      passes += passed ?? 0
      if (failure !== undefined) faults.push(failure)
      if (file === undefined) return
      const isVoid = open.delete(file) && isToRunAgain(file, faults, stolen())
      if (isVoid) {
        failures += faults.length
        runAgain(file)
      } else {
        totals.passed += passes
        for (const { name, file: of, why } of faults) fail(`${name} (${of})`, why)
        if (begun.includes(file)) reportFile(file, seconds)
      }
      ;[passes, faults, stolen] = [0, [], measureStolen()]
    })
    child.on('close', (code, signal) => {
      clearTimeout(watchdog)
      totals.passed += passes
      for (const { name, file, why } of faults) fail(`${name} (${file})`, why)
      const end = signal === null ? `ended with ${code}` : `was ended by ${signal}`
      if (open.size > 0) fail([...open].join(', '), `The process ${end} before these had run.`)
      else if (code !== 0 && failures === 0) fail(begun.join(', '), `The process ${end}.`)
      resolve()
    })
  })
}

/** Whether a file that failed was kept from running; otherwise its failures count. */
function isToRunAgain(file, faults, stolen) {
  const times = (voided.get(file) ?? 0) + 1
  if (faults.length === 0 || stolen < STOLEN_TOO_MUCH || times >= TRIES) return false
  voided.set(file, times)
  const percent = Math.round(stolen * 100)
  console.log(
    `${file} runs again: the host took ${percent} % of the processors while these failed:`,
  )
  for (const { name, why } of faults) console.log(`  ${name}: ${why.split('\n')[0]}`)
  return true
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

/** Of this process and all that it started and saw end; Linux alone tells. */
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
  return ticks / 100
}
