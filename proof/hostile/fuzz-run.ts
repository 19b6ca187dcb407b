import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startService } from '../../bench/service.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import {
  GROWTH_MAX_MB,
  growthOf,
  memoryFaults,
  memoryReader,
  type Sample,
  samplesOf,
} from './memory.ts'
import { requestOf } from './requests.ts'
import { prepareStage } from './stage.ts'
import { replayOf } from './tally.ts'

const HELP = `npm run fuzz -- [--requests N] [--seed S] [--only NUMBER]

Sends N hostile requests (100000 by default) to a node with an embedded database, both started for
this run, and checks every answer and everything that is stored. The same seed makes the same
requests; --only shows one of them by its number.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const [requests, seed] = [whole('requests', values.requests), whole('seed', values.seed)]
const only = values.only === undefined ? undefined : whole('only', values.only)

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-fuzz-'))
let failed = true
try {
  say(`seed ${seed}, ${requests} requests`)
  const service = await startService(dataDir, [], { MALIPO_LOG_LEVEL: 'error' })
  const stage = await prepareStage(service)
  if (only === undefined) {
    const read = await memoryReader(service.pid, stage.database)
    const readings: Sample[] = []
    const report = await fuzz(stage, {
      requests,
      seed,
      onProgress: (done) => {
        readings.push({ at: done / requests, ...read() })
        if (readings.length % 50 === 0) say(`${done} sent`)
      },
    })
    failed = tell(report, samplesOf(readings))
  } else {
    say(replayOf(requestOf({ ...stage.world, seed }, only)))
    failed = false
  }
  await stage.close()
  await service.stop()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** True where something is wrong. */
function tell(report: FuzzReport, samples: readonly Sample[]): boolean {
  const { broken, accepted, paid, shed, seconds, statuses, operations, rows, faults } = report
  const perSecond = (report.requests / seconds).toFixed(0)
  say(`\n${report.requests} requests in ${seconds.toFixed(0)} s, ${perSecond} per second`)
  say(`${broken} of them broken on the wire; ${accepted} accepted; ${shed} shed with 503`)
  say(`${paid} forms of customers led on to what may be a deposit`)
  for (const generation of ['current', 'earlier', 'page']) {
    const counts = [...statuses].filter(([name]) => name.startsWith(generation)).toSorted()
    say(
      `${generation}: ${counts.map(([name, count]) => `${name.split(' ')[1]} × ${count}`).join(', ')}`,
    )
  }
  const grown = [...rows].filter(([, count]) => count !== 0)
  say(`rows: ${grown.map(([name, count]) => `${name} +${count}`).join(', ')}`)
  for (const [name, count] of operations) {
    const told = [...count.statuses].toSorted().map(([status, times]) => `${status} × ${times}`)
    const { calls, good, done } = count
    say(`  ${name}: ${calls} calls, ${good} good, ${done} done; ${told.join(', ')}`)
  }
  say(`${operations.size} targets called`)
  for (const what of ['node', 'server'] as const) {
    const list = samples.map((one) => one[what].toFixed(0)).join(', ')
    const growth = growthOf(samples, what).toFixed(1)
    say(`memory of the ${what} in MB: ${list}; the line grows by ${growth} of ${GROWTH_MAX_MB}`)
  }
  for (const { what, number, replay } of faults) {
    say(`\nFAULT ${what}`)
    if (number !== undefined) say(`  request ${number} of seed ${seed}`)
    if (replay !== undefined) say(`  ${replay}`)
  }
  const growing = memoryFaults(samples, report.requests)
  for (const what of growing) say(`\nFAULT ${what}`)
  const count = faults.length + growing.length
  say(count === 0 ? '\nno fault' : `\n${count} faults`)
  return count > 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function whole(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  say(`--${name} must be a whole number, not "${text}".`)
  process.exit(2)
}
