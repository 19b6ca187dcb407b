import { existsSync, readFileSync } from 'node:fs'

const STAT = '/proc/stat'
/** The column of the time that the host gave to other machines; the total is the sum of all. */
const STEAL = 7
const COUNTED = 8

function processorTimes(): readonly number[] {
  if (!existsSync(STAT)) return []
  const [all = ''] = readFileSync(STAT, 'utf8').split('\n', 1)
  return all
    .trim()
    .split(/\s+/)
    .slice(1, 1 + COUNTED)
    .map(Number)
}

/**
 * Starts to measure the share of processor time that the host of a virtual machine gave to others;
 * the returned function gives the share since then. So a slow moment of the host is not mistaken
 * for a slow service. Zero where the system does not report it.
 */
export function watchStolen(): () => number {
  const before = processorTimes()
  return () => {
    const spent = processorTimes().map((now, at) => now - (before[at] ?? 0))
    const whole = spent.reduce((sum, one) => sum + one, 0)
    return whole === 0 ? 0 : (spent[STEAL] ?? 0) / whole
  }
}
