/** What happens to the cluster, and how it is undone. */
import type { Cluster } from './cluster.ts'
import type { Machine } from './machines.ts'

export type Fault = {
  readonly name: string
  /** `another`: another server must lead. Otherwise the fault lasts for so many milliseconds. */
  readonly until: 'another leads' | number
  strike(victims: Victims): Promise<void>
  undo(victims: Victims): Promise<void>
}

export type Victims = {
  readonly cluster: Cluster
  readonly leader: Machine
  readonly standby: Machine
}

/** Longer than a leader stays leader without etcd, and than any time-out of replication. */
const LONG_MS = 30_000

const othersOf = ({ cluster, leader }: Victims): readonly Machine[] =>
  cluster.machines.filter((one) => one !== leader)

export const CUT_FROM_SERVERS: Fault = {
  name: 'leader cut off from the other servers, but not from the nodes',
  until: 'another leads',
  strike: (victims) => victims.leader.cutFrom(othersOf(victims)),
  undo: ({ leader }) => leader.reconnect(),
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL of the leader killed',
    until: 10_000,
    strike: async ({ leader }) => leader.signal('SIGKILL', 'postgres'),
    undo: async () => {},
  },
  {
    name: 'machine of the leader switched off',
    until: 'another leads',
    strike: async ({ leader }) => leader.signal('SIGKILL'),
    undo: async ({ cluster, leader }) => cluster.boot(leader),
  },
  {
    name: 'machine of the leader frozen',
    until: 'another leads',
    strike: async ({ leader }) => leader.signal('SIGSTOP'),
    undo: async ({ leader }) => leader.signal('SIGCONT'),
  },
  {
    name: 'Patroni of the leader frozen, PostgreSQL at work',
    until: 'another leads',
    strike: async ({ leader }) => leader.signal('SIGSTOP', 'patroni'),
    undo: async ({ leader }) => leader.signal('SIGCONT', 'patroni'),
  },
  {
    name: 'leader cut off from everything',
    until: 'another leads',
    strike: ({ leader }) => leader.cutOff(),
    undo: ({ leader }) => leader.reconnect(),
  },
  CUT_FROM_SERVERS,
  {
    name: 'machine of the synchronous standby frozen',
    until: LONG_MS,
    strike: async ({ standby }) => standby.signal('SIGSTOP'),
    undo: async ({ standby }) => standby.signal('SIGCONT'),
  },
  {
    name: 'etcd killed on all machines',
    until: LONG_MS,
    strike: async ({ cluster }) => {
      for (const machine of cluster.machines) machine.signal('SIGKILL', 'etcd')
    },
    undo: async ({ cluster }) => {
      for (const machine of cluster.machines) cluster.boot(machine)
    },
  },
]
