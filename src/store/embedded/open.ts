/** Opens the server of a folder, whatever state an earlier process has left it in. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EMBEDDED } from '../../domain/upkeep-timing.ts'
import { type Endpoint, endpointOf, isThere } from './endpoint.ts'
import { prepareSocketDir } from './folder.ts'
import { disownLocks, findRunning, type RunningServer, stopServer } from './lock.ts'
import { connectionTo, takeOwnership, urlOf } from './owner.ts'
import { launchServer, ServerDidNotStart, type Way } from './process.ts'
import { senderOf } from './sender.ts'

export type Opened = {
  readonly pid: number
  /** The owner's connection: it lives as long as the server and the ownership do. */
  readonly client: pg.Client
  readonly endpoint: Endpoint
  readonly adopted: boolean
}

export class FolderInUse extends Error {
  constructor(data: string, endpoint: Endpoint, pid: number) {
    const url = urlOf(connectionTo(endpoint))
    super(
      `The data folder ${data} is in use by another Malipo (process ${pid}). Stop that one, or ` +
        `run this one as a second node beside it, with DATABASE_URL='${url}'.`,
    )
  }
}

export async function openServer(way: Way): Promise<Opened> {
  const reminder = setInterval(
    () => way.log('still waiting for the database server'),
    EMBEDDED.openSaysEveryMs,
  )
  try {
    const startMs = performance.now()
    for (;;) {
      way.signal.throwIfAborted()
      const opened = await tryToOpen(way, performance.now() - startMs)
      if (opened !== undefined) return opened
      await sleep(EMBEDDED.openLooksEveryMs)
    }
  } finally {
    clearInterval(reminder)
  }
}

/** Undefined while a former server comes or goes. */
async function tryToOpen(way: Way, waitedMs: number): Promise<Opened | undefined> {
  const { data } = way.place
  const running = await findRunning(data)
  if (running === undefined) return launch(way, waitedMs < EMBEDDED.memoryHeldMs)
  const { pid } = running
  const endpoint = await endpointOf(data, running)
  if (endpoint !== undefined && waitedMs > EMBEDDED.socketLostMs && !(await isThere(endpoint))) {
    way.log(`stopping the database server ${pid}, which was left behind without its socket`)
    await stopServer(pid, data, senderOf(way.place))
    return undefined
  }
  return adopt(data, running, endpoint)
}

/** Undefined when processes of a former server hold its memory still, or another was faster. */
async function launch(way: Way, mayRetry: boolean): Promise<Opened | undefined> {
  const { data, endpoint } = way.place
  if (endpoint.kind === 'socket') await prepareSocketDir(endpoint.folder, way.place.account)
  await disownLocks(data, endpoint.kind === 'socket' ? endpoint.folder : undefined)
  const pid = await launchServer(way).catch((error: unknown) => {
    if (mayRetry && error instanceof ServerDidNotStart && error.isLockedStill) return undefined
    throw error
  })
  if (pid === undefined) return undefined
  try {
    return { ...(await own(data, endpoint)), pid, adopted: false }
  } catch (error) {
    if (!(error instanceof FolderInUse)) await stopServer(pid, data, senderOf(way.place))
    throw error
  }
}

async function adopt(
  data: string,
  { pid }: RunningServer,
  endpoint: Endpoint | undefined,
): Promise<Opened | undefined> {
  if (endpoint === undefined) return undefined
  try {
    return { ...(await own(data, endpoint)), pid, adopted: true }
  } catch (error) {
    if (error instanceof Error && isPassing(error)) return undefined
    throw error
  }
}

async function own(data: string, endpoint: Endpoint): Promise<Pick<Opened, 'client' | 'endpoint'>> {
  const ownership = await takeOwnership(endpoint)
  if (ownership.kind === 'taken') throw new FolderInUse(data, endpoint, ownership.pid)
  return { client: ownership.client, endpoint }
}

/** Start-up, shutdown, a full house, a socket not made yet or just gone. */
const PASSING: ReadonlySet<string> = new Set([
  ...['57P01', '57P02', '57P03', '53300'],
  ...['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
])

function isPassing(error: Error): boolean {
  if (error.message.startsWith('Connection terminated')) return true
  return 'code' in error && typeof error.code === 'string' && PASSING.has(error.code)
}
