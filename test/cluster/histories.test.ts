import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { liveThrough } from '../support/histories/history.ts'

/**
 * Histories of every kind of payment, in both API generations mixed, and of checkouts that customers
 * pay on their pages, with everything that can go wrong, each drawn from a seed.
 * `MALIPO_SEED=… node scripts/test.mjs test/cluster/histories` asks for the same things once more.
 */
const FIXED = [2, 36, 46, 39, 52, 21]
const wanted = process.env.MALIPO_SEED
const random = randomInt(2 ** 31)
const seeds = wanted === undefined ? [...FIXED, random] : wanted.split(',').map(Number)

describe('a random history ends with all money in its place', { timeout: 540_000 }, () => {
  for (const seed of seeds) {
    it(`seed ${seed}`, async () => {
      if (seed === random) process.stderr.write(`test/engine/histories: MALIPO_SEED=${seed}\n`)
      await liveThrough(seed)
    })
  }
})
