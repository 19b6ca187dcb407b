import type { Bench } from './bench.ts'
import { CONNECTIONS } from './burst.ts'
import type { LoadResult } from './load.ts'
import { singleDebits } from './peer.ts'
import { besides, type Row } from './results.ts'
import { type BenchService, control, drained, runProgram } from './service.ts'
import { inTurns } from './turns.ts'

/** P3: payouts from one wallet, beside one row-locked update for each. */
const PLENTY = '900000000000'

export async function measureHotWallet(
  service: BenchService,
  bench: Bench,
): Promise<readonly Row[]> {
  const { turns, turnSeconds, warmUpSeconds } = bench.effort
  await setWallet(service, PLENTY)
  await payouts(service, warmUpSeconds)
  const runs = {
    'row-locked': () => singleDebits(service, CONNECTIONS, turnSeconds),
    payouts: () => payouts(service, turnSeconds),
  }
  const rates = await inTurns(service, turns, runs, bench.note)
  await drained(service, 300)
  await checkScarce(service, bench)
  const drawn = besides(rates.payouts, rates['row-locked'])
  return [
    {
      id: 'P3',
      measure: 'payouts accepted per second, all from one wallet, each with its hold',
      figures: [{ name: '', value: drawn.value, unit: '/s' }],
      remark: 'no overdraft',
      beside: { name: 'one row-locked update for each payout', value: drawn.beside, unit: '/s' },
      ratio: drawn.ratio,
      bar: 'at least 5',
      met: drawn.ratio >= 5,
      rounds: drawn.rounds,
    },
  ]
}

/** With money for some only, exactly those are paid and nothing is left, or the run fails. */
async function checkScarce(service: BenchService, { effort, note }: Bench): Promise<void> {
  const { scarcePayouts } = effort
  await setWallet(service, String(scarcePayouts * 15))
  const [before] = await counts(service)
  await payouts(service, 3)
  await drained(service, 300)
  const [after] = await counts(service)
  const paid = Number(after?.paid) - Number(before?.paid)
  note(`scarce: ${paid} of ${scarcePayouts} paid, ${after?.balance} left`)
  if (paid !== scarcePayouts || Number(after?.balance) !== 0) {
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
    warmUpSeconds: 1,
    seconds,
    repeatEvery: 0,
  })
}
