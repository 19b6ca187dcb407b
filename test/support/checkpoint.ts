import assert from 'node:assert/strict'
import { attachEmbedded } from '../../src/store/embedded/server.ts'
import { openDatabase } from '../../src/store/engine/database.ts'

const WRITTEN_WITHIN_MS = 180_000

/** An embedded server with little left to write stops within its time, also on a slow disk. */
export async function checkpoint(dataDir: string): Promise<void> {
  const connection = await attachEmbedded({ dataDir })
  assert.ok(connection !== undefined, 'no server runs on the folder')
  const database = openDatabase(connection, 1, { statementMs: WRITTEN_WITHIN_MS })
  await database.query('checkpoint')
  await database.close()
}
