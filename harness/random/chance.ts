/** Random numbers from a seed: the same on every machine and in every run. */
export type Chance = {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number
  between(least: number, most: number): number
  /** True once in `count` times. */
  oneIn(count: number): boolean
  pick<T>(list: readonly T[]): T
  /** A UUID of version 4. */
  uuid(): string
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    oneIn: (count) => below(count) === 0,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    uuid: () => {
      const digits = Array.from({ length: 32 }, () => below(16).toString(16))
      digits[12] = '4'
      digits[16] = '89ab'.charAt(below(4))
      return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}
