import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../node/config.ts'
import { openFilesLimit, openFilesNeeded } from '../../node/open-files.ts'
import { PACKAGE_ROOT, VERSION } from '../../package-root.ts'
import { bad, type Check, good, sizeText, tried } from './check.ts'

/** The machine on which the command runs, which is that of the service as a rule. */

export function versions(): readonly Check[] {
  const { engines } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  const least = engines.node.replace('>=', '')
  const system = `on ${process.platform} ${process.arch}`
  const node = isAtLeast(process.versions.node, least)
    ? good('node', `${process.version} ${system}`)
    : bad('node', `${process.version} is too old. Install Node ${least} or newer.`)
  return [good('malipo', VERSION), node]
}

/** Compares numbers between dots. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [version, least].map((text) => text.split('.').map(Number))
  for (const [at, number] of (need ?? []).entries()) {
    const other = have?.[at] ?? 0
    if (other !== number) return other > number
  }
  return true
}

/** Below either of them PostgreSQL is soon out of room, and refuses payments then. */
const FREE_LEAST = 1e9
const FREE_LEAST_PERCENT = 5

export const disk = ({ databaseUrl, dataDir }: Config): Promise<readonly Check[]> =>
  tried('disk', async () => {
    if (databaseUrl !== undefined) {
      const message = 'DATABASE_URL leads to a server of its own: look at its disk there'
      return good('disk', message)
    }
    const place = existingPart(dataDir)
    const { bavail, blocks, bsize } = await statfs(place)
    const percent = Math.floor((bavail / blocks) * 100)
    const message = `${sizeText(bavail * bsize)} free (${percent} %) at ${place}`
    const isEnough = bavail * bsize >= FREE_LEAST && percent >= FREE_LEAST_PERCENT
    if (isEnough) return good('disk', message)
    return bad('disk', `Only ${message}. Make room: a full disk refuses payments.`)
  })

const existingPart = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path))

/** Of a running node, if there is one here that can be looked at. */
export function openFiles(config: Config, pid: number | undefined): Check {
  const limit = openFilesLimit(pid) ?? openFilesLimit()
  const needed = openFilesNeeded(config)
  if (limit === undefined) return good('open files', 'not limited, or not known on this system')
  if (limit >= needed) return good('open files', `${limit} allowed, ${needed} needed at most`)
  return bad(
    'open files',
    `${limit} allowed, ${needed} needed at most. Raise the limit (ulimit -n, or LimitNOFILE of ` +
      'systemd), or lower MALIPO_MAX_CONNECTIONS.',
  )
}
