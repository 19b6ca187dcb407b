import type { LoadResult } from './load.ts'
import type { Bench } from './measures.ts'
import { singleCommits } from './peer.ts'
import { besides, middle, type Row } from './results.ts'
import { type BenchService, drained, runProgram } from './service.ts'

/** P1 and P2: bursts of deposits, each round beside its peer in the same minute. */
export const CONNECTIONS = 64

export async function measureBurst(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { rounds, seconds, warmUpSeconds } = bench.effort
  const peers: { name: string; perSecond: number }[] = []
  const accepts: LoadResult[] = []
  const repeats: LoadResult[] = []
  await postDeposits(service, 0, warmUpSeconds)
  await drained(service, 120)
  for (let round = 1; round <= rounds; round += 1) {
    const peer = await singleCommits(service, CONNECTIONS, seconds)
    const accept = await postDeposits(service, 0, seconds)
    const drain = await drained(service, 300)
    const repeat = await postDeposits(service, 10, seconds)
    await drained(service, 300)
    bench.note(
      `round ${round} of ${rounds}: ${peer.perSecond.toFixed(0)} single commits, ` +
        `${accept.perSecond.toFixed(0)} accepted, drained in ${drain.toFixed(0)} s, ` +
        `${repeat.perSecond.toFixed(0)} with repeats`,
    )
    peers.push(peer)
    accepts.push(accept)
    repeats.push(repeat)
  }
  const rate = (one: { perSecond: number }): number => one.perSecond
  const accepted = besides(accepts.map(rate), peers.map(rate))
  const repeated = besides(repeats.map(rate), accepts.map(rate))
  return [
    {
      id: 'P1',
      measure: `accepted deposits per second, ${CONNECTIONS} connections`,
      figures: [
        { name: '', value: accepted.value, unit: '/s' },
        { name: 'p50', value: middle(accepts.map(({ p50Ms }) => p50Ms)), unit: 'ms' },
        { name: 'p99', value: middle(accepts.map(({ p99Ms }) => p99Ms)), unit: 'ms' },
      ],
      beside: { name: peers[0]?.name ?? '', value: accepted.beside, unit: '/s' },
      ratio: accepted.ratio,
      bar: 'at least 0.8',
      met: accepted.ratio >= 0.8,
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
    seconds,
    repeatEvery,
  })
}
