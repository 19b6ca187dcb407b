import type { OperationCount } from './tally.ts'
import { nameOf, type Target } from './targets.ts'

/** From so many requests on each target must have been called; each comes in turn by then. */
const ALL_CALLED_FROM = 10_000
/** From so many on each must have done once what it is for; there is no exception. */
const ALL_DONE_FROM = 20_000
/** Fewer good calls than this may all have met something that was used up. */
const GOOD_ENOUGH = 8

/** What a run has not reached: then it proves nothing of it. */
export function coverageGaps(
  targets: readonly Target[],
  operations: ReadonlyMap<string, OperationCount>,
  requests: number,
): readonly string[] {
  const names = targets.map(nameOf)
  const uncalled = names.filter((name) => !operations.has(name))
  const undone = names.filter((name) => {
    const { good = 0, done = 0 } = operations.get(name) ?? {}
    return good >= GOOD_ENOUGH && done === 0
  })
  return [
    ...(requests < ALL_CALLED_FROM ? [] : uncalled.map((name) => `${name} was never called`)),
    ...(requests < ALL_DONE_FROM
      ? []
      : undone.map((name) => `${name} never did what it is for: ${told(operations.get(name))}`)),
  ]
}

const told = (count: OperationCount | undefined): string =>
  [...(count?.statuses ?? [])].map(([status, times]) => `${status} × ${times}`).join(', ')
