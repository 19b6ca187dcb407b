import type { Bench } from './bench.ts'
import { CONNECTIONS } from './burst.ts'
import type { LivesResult } from './lives.ts'
import type { Row } from './results.ts'
import { type BenchService, control, drained, runProgram } from './service.ts'
import { whole } from './words.ts'

/** P4, P6 and P10: from the request to the acknowledged callback. */
const RECEIVER_PORT = 19_411
const UNDER_WAY = 512

/** P4: one life at a time. */
export async function measureIdle(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const result = await live(service, {
    connections: 1,
    window: 1,
    seconds: 60,
    lives: bench.effort.idleLives,
  })
  return [
    {
      id: 'P4',
      measure: 'accept to signed callback received, idle, operator delay 0',
      figures: [
        { name: 'p50', value: result.p50Ms, unit: 'ms', under: 10 },
        { name: 'p90', value: result.p90Ms, unit: 'ms' },
        { name: 'p99', value: result.p99Ms, unit: 'ms', under: 25 },
      ],
      bar: 'p50 under 10 ms, p99 under 25 ms',
      met: result.p50Ms < 10 && result.p99Ms < 25,
    },
  ]
}

/** P6 and P10: sustained load, and what it writes. */
export async function measureLives(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { livesSeconds, warmUpSeconds } = bench.effort
  await liveFor(service, warmUpSeconds)
  await drained(service, 60)
  const before = await walPosition(service)
  const result = await liveFor(service, livesSeconds)
  if (result.missing > 0) throw new Error(`${result.missing} callbacks never arrived`)
  await drained(service, 60)
  const bytes = ((await walPosition(service)) - before) / result.lives
  const accepted = bench.measured('P1')?.figures[0]
  if (accepted === undefined) {
    throw new Error(
      `${whole(result.perSecond)} whole lives per second and ${whole(bytes)} bytes for each, ` +
        'but P1 of the same run failed, so there is nothing to compare them with',
    )
  }
  return [livesRow(result, accepted.value, livesSeconds), walRow(bytes)]
}

function livesRow(result: LivesResult, accepted: number, seconds: number): Row {
  const ratio = result.perSecond / accepted
  return {
    id: 'P6',
    measure: `whole lives per second over ${seconds} s, at most ${UNDER_WAY} under way`,
    figures: [
      { name: '', value: result.perSecond, unit: '/s' },
      { name: 'first half', value: result.firstHalfPerSecond, unit: '/s' },
      { name: 'second half', value: result.secondHalfPerSecond, unit: '/s' },
      { name: 'p50', value: result.p50Ms, unit: 'ms' },
      { name: 'p99', value: result.p99Ms, unit: 'ms' },
    ],
    beside: { name: 'P1', value: accepted, unit: '/s' },
    ratio,
    bar: 'at least 0.25; aim 0.4',
    met: ratio >= 0.25,
  }
}

const walRow = (bytes: number): Row => ({
  id: 'P10',
  measure: 'write-ahead log per whole life, during P6',
  figures: [{ name: '', value: bytes, unit: 'bytes' }],
  bar: 'under 4096 bytes',
  met: bytes < 4096,
})

export const liveFor = (service: BenchService, seconds: number): Promise<LivesResult> =>
  live(service, { connections: CONNECTIONS, window: UNDER_WAY, seconds, lives: 1e9 })

async function live(service: BenchService, job: object): Promise<LivesResult> {
  await control(service, '/sandbox/callbacks', {
    deposit: `http://127.0.0.1:${RECEIVER_PORT}/callbacks`,
  })
  const result = await runProgram<LivesResult>('lives', {
    port: service.port,
    token: service.token,
    receiverPort: RECEIVER_PORT,
    ...job,
  })
  await control(service, '/sandbox/callbacks', { deposit: null })
  return result
}

async function walPosition(service: BenchService): Promise<number> {
  const [row] = await service.query<{ position: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
  )
  return Number(row?.position)
}
