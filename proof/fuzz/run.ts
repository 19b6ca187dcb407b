import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../bench/service.ts'
import { prepareStage, type Stage } from '../hostile/stage.ts'
import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'
import { endOnSignals, reportChecked, say } from '../support/report.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import {
  askable,
  growthOf,
  JUDGED_FROM,
  MEASURE_NAMES,
  MEASURES,
  memoryFaults,
  memoryReader,
  type Sample,
  samplesOf,
} from './memory.ts'
import { replayOf, withPlaceholders } from './replay.ts'
import { requestOf } from './requests.ts'

const { numbers, switches, texts } = readOptions(
  helpOf(process.argv.includes('--memory') ? 'memory' : 'fuzz'),
  {
    numbers: { requests: 0, seed: randomInt(2 ** 31) },
    switches: ['memory'],
    texts: ['only'],
  },
)
const { seed } = numbers
const isAboutMemory = switches.has('memory')
const requests = numbers.requests || (isAboutMemory ? JUDGED_FROM : 100_000)
const only = texts.only === undefined ? undefined : Number(texts.only)
endOnSignals()

/** A collection stops the node for a moment. */
const READ_EVERY = 5000
const SAY_EVERY = 10_000

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-fuzz-'))
let failed = true
try {
  say(`seed ${seed}, ${requests} requests`)
  const { file, flags, settings } = askable(dataDir)
  const service = await startService(dataDir, flags, { MALIPO_LOG_LEVEL: 'error', ...settings })
  const stage = await prepareStage(service)
  if (only === undefined) {
    const read = await memoryReader(service.pid, file, stage.database)
    const readings: Sample[] = []
    let reading: Promise<void> | undefined
    const takeReading = (at: number): void => {
      reading ??= read()
        .then((one) => void readings.push({ at, ...one }))
        .finally(() => {
          reading = undefined
        })
    }
    const report = await fuzz(stage, {
      requests,
      seed,
      onProgress: (done) => {
        if (isAboutMemory && done % READ_EVERY === 0) takeReading(done / requests)
        if (done > 0 && done % SAY_EVERY === 0) say(`${done} sent`)
      },
    })
    await reading
    failed = tell(report, samplesOf(readings), stage)
  } else {
    say(`request ${only}, not sent; HOST, TOKEN and the like stand for those of a service of yours`)
    say(withPlaceholders(replayOf(requestOf({ ...stage.world, seed }, only)), stage))
    failed = false
  }
  await stage.close()
  await service.stop()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** True if something is wrong. */
function tell(report: FuzzReport, samples: readonly Sample[], stage: Stage): boolean {
  const { broken, accepted, paid, shed, seconds, statuses, operations, rows, faults } = report
  const { sent, refused, changed } = report.controls
  const perSecond = (report.requests / seconds).toFixed(0)
  say(`\n${report.requests} requests in ${seconds.toFixed(0)} s, ${perSecond} per second`)
  say(`${broken} of them broken on the wire; ${accepted} accepted; ${shed} shed with 503`)
  say(`${paid} customer forms may have started a deposit`)
  say(`${sent} controls called one by one: ${refused} refused, ${changed} changed something`)
  for (const generation of ['current', 'earlier', 'page']) {
    const counts = [...statuses].filter(([name]) => name.startsWith(generation)).toSorted()
    say(
      `${generation}: ${counts.map(([name, count]) => `${name.split(' ')[1]} × ${count}`).join(', ')}`,
    )
  }
  const grown = [...rows].filter(([, count]) => count !== 0)
  say(`rows: ${grown.map(([name, count]) => `${name} +${count}`).join(', ')}`)
  for (const [name, count] of operations) {
    const statuses = [...count.statuses].toSorted().map(([status, times]) => `${status} × ${times}`)
    const { calls, good, done } = count
    say(`  ${name}: ${calls} calls, ${good} good, ${done} done; ${statuses.join(', ')}`)
  }
  say(`${operations.size} targets called`)
  for (const what of isAboutMemory ? MEASURE_NAMES : []) {
    const { name, maxMb } = MEASURES[what]
    const list = samples.map((one) => one[what].toFixed(0)).join(', ')
    say(
      `${name} in MB: ${list}; the line grows by ${growthOf(samples, what).toFixed(1)} of ${maxMb}`,
    )
  }
  for (const { what, number, replay } of faults) {
    say(`\nFAULT ${what}`)
    if (number !== undefined) say(`  request ${number} of seed ${seed}`)
    if (replay !== undefined) say(`  ${withPlaceholders(replay, stage)}`)
  }
  const growing = isAboutMemory ? memoryFaults(samples, report.requests) : []
  for (const what of growing) say(`\nFAULT ${what}`)
  const count = faults.length + growing.length
  say(count === 0 ? '\nno fault' : `\n${count} faults`)
  reportChecked(`${report.requests} requests to ${operations.size} addresses`)
  return count > 0
}
