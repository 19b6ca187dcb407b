/** For how long no payment was accepted at a node, as its merchants see it. */
import { setTimeout as sleep } from 'node:timers/promises'

export type Gaps = {
  accepted(place: string, sentAtMs: number): void
  /** Resolves when a payment that was sent after this moment is accepted there; false if too late. */
  goesOn(place: string, sinceMs: number, withinMs: number): Promise<boolean>
  /** The longest time without an accepted payment since then. */
  longest(place: string, sinceMs: number): number
}

type Acceptance = { readonly sentAtMs: number; readonly atMs: number }

export function createGaps(): Gaps {
  const acceptances = new Map<string, Acceptance[]>()
  const at = (place: string): readonly Acceptance[] => acceptances.get(place) ?? []
  return {
    accepted: (place, sentAtMs) => {
      const list = acceptances.get(place) ?? []
      list.push({ sentAtMs, atMs: performance.now() })
      acceptances.set(place, list)
    },
    goesOn: async (place, sinceMs, withinMs) => {
      const deadline = performance.now() + withinMs
      while (!at(place).some(({ sentAtMs }) => sentAtMs > sinceMs)) {
        if (performance.now() > deadline) return false
        await sleep(20)
      }
      return true
    },
    longest: (place, sinceMs) => {
      const after = at(place).filter(({ atMs }) => atMs > sinceMs)
      const times = [sinceMs, ...after.map(({ atMs }) => atMs), performance.now()]
      return Math.max(...times.slice(1).map((time, before) => time - (times[before] ?? time)))
    },
  }
}
