import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'

/** Where a process writes its log: to standard error, which leads to one of these. */
export type LogPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'journal'; readonly unit: string; readonly isOfUser: boolean }
  /** It cannot be read from here; the words say where it can. */
  | { readonly kind: 'elsewhere'; readonly words: string }

export function logPlaceOf(pid: number): LogPlace {
  const target = linkOf(`/proc/${pid}/fd/2`)
  const process = `The service (process ${pid})`
  if (target === undefined) {
    const words = `${process} belongs to another user, or this system does not show where it writes its log. Look where it was started.`
    return { kind: 'elsewhere', words }
  }
  if (target === '/dev/null') {
    const words = `${process} throws its log away. Start it with 2>>malipo.log, or by systemd.`
    return { kind: 'elsewhere', words }
  }
  if (target.startsWith('/dev/')) {
    return { kind: 'elsewhere', words: `${process} writes its log to the terminal ${target}.` }
  }
  if (target.startsWith('/')) return { kind: 'file', path: target.replace(/ \(deleted\)$/, '') }
  return unitOf(pid) ?? { kind: 'elsewhere', words: `${process} ${TO_ITS_PARENT}` }
}

const TO_ITS_PARENT =
  'hands its log to the program that started it. In a container: docker logs, podman logs or kubectl logs.'

/** The unit of systemd whose process it is. */
function unitOf(pid: number): LogPlace | undefined {
  try {
    const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
    const [, path = '', unit] = /^0::(.*\/)([^/\n]+\.service)$/m.exec(groups) ?? []
    return unit === undefined
      ? undefined
      : { kind: 'journal', unit, isOfUser: path.includes('/user@') }
  } catch {
    return undefined
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

const UNIT = 'malipo.service'

/** Of a service that does not run: the journal of the unit, where there is one. */
export async function installedUnit(): Promise<LogPlace | undefined> {
  try {
    await promisify(execFile)('systemctl', ['cat', UNIT])
    return { kind: 'journal', unit: UNIT, isOfUser: false }
  } catch {
    return undefined
  }
}
