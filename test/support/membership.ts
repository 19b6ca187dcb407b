import type { Database } from '../../src/store/engine/database.ts'
import { createMembership, type NodeMembership } from '../../src/workers/membership.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** This process as a node that does nothing but beat. */
export const beatingNode = (db: Database, realNow: () => number = Date.now): NodeMembership =>
  createMembership({
    db,
    log: silent,
    machine: 'here',
    pid: process.pid,
    version: '0.0.0',
    startedAt: Date.now(),
    now: Date.now,
    realNow,
    isProcessAlive: () => true,
    onBeat: async () => {},
    onLost: () => {},
  })
