/**
 * The way into the server. A socket in a folder that only its account may enter; or, where Node
 * cannot use such sockets (Windows), a port of loopback and a password that only its account may
 * read.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, lchown, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type RunningServer, SOCKET_NAME } from './lock.ts'

export type Endpoint =
  | { readonly kind: 'socket'; readonly folder: string }
  | { readonly kind: 'port'; readonly port: number; readonly password: string }

export const NEEDS_PORT = process.platform === 'win32'

/** Lies beside the data: initdb wants its own folder empty. */
export const passwordFile = (data: string): string => join(dirname(data), 'postgres.password')

/** The same for as long as the process lives: pools know it and keep it. */
export async function choosePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no free port was found')
  return address.port
}

/** Of two that start for the first time together, both use the one that was written first. */
export async function makePassword(
  data: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<string> {
  const file = passwordFile(data)
  const made = randomBytes(24).toString('base64url')
  await writeFile(file, made, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (process.getuid?.() === 0) await lchown(file, owner.uid, owner.gid)
  return readPassword(data)
}

export async function readPassword(data: string): Promise<string> {
  const password = await readFile(passwordFile(data), 'utf8').catch(() => '')
  if (password !== '') return password
  throw new Error(
    `The password of the database in ${data} is missing: it belongs in ${passwordFile(data)}. A folder ` +
      'that was made on another system has none; move its data over with pg_dump and pg_restore.',
  )
}

/** Undefined in the first moments of a start, before the server has written it down. */
export async function endpointOf(
  data: string,
  { socketDir, port }: RunningServer,
): Promise<Endpoint | undefined> {
  if (socketDir !== undefined) return { kind: 'socket', folder: socketDir }
  if (port === undefined) return undefined
  return { kind: 'port', port, password: await readPassword(data) }
}

/** Cleaners of temporary folders may take a socket; nobody takes a port. */
export async function isThere(endpoint: Endpoint): Promise<boolean> {
  if (endpoint.kind === 'port') return true
  return access(join(endpoint.folder, SOCKET_NAME)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
