/** The thread of `pulse.ts`. It loads what it needs for the database only when that is needed. */

import { parentPort } from 'node:worker_threads'
import type { NodeId } from '../domain/ids.ts'
import type { NodeTiming } from '../domain/timing.ts'
import type { ConnectionOptions, Database } from '../store/engine/database.ts'

/** The places in the memory that the threads share. */
export const COUNT = 0
export const NAME = 1
export const IS_OVER = 2

export type Watch = {
  readonly shared: Int32Array
  readonly connection: ConnectionOptions
  readonly timing: NodeTiming
}

parentPort?.on('message', (watch: Watch) => watchOver(watch))

function watchOver({ shared, connection, timing }: Watch): void {
  let seen = Atomics.load(shared, COUNT)
  let since = performance.now()
  let database: Database | undefined

  const close = async (): Promise<void> => {
    const open = database
    database = undefined
    await open?.close()
  }
  const look = async (): Promise<void> => {
    const count = Atomics.load(shared, COUNT)
    const now = performance.now()
    if (count !== seen) [seen, since] = [count, now]
    const silentMs = now - since
    if (silentMs < timing.pulseAfterMs || silentMs > timing.pulseForMs) return close()
    database ??= await open(connection, timing)
    const { sendPulse } = await import('../store/cluster/nodes.ts')
    await sendPulse(database, Atomics.load(shared, NAME) as NodeId)
  }
  const lookAgain = (): void => {
    const isOver = Atomics.load(shared, IS_OVER) === 1
    // Without the database nobody can see the pulse; the next look tries again.
    const looked = (isOver ? close() : look()).catch(() => {})
    if (!isOver) void looked.then(() => setTimeout(lookAgain, timing.heartbeatEveryMs))
  }
  lookAgain()
}

async function open(connection: ConnectionOptions, timing: NodeTiming): Promise<Database> {
  const { openDatabase } = await import('../store/engine/database.ts')
  return openDatabase(connection, 1, { statementMs: timing.deadAfterMs })
}
