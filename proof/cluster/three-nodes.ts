/** Three nodes under load on a PostgreSQL of their own, and direct access to its tables. */
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import type { Verdict } from '../support/check.ts'
import type { KeptNode } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { createRecovery, type Recovery } from '../support/recovery.ts'
import { type Rig, setUpRig } from '../support/rig.ts'

type ThreeNodes = {
  readonly rig: Rig
  readonly nodes: readonly [KeptNode, KeptNode, KeptNode]
  readonly recovery: Recovery
  readonly database: Database
  judge(): Promise<readonly Verdict[]>
  close(): Promise<void>
}

export async function startThreeNodes(options: {
  readonly seed: number
  readonly operatorTakesMs: number
  /** The folder of the version that they run at first; by default this one. */
  readonly program?: string
}): Promise<ThreeNodes> {
  const { seed, operatorTakesMs, program } = options
  const postgres = await startPostgres()
  const recovery = createRecovery()
  const rig = await setUpRig({
    databaseUrl: postgres.url,
    nodes: 3,
    seed,
    ...(program === undefined ? {} : { program }),
    settings: { MALIPO_SANDBOX_DELAY_MS: String(operatorTakesMs) },
    onAccepted: recovery.accepted,
  })
  const database = openDatabase({ connectionString: postgres.url }, 2)
  return {
    rig,
    nodes: rig.nodes as [KeptNode, KeptNode, KeptNode],
    recovery,
    database,
    judge: () => rig.judge(postgres.url),
    close: async () => {
      await database.close()
      await rig.close()
      await postgres.remove()
    },
  }
}
