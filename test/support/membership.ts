import { NODE_TIMING } from '../../src/domain/timing.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createMembership, type NodeMembership } from '../../src/workers/membership.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** This process as a node that does nothing but send heartbeats. */
export const heartbeatingNode = (
  db: Database,
  realNow: () => number = Date.now,
): Omit<NodeMembership, 'start'> & { start(): Promise<void> } => {
  const membership = createMembership({
    db,
    log: silent,
    timing: NODE_TIMING,
    machine: 'here',
    pid: process.pid,
    version: '0.0.0',
    startedAt: Date.now(),
    now: Date.now,
    realNow,
    isProcessAlive: () => true,
  })
  const start = () =>
    membership.start({ heartbeat: async () => {}, unreachable: () => {}, lost: () => {} })
  return { ...membership, start }
}
