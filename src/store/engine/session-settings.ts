import { LIMITS } from '../../domain/timing.ts'

type Settings = Readonly<Record<string, string>>

/**
 * Every statement of the service finds its few rows by an index. Plans are cached while tables are
 * still small, and a plan made for a small table would read a large one from end to end; so the
 * planner is set to prefer indexes. Reports over whole tables ask for the opposite themselves.
 */
const PLANNER: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

/**
 * A node that stands still in the middle of a transaction keeps its locks, and with one wallet it
 * would stop every node. The server ends such a transaction: late enough for a node that is only slow.
 */
const LEASE: Settings = {
  idle_in_transaction_session_timeout: `${LIMITS.transactionIdleMs / 1000}s`,
}

export const OF_NODES: Settings = { ...PLANNER, ...LEASE }

/** What each connection is opened with. */
export const startupOptions = (isNode: boolean): string =>
  Object.entries(isNode ? OF_NODES : PLANNER)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
