import type { Effort, MeasureId } from './options.ts'
import type { Row } from './results.ts'

/** What a measure has to work with. */
export type Bench = {
  /** Empty, and this measure's alone. */
  readonly folder: string
  readonly effort: Effort
  readonly note: (text: string) => void
  /** What the same run has measured before. */
  readonly measured: (id: MeasureId) => Row | undefined
}
