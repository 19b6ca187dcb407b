import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postDeposits } from './burst.ts'
import type { Effort } from './options.ts'
import { type Area, areasOf, type CpuProfile, IDLE } from './profile-areas.ts'
import { byModule } from './profile-modules.ts'
import { type BenchService, drained, startService } from './service.ts'
import { liveFor } from './whole-lives.ts'
import { whole } from './words.ts'

/** The load of P1 or P6 on a node that is being profiled, and where its time went. */
const LOADS = {
  P1: {
    name: 'accepted deposits',
    run: async (service: BenchService, seconds: number) =>
      (await postDeposits(service, 0, seconds)).accepted,
  },
  P6: {
    name: 'whole lives',
    run: async (service: BenchService, seconds: number) => (await liveFor(service, seconds)).lives,
  },
}

export async function profileNode(
  id: keyof typeof LOADS,
  { seconds, warmUpSeconds }: Effort,
  note: (text: string) => void,
): Promise<string> {
  const { name, run } = LOADS[id]
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const profiles = join(folder, 'profiles')
  try {
    const flags = ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profiles}`]
    const service = await startService(join(folder, 'data'), flags)
    note(`warming up for ${warmUpSeconds} s …`)
    await run(service, warmUpSeconds)
    await drained(service, 120)
    note(`${name} for ${seconds} s …`)
    const from = nowUs()
    const count = await run(service, seconds)
    const to = nowUs()
    await drained(service, 120)
    // The profile is written when the process ends.
    await service.stop()
    const heading = `${whole(count)} ${name} in ${((to - from) / 1e6).toFixed(1)} s`
    const tables = readProfiles(profiles).map((profile, at) =>
      tableOf(areasOf(profile, from, to), `Thread ${at + 1}: ${heading}`, count),
    )
    return tables.join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The clock of the profile, which all processes of the machine share. */
const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

/** One for each thread, the main one first. */
function readProfiles(folder: string): readonly CpuProfile[] {
  const files = readdirSync(folder).toSorted((a, b) => a.localeCompare(b))
  if (files.length === 0) throw new Error('the node left no profile behind')
  return files.map((file) =>
    byModule(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile),
  )
}

function tableOf(areas: readonly Area[], heading: string, count: number): string {
  const all = areas.reduce((sum, { ms }) => sum + ms, 0)
  const busy = all - (areas.find(({ area }) => area === IDLE)?.ms ?? 0)
  const lines = areas.map(({ area, ms }) => {
    const share = area === IDLE ? '–' : `${((100 * ms) / busy).toFixed(1)} %`
    return `| ${area} | ${share} | ${((ms * 1000) / count).toFixed(1)} |`
  })
  return [
    `${heading}; the thread was busy ${((100 * busy) / all).toFixed(0)} % of the time.`,
    '',
    '| Area | Share of busy time | Microseconds for each |',
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}
