import type { LoadResult } from './load.ts'
import type { Bench } from './measures.ts'
import type { Row } from './results.ts'
import { residentMegabytes, runProgram, startService } from './service.ts'

/** P9: a first start makes the folder; the second is measured. */
export async function measureStart(bench: Bench): Promise<readonly Row[]> {
  await (await startService(bench.folder)).stop()
  const startedAt = performance.now()
  const service = await startService(bench.folder)
  try {
    await runProgram<LoadResult>('load', {
      port: service.port,
      token: service.token,
      connections: 1,
      seconds: 0.01,
      repeatEvery: 0,
    })
    const seconds = (performance.now() - startedAt) / 1000
    await new Promise((resolve) => setTimeout(resolve, 5000))
    return rowsOf(seconds, residentMegabytes(service.pid))
  } finally {
    await service.stop()
  }
}

const rowsOf = (seconds: number, megabytes: number): readonly Row[] => [
  {
    id: 'P9',
    measure: 'start to first accepted payment, existing data folder',
    figures: [{ name: '', value: seconds, unit: 's' }],
    bar: 'under 2 s',
    met: seconds < 2,
  },
  {
    id: 'P9',
    measure: 'resident memory of the node, idle',
    figures: [{ name: '', value: megabytes, unit: 'MB' }],
    bar: 'under 150 MB',
    met: megabytes < 150,
  },
]
