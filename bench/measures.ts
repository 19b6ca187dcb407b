import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { measureBurst } from './burst.ts'
import { measureEndpoints } from './endpoints.ts'
import { measureGrowth } from './growth.ts'
import { measureHotWallet } from './hot-wallet.ts'
import type { MeasureId } from './options.ts'
import { type Row, rounded } from './results.ts'
import { type BenchService, startService } from './service.ts'
import { measureStart } from './start-up.ts'
import { measureIdle, measureLives } from './whole-lives.ts'

export type Measure = {
  readonly ids: readonly MeasureId[]
  /** Measured first, because this one is compared with it. */
  readonly needs?: MeasureId
  readonly run: (bench: Bench) => Promise<readonly Row[]>
}

/** Each measure has its own service and folder: the result is the same alone and in a full run. */
const onService =
  (measure: (service: BenchService, bench: Bench) => Promise<readonly Row[]>) =>
  async (bench: Bench): Promise<readonly Row[]> => {
    const service = await startService(bench.folder)
    try {
      return await measure(service, bench)
    } finally {
      await service.stop()
    }
  }

const ALL: readonly Measure[] = [
  { ids: ['P9'], run: measureStart },
  { ids: ['P4'], run: onService(measureIdle) },
  { ids: ['P1', 'P2'], run: onService(measureBurst) },
  { ids: ['P6', 'P10', 'P11', 'P12'], needs: 'P1', run: onService(measureLives) },
  { ids: ['P3'], run: onService(measureHotWallet) },
  { ids: ['P5'], run: onService(measureEndpoints) },
  { ids: ['P7'], run: onService(measureGrowth) },
]

/** The measures of the rows asked for, in the order in which they run. */
export function measuresOf(ids: readonly MeasureId[]): readonly Measure[] {
  const asked = ALL.filter((measure) => measure.ids.some((id) => ids.includes(id)))
  const needed = asked.flatMap(({ needs }) => needs ?? [])
  return ALL.filter(
    (measure) => asked.includes(measure) || measure.ids.some((id) => needed.includes(id)),
  )
}

export async function runMeasure(
  measure: Measure,
  bench: Omit<Bench, 'folder'>,
): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  try {
    return (await measure.run({ ...bench, folder })).map(stored)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const stored = (row: Row): Row => ({
  ...row,
  figures: row.figures.map((figure) => ({ ...figure, value: rounded(figure.value) })),
  ...(row.beside === undefined
    ? {}
    : { beside: { ...row.beside, value: rounded(row.beside.value) } }),
  ...(row.ratio === undefined ? {} : { ratio: rounded(row.ratio) }),
})
