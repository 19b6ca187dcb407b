/**
 * The folders of the embedded server. The data is made beside its place and moved there when it is
 * complete, so a kill in the middle leaves nothing that later starts would fail on.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, chooseAccount, runAs } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import {
  choosePort,
  type Endpoint,
  makePassword,
  NEEDS_PORT,
  passwordFile,
  readPassword,
} from './endpoint.ts'
import { FLUSH_METHOD } from './flush.ts'
import { isAlive, SOCKET_NAME } from './lock.ts'

export const SUPERUSER = 'malipo'

export type Place = {
  readonly data: string
  readonly endpoint: Endpoint
  readonly account: Account
  readonly binaries: Binaries
}

/** What a new place may have otherwise than usual. */
export type PlaceOptions = {
  /** Arguments of initdb, for data that is yet to be made. */
  readonly initdb?: readonly string[]
  /** A port instead of a socket; by default where there is no other way. */
  readonly byPort?: boolean
}

export async function preparePlace(
  dataDir: string,
  { initdb = [], byPort = NEEDS_PORT }: PlaceOptions = {},
): Promise<Place> {
  const folder = await makeFolder(resolve(dataDir))
  // Resolved, for it may be a link to another disk, and processes are recognised by their real folder.
  const data = (await findData(folder)) ?? join(folder, 'postgres')
  const owner = await ownerOfData(data)
  const binaries = await findBinaries()
  const socketDir = socketDirOf(data)
  const account = await chooseAccount(
    { program: binaries.postgres, folders: [dirname(data), dirname(socketDir)] },
    owner,
  )
  const endpoint = byPort ? await portOf(data, account, owner) : socketIn(socketDir)
  const place = { data, endpoint, account, binaries }
  if (owner === undefined) await createData(place, initdb)
  if (owner?.uid === 0 && process.getuid?.() === 0) await changeOwner(data, account)
  // PostgreSQL refuses a folder open to others, as restored backups and volumes often are.
  await chmod(data, 0o700).catch((error: Error) => {
    throw unusable(folder, error)
  })
  return place
}

const socketIn = (folder: string): Endpoint => ({ kind: 'socket', folder })

async function portOf(data: string, account: Account, owner: Owner | undefined): Promise<Endpoint> {
  const password = await (owner === undefined ? makePassword(data, account) : readPassword(data))
  return { kind: 'port', port: await choosePort(), password }
}

/** Undefined when there is no folder yet. */
export async function findData(dataDir: string): Promise<string | undefined> {
  return realpath(join(dataDir, 'postgres')).catch(() => undefined)
}

/**
 * Called with no server running. The folder has a name that others can guess, in a place where
 * anyone may create it, so what is found there is used only when it is a folder of ours; a handle
 * keeps it from being exchanged in the meantime.
 */
export async function prepareSocketDir(socketDir: string, account: Account): Promise<void> {
  await mkdir(socketDir, { mode: 0o700, recursive: true }).catch(unless('EEXIST'))
  const handle = await open(
    socketDir,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  ).catch((error: Error) => {
    throw strangeSocketDir(socketDir, error)
  })
  try {
    const { uid } = await handle.stat()
    if (uid !== account.uid && uid !== process.getuid?.()) throw strangeSocketDir(socketDir)
    if (uid !== account.uid) await handle.chown(account.uid, account.gid)
    await handle.chmod(0o700)
  } finally {
    await handle.close()
  }
}

/** A path of a socket has at most 103 characters on some systems; long temp folders occur there. */
export function socketDirOf(data: string): string {
  const name = `malipo-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`
  const path = join(tmpdir(), name)
  return join(path, SOCKET_NAME).length <= 100 ? path : join('/tmp', name)
}

function strangeSocketDir(socketDir: string, cause?: Error): Error {
  return new Error(
    `The folder ${socketDir}, where the socket of the database belongs, was made by someone ` +
      'else. Delete it, or set TMPDIR to a folder of your own.',
    { cause },
  )
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    return await realpath(folder)
  } catch (error) {
    throw unusable(folder, error)
  }
}

function unusable(folder: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  if (/ENOSPC|EDQUOT|No space left|quota exceeded/i.test(reason)) {
    return new Error(
      `The disk of the data folder ${folder} is full, so the database could not be made. Free ` +
        'at least 200 MB, or set MALIPO_DATA_DIR to a folder on another disk.',
      { cause: error },
    )
  }
  return new Error(
    `The data folder ${folder} cannot be used: ${reason}. Set MALIPO_DATA_DIR to a folder that ` +
      'this user may write to.',
    { cause: error },
  )
}

type Owner = { readonly uid: number; readonly gid: number }

/** Undefined when the data has yet to be made. */
async function ownerOfData(data: string): Promise<Owner | undefined> {
  const found = await stat(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unusable(dirname(data), error)
  })
  if (found === undefined) return undefined
  const self = process.getuid?.()
  if (self !== undefined && self !== 0 && found.uid !== self) {
    throw new Error(
      `The folder ${data} belongs to another account (uid ${found.uid}). Run Malipo as the user ` +
        'who ran it before, give the folder to this user with "chown -R" while Malipo is ' +
        'stopped, or set MALIPO_DATA_DIR to another folder.',
    )
  }
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(unless('ENOENT')))?.trim()
  if (version === '18') return { uid: found.uid, gid: found.gid }
  if (version === undefined && (await readdir(data)).length === 0) return undefined
  throw new Error(
    version === undefined
      ? `The folder ${data} holds something that is not a PostgreSQL database. Move it away, or ` +
          'set MALIPO_DATA_DIR to another folder.'
      : `The folder ${data} was made by PostgreSQL ${version}, but this Malipo brings ` +
          'PostgreSQL 18. Move the data over with pg_dump and pg_restore, go back to the ' +
          'version of Malipo that made it, or set MALIPO_DATA_DIR to another folder.',
  )
}

async function createData(place: Place, initdb: readonly string[]): Promise<void> {
  const folder = dirname(place.data)
  try {
    await removeLeftovers(folder)
    const draft = await mkdtemp(join(folder, `${DRAFT}${process.pid}-`))
    try {
      if (process.getuid?.() === 0) await lchown(draft, place.account.uid, place.account.gid)
      await runInitdb(place, draft, initdb)
      await rename(draft, place.data).catch(unless('ENOTEMPTY', 'EEXIST'))
      await syncFolder(folder)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  } catch (error) {
    throw unusable(folder, error)
  }
}

const DRAFT = 'postgres.new-'

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^postgres\.new-(\d+)-/.exec(name) ?? []
    if (pid === undefined || isAlive(Number.parseInt(pid, 10))) continue
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

async function runInitdb(
  { account, binaries, data, endpoint }: Place,
  draft: string,
  more: readonly string[],
): Promise<void> {
  const { code, complaint } = await runAs(account, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    // The way in is the socket's folder, which only this account may enter; or the password.
    ...(endpoint.kind === 'socket'
      ? ['--auth=trust']
      : ['--auth=scram-sha-256', `--pwfile=${passwordFile(data)}`]),
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--sync-method=${FLUSH_METHOD}`,
    '--no-instructions',
    ...more,
  ])
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim().replaceAll('\n', '; ')}`)
}

/** Without this a power cut could undo the move, and with it all that was written since. */
async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and writes such moves to its journal.
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The folder itself comes last: its owner shows that the rest has been done. */
async function changeOwner(folder: string, { uid, gid }: Account): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), uid, gid)
  }
  await lchown(folder, uid, gid)
}

function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code === undefined || !codes.includes(error.code)) throw error
    return undefined
  }
}
