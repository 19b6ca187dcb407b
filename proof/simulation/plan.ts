import { chanceOf } from '../../harness/random/chance.ts'
import { KINDS } from '../../harness/random/world.ts'
import type { Act, Fault } from './acts.ts'
import { createDrawing } from './drawing.ts'
import type { Kind } from './world.ts'

/** A simulation before it happens: all acts and faults, a pure function of seed and hours. */
export type Plan = {
  readonly seed: number
  readonly hours: number
  readonly merchants: readonly MerchantPlan[]
  readonly steps: readonly Step[]
}

export type MerchantPlan = {
  /** The opening balance of its wallets. */
  readonly balance: string
  readonly listens: readonly Kind[]
}

/** Acts and faults of one step happen at the same time; then the clock jumps. */
type Step = {
  readonly acts: readonly Act[]
  readonly faults: readonly Fault[]
  readonly restMs: number
  readonly leapSeconds: number
}

const HOUR = 3600
/** Long jumps stand for a night, a weekend or a clock that was set. */
const LEAPS = [2, 10, 61, 120, 300, 300, 600, 900]
const LONG_LEAPS = [2, 3, 6].map((hours) => hours * HOUR)
const BALANCES = ['1000000', '1000000', '5000', '600', '100']

export function planOf(seed: number, hours: number): Plan {
  const chance = chanceOf(seed)
  const merchants = Array.from({ length: chance.between(4, 8) }, (_, index) => ({
    balance: index === 0 ? '1000000' : chance.pick(BALANCES),
    listens: KINDS.filter(() => index === 0 || !chance.oneIn(8)),
  }))
  const drawing = createDrawing(chance, merchants.length)
  // A short run must not be one long jump.
  const leaps = LONG_LEAPS.filter((seconds) => seconds <= (hours * HOUR) / 4)
  const steps: Step[] = []
  for (let left = hours * HOUR; left > 0; left -= steps.at(-1)?.leapSeconds ?? 0) {
    const isLong = chance.oneIn(40) && leaps.length > 0
    const leap = chance.pick(isLong ? leaps : LEAPS)
    steps.push({
      acts: drawing.acts(steps.length),
      faults: drawing.faults(steps.length),
      restMs: chance.pick([0, 0, 20, 60]),
      leapSeconds: Math.min(leap, left),
    })
  }
  return { seed, hours, merchants, steps }
}
