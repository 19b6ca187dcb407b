import { randomUUID } from 'node:crypto'
import type { Bench } from './bench.ts'
import { openConnection, paymentRequest } from './http-client.ts'
import { middle, type Row } from './results.ts'
import { type BenchService, residentMegabytes, startService } from './service.ts'

const STARTS = 5
const IDLE_MS = 5000

/** P9: a first start creates the folder; the later ones are measured, and the median counts. */
export async function measureStart(bench: Bench): Promise<readonly Row[]> {
  await (await startService(bench.folder)).stop()
  const times: number[] = []
  for (;;) {
    const startedAt = performance.now()
    const service = await startService(bench.folder)
    try {
      await payOnce(service)
      times.push((performance.now() - startedAt) / 1000)
      bench.note(`${times.at(-1)?.toFixed(2)} s to the first accepted payment`)
      if (times.length < STARTS) continue
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      return rowsOf(middle(times), residentMegabytes(service.pid))
    } finally {
      await service.stop()
    }
  }
}

/** From this process: the start of a load generator would be counted as well. */
async function payOnce({ port, token }: BenchService): Promise<void> {
  const connection = await openConnection(port)
  const answer = await connection.send(paymentRequest(port, token, 'deposit', randomUUID()))
  connection.close()
  if (!answer.includes('"ACCEPTED"')) throw new Error(`The first deposit was answered: ${answer}`)
}

const rowsOf = (seconds: number, megabytes: number): readonly Row[] => [
  {
    id: 'P9',
    measure: 'start to first accepted payment, existing data folder',
    figures: [{ name: '', value: seconds, unit: 's' }],
    bar: 'under 1.2 s; aim 0.8 s',
    met: seconds < 1.2,
  },
  {
    id: 'P9',
    measure: 'resident memory of the node, idle',
    figures: [{ name: '', value: megabytes, unit: 'MB' }],
    bar: 'under 150 MB',
    met: megabytes < 150,
  },
]
