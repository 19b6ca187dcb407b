import { existsSync, readFileSync } from 'node:fs'

const STAT = '/proc/stat'
/** The column of the time that a host gave to other machines; all columns together are the whole. */
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
 * Begins to measure which part of the processor time the host of a virtual machine gave to others;
 * the answer says it for the time since. A slow moment of the machine is then not taken for ours.
 * Zero where the system does not say.
 */
export function watchStolen(): () => number {
  const before = processorTimes()
  return () => {
    const spent = processorTimes().map((now, at) => now - (before[at] ?? 0))
    const whole = spent.reduce((sum, one) => sum + one, 0)
    return whole === 0 ? 0 : (spent[STEAL] ?? 0) / whole
  }
}
