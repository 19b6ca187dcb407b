import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names the place where process ids of this process mean something: the machine since it was
 * started, and the container within it. Two nodes of one place can see whether the other is alive.
 */
export function machineName(): string {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const processes = tryRead(() => readlinkSync('/proc/self/ns/pid'))
  return [hostname(), boot, processes].join('/')
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function tryRead(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
