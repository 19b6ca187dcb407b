import { residentMegabytes } from '../../bench/service.ts'
import type { Database } from '../../src/store/engine/database.ts'

const MEMORY_BOUND_MB = 400
const LOOK_EVERY_MS = 250

/** Watches the node that is attacked. */
type NodeWatch = {
  /** What was seen since the last call. */
  seen(): Promise<{ readonly megabytes: number; readonly trouble: string | undefined }>
  stop(): void
}

export async function watchNode(database: Database, pid: number): Promise<NodeWatch> {
  const names = await namesOf(database)
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid))
  }, LOOK_EVERY_MS)
  return {
    seen: async () => {
      const megabytes = most
      most = 0
      const isTakenForDead = (await namesOf(database)) !== names
      const tooMuch = megabytes > MEMORY_BOUND_MB ? `more than ${MEMORY_BOUND_MB} MB` : undefined
      return { megabytes, trouble: isTakenForDead ? 'a node was taken for dead' : tooMuch }
    },
    stop: () => clearInterval(timer),
  }
}

/** The identifiers of the nodes: one that was taken for dead joins again under a new one. */
async function namesOf(database: Database): Promise<string> {
  const rows = await database.query<{ node_id: number }>('select node_id from nodes order by 1')
  return rows.map(({ node_id }) => node_id).join(' ')
}
