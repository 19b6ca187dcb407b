import type { Bench } from './bench.ts'
import type { LoadResult } from './load.ts'
import { singleCommits } from './peer.ts'
import { besides, middle, type Row } from './results.ts'
import { type BenchService, runProgram } from './service.ts'
import { inTurns } from './turns.ts'

/** P1 and P2: bursts of deposits, beside their peer and beside each other. */
export const CONNECTIONS = 64
const BURST_BAR = process.arch === 'arm64' ? 0.7 : 0.9

export async function measureBurst(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { turns, turnSeconds, warmUpSeconds } = bench.effort
  await postDeposits(service, 0, warmUpSeconds)
  const accepts: LoadResult[] = []
  let peerName = ''
  const rates = await inTurns(
    service,
    turns,
    {
      'single commits': async () => {
        const peer = await singleCommits(service, CONNECTIONS, turnSeconds)
        peerName = peer.name
        return peer
      },
      accepted: async () => {
        const accept = await postDeposits(service, 0, turnSeconds)
        accepts.push(accept)
        return accept
      },
      'with repeats': () => postDeposits(service, 10, turnSeconds),
    },
    bench.note,
  )
  const accepted = besides(rates.accepted, rates['single commits'])
  const repeated = besides(rates['with repeats'], rates.accepted)
  return [
    {
      id: 'P1',
      measure: `accepted deposits per second, ${CONNECTIONS} connections`,
      figures: [
        { name: '', value: accepted.value, unit: '/s' },
        { name: 'p50', value: middle(accepts.map(({ p50Ms }) => p50Ms)), unit: 'ms' },
        { name: 'p99', value: middle(accepts.map(({ p99Ms }) => p99Ms)), unit: 'ms' },
      ],
      beside: { name: peerName, value: accepted.beside, unit: '/s' },
      ratio: accepted.ratio,
      bar: `at least ${BURST_BAR}; aim 1.2`,
      met: accepted.ratio >= BURST_BAR,
      rounds: accepted.rounds,
    },
    {
      id: 'P2',
      measure: 'the same with 10 % duplicates',
      figures: [{ name: '', value: repeated.value, unit: '/s' }],
      beside: { name: 'P1', value: repeated.beside, unit: '/s' },
      ratio: repeated.ratio,
      bar: 'at least 0.95',
      met: repeated.ratio >= 0.95,
      rounds: repeated.rounds,
    },
  ]
}

export function postDeposits(
  service: BenchService,
  repeatEvery: number,
  seconds: number,
): Promise<LoadResult> {
  return runProgram<LoadResult>('load', {
    port: service.port,
    token: service.token,
    connections: CONNECTIONS,
    warmUpSeconds: 1,
    seconds,
    repeatEvery,
  })
}
