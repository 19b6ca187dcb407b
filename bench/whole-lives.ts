import type { Bench } from './bench.ts'
import { CONNECTIONS } from './burst.ts'
import type { PostedKind } from './http-client.ts'
import type { LivesResult } from './lives.ts'
import type { Figure, Row } from './results.ts'
import { type BenchService, control, drained, runProgram } from './service.ts'
import { whole } from './words.ts'

/** P4, P6, P10, P11 and P12: from the request to the acknowledged callback. */
const RECEIVER_PORT = 19_411
const UNDER_WAY = 512
/** P11 is measured at this part of P6, which is the most that the machine can do. */
const STEADY = 0.9
/** Of what pgbench commits; slower cores and faster disks make it less on ARM. */
const LIVES_BAR = process.arch === 'arm64' ? 0.28 : 0.35

/** P4: one life at a time. */
export async function measureIdle(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const result = await live(service, {
    kind: 'deposit',
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
        { name: 'p50', value: result.p50Ms, unit: 'ms', under: 5 },
        { name: 'p90', value: result.p90Ms, unit: 'ms' },
        { name: 'p99', value: result.p99Ms, unit: 'ms', under: 20 },
      ],
      bar: 'p50 under 5 ms, p99 under 20 ms',
      met: result.p50Ms < 5 && result.p99Ms < 20,
    },
  ]
}

/** P6, P10, P11 and P12: sustained load, what it writes, at a steady rate, and from one wallet. */
export async function measureLives(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { livesSeconds, warmUpSeconds } = bench.effort
  await liveFor(service, warmUpSeconds)
  await drained(service, 60)
  const before = await walPosition(service)
  const result = await liveFor(service, livesSeconds)
  if (result.missing > 0) throw new Error(`${result.missing} callbacks never arrived`)
  await drained(service, 60)
  const bytes = ((await walPosition(service)) - before) / result.lives
  const commits = bench.measured('P1')?.beside
  if (commits === undefined) {
    throw new Error(
      `${whole(result.perSecond)} whole lives per second and ${whole(bytes)} bytes for each, ` +
        'but P1 of the same run failed, so there is nothing to compare them with',
    )
  }
  const ratePerSecond = STEADY * result.perSecond
  const unbounded = { ...LOAD, window: Number.MAX_SAFE_INTEGER }
  const steady = await live(service, { ...unbounded, seconds: livesSeconds, ratePerSecond })
  await drained(service, 60)
  await setWallet(service, PLENTY)
  const payouts = await live(service, { ...LOAD, kind: 'payout', seconds: livesSeconds })
  return [
    livesRow(result, commits, livesSeconds),
    walRow(bytes),
    steadyRow(steady, result.perSecond, livesSeconds),
    payoutsRow(payouts, result.perSecond, livesSeconds),
  ]
}

const PLENTY = '900000000000'
const setWallet = (service: BenchService, balance: string): Promise<void> =>
  control(service, '/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance })

/** Late ones are what a merchant notices, so they decide. */
function steadyRow(result: LivesResult, lives: number, seconds: number): Row {
  const backlogMs = (1000 * (result.leftOver + result.missing)) / lives
  const ratio = result.perSecond / lives
  return {
    id: 'P11',
    measure: `accepted and delivered per second at a steady rate over ${seconds} s`,
    figures: [
      { name: '', value: result.perSecond, unit: '/s' },
      { name: 'p50', value: result.p50Ms, unit: 'ms' },
      { name: 'p99', value: result.p99Ms, unit: 'ms' },
      { name: 'left over', value: backlogMs, unit: 'ms' },
    ],
    beside: { name: 'P6', value: lives, unit: '/s' },
    ratio,
    bar: `p99 and what is left over under 1 s at ${STEADY} of P6`,
    met: result.p99Ms < 1000 && backlogMs < 1000 && ratio > STEADY - 0.02,
  }
}

function payoutsRow(result: LivesResult, lives: number, seconds: number): Row {
  const ratio = result.perSecond / lives
  return {
    id: 'P12',
    measure: `whole payouts per second over ${seconds} s, all from one wallet`,
    figures: [
      { name: '', value: result.perSecond, unit: '/s' },
      { name: 'p50', value: result.p50Ms, unit: 'ms' },
      { name: 'p99', value: result.p99Ms, unit: 'ms' },
    ],
    beside: { name: 'P6', value: lives, unit: '/s' },
    ratio,
    bar: 'at least 0.9',
    met: ratio >= 0.9 && result.missing === 0,
  }
}

function livesRow(result: LivesResult, commits: Figure, seconds: number): Row {
  const ratio = result.perSecond / commits.value
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
    beside: commits,
    ratio,
    bar: `at least ${LIVES_BAR}; aim 0.5`,
    met: ratio >= LIVES_BAR,
  }
}

const walRow = (bytes: number): Row => ({
  id: 'P10',
  measure: 'write-ahead log per whole life, during P6',
  figures: [{ name: '', value: bytes, unit: 'bytes' }],
  bar: 'under 2,600 bytes; aim 2,000',
  met: bytes < 2600,
})

const LOAD = { kind: 'deposit', connections: CONNECTIONS, window: UNDER_WAY, lives: 1e9 } as const

export const liveFor = (service: BenchService, seconds: number): Promise<LivesResult> =>
  live(service, { ...LOAD, seconds })

type LivesJob = {
  readonly kind: PostedKind
  readonly connections: number
  readonly window: number
  readonly seconds: number
  readonly lives: number
  readonly ratePerSecond?: number
}

async function live(service: BenchService, job: LivesJob): Promise<LivesResult> {
  await control(service, '/sandbox/callbacks', {
    [job.kind]: `http://127.0.0.1:${RECEIVER_PORT}/callbacks`,
  })
  const result = await runProgram<LivesResult>('lives', {
    port: service.port,
    token: service.token,
    receiverPort: RECEIVER_PORT,
    ...job,
  })
  await control(service, '/sandbox/callbacks', { [job.kind]: null })
  return result
}

async function walPosition(service: BenchService): Promise<number> {
  const [row] = await service.query<{ position: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
  )
  return Number(row?.position)
}
