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
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .toSorted()

/** These need no database. */
const PURE = /^test\/(architecture|bench|domain|signing|outbound|web)\b/
/** These measure or change their process, or mostly wait for processes that they start. */
const ALONE = /^test\/(browser|cluster|hostile|node|proof)|memory|outbound\/request/
/** The others share processes, because loading the product costs more than most of them do. */
const FILES_IN_A_PROCESS = 24
const PROCESSES_AT_ONCE = 3
/** These begin first, so that none of them is left over at the end. */
const LONG =
  /^test\/browser\/|storm|lost-answers|crash-points|simulation|takeover|drain|memory|start/
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
await runAll(programs())
await server?.stop()
if (files.length > 20) reportCosts()
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)

/** Which files share a process: each list is one. The longest come first. */
function programs() {
  const alone = files.filter((name) => ALONE.test(name))
  const sharing = files.filter((name) => !ALONE.test(name))
  const count = Math.ceil(sharing.length / FILES_IN_A_PROCESS)
  // Files of a folder take about the same time; dealing them out makes the groups alike.
  const groups = Array.from({ length: count }, (_, at) =>
    sharing.filter((_name, index) => index % count === at),
  )
  const isLong = ([name]) => LONG.test(name)
  const single = alone.map((name) => [name])
  return [...single.filter(isLong), ...groups, ...single.filter((one) => !isLong(one))]
}

async function runAll(queue) {
  const takeTurns = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runProgram(next)
  }
  await Promise.all(Array.from({ length: PROCESSES_AT_ONCE }, takeTurns))
}

/** Runs some files in a process of their own, and counts what its reporter sends. */
function runProgram(names) {
  return new Promise((resolve) => {
    const open = new Set(names)
    let failures = 0
    const child = fork(join(root, 'scripts/test-process.mjs'), names, {
      execArgv: ['--test-reporter', join(root, 'scripts/test-reporter.mjs')],
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
    child.on('message', ({ passed, failure, warning, file, seconds, used, processorSeconds }) => {
      watch()
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
      else if (code !== 0 && failures === 0) fail(names.join(', '), `The process ${end}.`)
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

/** Of this process and all that it started and saw end; Linux alone tells. */
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
  return ticks / 100
}
