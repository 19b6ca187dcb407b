import type { LoadResult } from './load.ts'
import { singleDraws } from './peer.ts'
import type { Row } from './report.ts'
import { type BenchService, control, drained, runProgram } from './service.ts'

/** P3: payouts from one wallet, beside one row-locked update for each. */
const CONNECTIONS = 64
const PLENTY = '900000000000'
const SCARCE_PAYOUTS = 5000

export async function measureHotWallet(
  service: BenchService,
  rounds: number,
  seconds: number,
  note: (text: string) => void,
): Promise<Row> {
  const ratios: number[] = []
  const rates: number[] = []
  const peers: number[] = []
  await setWallet(service, PLENTY)
  await payouts(service, 3)
  await drained(service, 300)
  for (let round = 1; round <= rounds; round += 1) {
    note(`P3 round ${round} of ${rounds} …`)
    const peer = await singleDraws(service, CONNECTIONS, seconds)
    const { perSecond } = await payouts(service, seconds)
    const worked = await drained(service, 300)
    note(
      `  ${peer.perSecond.toFixed(0)} row-locked, ${perSecond.toFixed(0)} payouts, drained in ${worked.toFixed(0)} s`,
    )
    ratios.push(perSecond / peer.perSecond)
    rates.push(perSecond)
    peers.push(peer.perSecond)
  }
  await checkScarce(service, note)
  const ratio = middle(ratios)
  return {
    id: 'P3',
    measure: 'payouts accepted per second, all from one wallet, each with its hold',
    figure: `${middle(rates).toFixed(0)}/s, no overdraft`,
    beside: `${middle(peers).toFixed(0)}/s one row-locked update for each payout`,
    ratio,
    bar: 'at least 5',
    met: ratio >= 5,
  }
}

/** With money for some only, exactly those are paid and nothing is left, or the run fails. */
async function checkScarce(service: BenchService, note: (text: string) => void): Promise<void> {
  await setWallet(service, String(SCARCE_PAYOUTS * 15))
  const [before] = await counts(service)
  await payouts(service, 3)
  await drained(service, 300)
  const [after] = await counts(service)
  const paid = Number(after?.paid) - Number(before?.paid)
  note(`  scarce: ${paid} of ${SCARCE_PAYOUTS} paid, ${after?.balance} left`)
  if (paid !== SCARCE_PAYOUTS || Number(after?.balance) !== 0) {
    throw new Error(`${paid} payouts were paid and ${after?.balance} is left`)
  }
}

const counts = (service: BenchService) =>
  service.query<{ paid: string; balance: string }>(
    `select (select count(*) from payments where kind = 'payout' and state = 'COMPLETED') as paid,
            (select balance from accounts where account = 'wallet:ZMB:ZMW') as balance`,
  )

const setWallet = (service: BenchService, balance: string): Promise<void> =>
  control(service, '/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance })

function payouts(service: BenchService, seconds: number): Promise<LoadResult> {
  return runProgram<LoadResult>('load', {
    kind: 'payout',
    port: service.port,
    token: service.token,
    connections: CONNECTIONS,
    seconds,
    repeatEvery: 0,
  })
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
