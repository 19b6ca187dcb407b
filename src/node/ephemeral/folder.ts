/**
 * The folder of a throw-away sandbox. Its name says whose it is, so that a later start can tell
 * what nobody uses any more.
 */
import { hash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { socketDirOf } from '../../store/embedded/folder.ts'
import { findRunning, isAlive, sendSignal, stopServer } from '../../store/embedded/lock.ts'

export type SandboxFolder = {
  readonly path: string
  /** Where PostgreSQL keeps its data, and where its socket is. */
  readonly data: string
  readonly socketDir: string
}

export async function makeFolder(): Promise<SandboxFolder> {
  const prefix = `${await prefixHere()}${process.pid}-`
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  // Of root, too: PostgreSQL then runs as another account, which has to come through here.
  await chmod(path, 0o711)
  return folderAt(path)
}

function folderAt(path: string): SandboxFolder {
  const data = join(path, 'postgres')
  return { path, data, socketDir: socketDirOf(data) }
}

export async function removeFolder({ path, data, socketDir }: SandboxFolder): Promise<void> {
  const running = await findRunning(data)
  if (running !== undefined) await stopServer(running.pid, data, sendSignal)
  const options = { recursive: true, force: true, maxRetries: 5 }
  await rm(path, options)
  await rm(socketDir, options)
}

/** Removes what sandboxes have left that were killed together with their reaper. */
export async function removeLeftovers(): Promise<void> {
  const prefix = await prefixHere()
  const folder = await realpath(tmpdir())
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const [, pid] = /^(\d+)-/.exec(name.slice(prefix.length)) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    // That of another account cannot be removed by this one.
    await removeFolder(folderAt(join(folder, name))).catch(() => undefined)
  }
}

/** Containers that share a folder for temporary files have process numbers of their own. */
async function prefixHere(): Promise<string> {
  const numbers = await readlink('/proc/self/ns/pid').catch(() => '')
  return `malipo-sandbox-${hash('sha256', `${hostname()} ${numbers}`).slice(0, 8)}-`
}
