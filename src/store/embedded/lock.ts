/**
 * Who runs on a data folder, as postmaster.pid says. A process killed the hard way leaves that
 * file behind, and its number may since belong to some unrelated process, for which PostgreSQL
 * would refuse to start for ever.
 */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EMBEDDED } from '../../domain/upkeep-timing.ts'

/** PostgreSQL insists on a port, which here is only a part of the name of the socket. */
export const PORT = 5432
export const SOCKET_NAME = `.s.PGSQL.${PORT}`

export type RunningServer = {
  readonly pid: number
  /** Both undefined in the first moments of a start, before the server has written them down. */
  readonly socketDir: string | undefined
  /** Where it listens on loopback instead of a socket. */
  readonly port: number | undefined
}

/** The server that runs on the folder; undefined also when the lock file is a leftover. */
export async function findRunning(data: string): Promise<RunningServer | undefined> {
  const lock = (await readLock(lockFile(data))).split('\n')
  const [pid = '', , , port = '', socketDir = '', address = ''] = lock.map((line) => line.trim())
  const running = {
    pid: Number.parseInt(pid, 10),
    socketDir: socketDir === '' ? undefined : socketDir,
    port: address === '' ? undefined : Number.parseInt(port, 10),
  }
  return (await isServerOf(running.pid, data)) ? running : undefined
}

/**
 * Puts our own number in the place of a foreign one. PostgreSQL takes the number of its parent for
 * a leftover. Deleting the file would do too, but the rest of it lets PostgreSQL see whether
 * processes of the former server still use its memory. The socket has a lock file of its own.
 */
export async function disownLocks(data: string, socketDir?: string): Promise<void> {
  const lock = await readLock(lockFile(data))
  if (await isForeign(lock, data)) {
    const [, ...rest] = lock.split('\n')
    const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW
    await writeFile(lockFile(data), [process.pid, ...rest].join('\n'), { flag })
  }
  if (socketDir === undefined) return
  const socketLock = join(socketDir, `${SOCKET_NAME}.lock`)
  if (await isForeign(await readLock(socketLock), data)) await rm(socketLock, { force: true })
}

/** Fast shutdown, which lets the transactions go; when that hangs, the immediate one. */
export async function stopServer(
  pid: number,
  data: string,
  send: typeof sendSignal,
): Promise<boolean> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    send(pid, signal)
    if (await isGoneWithin(EMBEDDED.stopWithinMs, pid, data)) return true
  }
  return false
}

/** A process that has ended in the meantime is not an error: it needs no signal any more. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isGoneWithin(limitMs: number, pid: number, data: string): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (await isServerOf(pid, data)) {
    if (performance.now() > deadline) return false
    await sleep(EMBEDDED.stopLooksEveryMs)
  }
  return true
}

const lockFile = (data: string): string => join(data, 'postmaster.pid')

async function isForeign(lock: string, data: string): Promise<boolean> {
  const pid = Number.parseInt(lock, 10)
  return isAlive(pid) && !(await isServerOf(pid, data))
}

async function readLock(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'win32') return isServerByTaskList(pid)
  if (process.platform !== 'linux') return isServerByPs(pid, data)

  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (basename(args[0] ?? '') !== 'postgres') return false
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (cwd !== undefined) return cwd === data
  // Containers may hide the folder of another account's process. In doubt the server is ours:
  // taking the lock away from a living one would ruin the data.
  const folder = args[args.indexOf('-D') + 1]
  return folder === undefined || !folder.startsWith('/') || folder === data
}

/** Windows does not say on which folder. In doubt the server is ours, as above. */
async function isServerByTaskList(pid: number): Promise<boolean> {
  const filter = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
  const { stdout } = await promisify(execFile)('tasklist', filter).catch(() => ({ stdout: '' }))
  return stdout.toLowerCase().includes('postgres.exe')
}

async function isServerByPs(pid: number, data: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', `${pid}`]).catch(
    () => ({ stdout: '' }),
  )
  return stdout.includes('postgres') && stdout.includes(data)
}
