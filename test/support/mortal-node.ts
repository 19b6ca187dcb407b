import type { Service } from '../../harness/service.ts'
import { type DatabaseLink, startDatabaseLink } from './database-link.ts'

/** A node of this process that can die: it writes and reads nothing any more, and says no goodbye. */
type MortalNode = Service & {
  /** Its traffic with the database can be delayed or lost on the way. */
  readonly link: DatabaseLink
  /** As `kill -9` does, in the middle of whatever it does. Others see that its process is gone. */
  kill(): Promise<void>
}

/** Larger than any that a system gives to a process. */
const NO_PROCESS = 2 ** 30

/** Another node on the database of the service. Stopped at the end of the test, dead or alive. */
export async function addMortalNode(
  service: Service,
  test: { after(work: () => Promise<void>): void },
  settings: Record<string, string> = {},
): Promise<MortalNode> {
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url, ...settings })
  test.after(async () => {
    // A node ends in good order only where it reaches its database.
    link.recover()
    link.cut()
    await node.stop()
    await link.close()
  })
  return {
    ...node,
    link,
    kill: async () => {
      const id = node.node.ctx.node.id()
      link.swallow()
      link.cut()
      await service.database.query('update nodes set pid = $2 where node_id = $1', [id, NO_PROCESS])
    },
  }
}
