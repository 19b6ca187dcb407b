import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { residentMegabytes, startService } from '../../bench/service.ts'
import { type FuzzReport, fuzz, replayOf } from './fuzz.ts'
import { requestOf } from './requests.ts'
import { prepareStage } from './stage.ts'

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

/** The last tenth may need so much more than the second did. */
const GROWTH_MAX_MB = 60

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-fuzz-'))
let failed = true
try {
  say(`seed ${seed}, ${requests} requests`)
  const service = await startService(dataDir, [], { MALIPO_LOG_LEVEL: 'error' })
  const stage = await prepareStage(service)
  if (only === undefined) {
    const memory: number[] = []
    const report = await fuzz(stage, {
      requests,
      seed,
      onProgress: (done) => {
        if (done < ((memory.length + 1) * requests) / 10) return
        memory.push(residentMegabytes(service.pid))
        say(`${done} sent, the node takes ${memory.at(-1)?.toFixed(0)} MB`)
      },
    })
    memory.push(residentMegabytes(service.pid))
    failed = tell(report, memory)
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
function tell(report: FuzzReport, memory: readonly number[]): boolean {
  const { broken, accepted, shed, seconds, statuses, rows, faults } = report
  const perSecond = (report.requests / seconds).toFixed(0)
  say(`\n${report.requests} requests in ${seconds.toFixed(0)} s, ${perSecond} per second`)
  say(`${broken} of them broken on the wire; ${accepted} accepted; ${shed} shed with 503`)
  for (const generation of ['current', 'earlier', 'page']) {
    const counts = [...statuses].filter(([name]) => name.startsWith(generation)).toSorted()
    say(
      `${generation}: ${counts.map(([name, count]) => `${name.split(' ')[1]} × ${count}`).join(', ')}`,
    )
  }
  const grown = [...rows].filter(([, count]) => count !== 0)
  say(`rows: ${grown.map(([name, count]) => `${name} +${count}`).join(', ')}`)
  const [warm = 0, end = 0] = [memory[1], memory.at(-1)]
  say(`memory of the node: ${warm.toFixed(0)} MB when warm, ${end.toFixed(0)} MB at the end`)
  for (const { what, number, replay } of faults) {
    say(`\nFAULT ${what}`)
    if (number !== undefined) say(`  request ${number} of seed ${seed}`)
    if (replay !== undefined) say(`  ${replay}`)
  }
  const isGrowing = end > warm + GROWTH_MAX_MB
  if (isGrowing) say(`FAULT memory grew by more than ${GROWTH_MAX_MB} MB`)
  say(faults.length === 0 && !isGrowing ? '\nno fault' : `\n${faults.length} faults`)
  return faults.length > 0 || isGrowing
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function whole(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  say(`--${name} must be a whole number, not "${text}".`)
  process.exit(2)
}
