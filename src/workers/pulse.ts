import { Worker } from 'node:worker_threads'
import type { NodeId } from '../domain/ids.ts'
import type { NodeTiming } from '../domain/timing.ts'
import type { ConnectionOptions } from '../store/engine/database.ts'
import { COUNT, IS_OVER, NAME, type Watch } from './pulse-thread.ts'

/**
 * Shows that this node lives while its main thread is too busy for heartbeats. A second thread
 * watches a counter that the main thread increments; while it stands still, that thread increments
 * the pulse of the node in the database. What the node may do does not depend on it: that counts
 * from the last heartbeat.
 */
type Pulse = { start(): void; stop(): void }

export function createPulse(
  connection: ConnectionOptions,
  timing: NodeTiming,
  nodeId: () => NodeId,
): Pulse {
  const shared = new Int32Array(new SharedArrayBuffer(12))
  let timer: NodeJS.Timeout | undefined
  const count = (): void => {
    Atomics.store(shared, NAME, nodeId())
    Atomics.add(shared, COUNT, 1)
  }
  return {
    start: () => {
      count()
      timer = setInterval(count, timing.heartbeatEveryMs)
      thread().postMessage({ shared, connection, timing } satisfies Watch)
    },
    stop: () => {
      clearInterval(timer)
      Atomics.store(shared, IS_OVER, 1)
    },
  }
}

let running: Worker | undefined

/** One for all nodes of the process; it does not keep the process from ending. */
function thread(): Worker {
  if (running === undefined) {
    running = new Worker(new URL('./pulse-thread.js', import.meta.url))
    running.unref()
  }
  return running
}
