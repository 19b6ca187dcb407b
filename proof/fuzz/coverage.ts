import type { OperationCount } from './tally.ts'
import { nameOf, type Target } from './targets.ts'

/** From this many requests on, each target must have been called; they take turns. */
const ALL_CALLED_FROM = 10_000
/** From this many on, each must have succeeded once, without exception. */
const ALL_DONE_FROM = 20_000
/** Fewer good calls than this may all have hit something that was used up. */
const GOOD_ENOUGH = 8

/** What a run has not reached, and so proves nothing about. */
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
      : undone.map((name) => `${name} never succeeded: ${countText(operations.get(name))}`)),
  ]
}

const countText = (count: OperationCount | undefined): string =>
  [...(count?.statuses ?? [])].map(([status, times]) => `${status} × ${times}`).join(', ')
