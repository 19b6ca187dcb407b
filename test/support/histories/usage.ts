import assert from 'node:assert/strict'
import { callName } from '../../../harness/random/generations.ts'
import { type Answer, eventually } from '../../../harness/service.ts'
import type { Stage } from './stage.ts'

/** The calls of the earlier generation that each merchant made, to hold the way out against. */
export type Usage = {
  count(merchant: number, method: string, path: string, answer: Promise<Answer>): Promise<Answer>
  of(merchant: number): ReadonlyMap<string, Count>
}

/** A node in trouble may not have heard a call, or not have known whose it was. */
type Count = { made: number; answered: number }

export function createUsage(): Usage {
  const merchants = new Map<number, Map<string, Count>>()
  const countsOf = (merchant: number): Map<string, Count> => {
    const counts = merchants.get(merchant) ?? new Map<string, Count>()
    merchants.set(merchant, counts)
    return counts
  }
  return {
    of: countsOf,
    count: async (merchant, method, path, answer) => {
      if (/^\/(v2|sandbox)\//.test(path)) return answer
      const name = callName(method, path)
      const counts = countsOf(merchant)
      const count = counts.get(name) ?? { made: 0, answered: 0 }
      counts.set(name, count)
      count.made += 1
      const answered = await answer
      if (answered.status < 500) count.answered += 1
      return answered
    },
  }
}

/** Each merchant reads what it still uses: every call it made, as often as it made it. */
export async function checkUsage(stage: Stage): Promise<void> {
  for (const merchant of stage.merchants.keys()) {
    const used = stage.usage.of(merchant)
    // What the other node has counted is there when that has written it down.
    await eventually(async () => {
      const { body } = await stage.call({ node: 0, merchant }, 'GET', '/sandbox/migration')
      const calls: readonly { method: string; path: string; count: number }[] = body.calls
      const counted = new Map(calls.map(({ method, path, count }) => [`${method} ${path}`, count]))
      for (const [name, { made, answered }] of used) {
        const count = counted.get(name) ?? 0
        const says = `${name} was made ${made} times, answered ${answered} times, counted ${count}`
        assert.ok(count >= answered && count <= made, says)
        counted.delete(name)
      }
      assert.deepEqual([...counted], [], 'calls that nobody made')
    })
  }
}
