// One PostgreSQL with a migrated template; tests clone it and find it through the environment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function startTestDatabase() {
  const { startEmbedded } = await import('../dist/src/store/embedded/server.js')
  const { openDatabase } = await import('../dist/src/store/engine/database.js')
  const { migrate } = await import('../dist/src/store/engine/migrate.js')
  const dataDir = mkdtempSync(join(tmpdir(), 'malipo-test-'))
  // These tests are about what the program does; durability has tests with servers of their own.
  // Every service has a database of its own: looking through hundreds of them would never end.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    autovacuum: 'off',
  }
  const embedded = await startEmbedded({ dataDir, settings, log: () => {} })
  const database = openDatabase(embedded.connection, 2)
  await migrate(database, join(root, 'migrations'))
  await database.close()
  process.env.MALIPO_TEST_DATABASE = embedded.url
  return {
    stop: async () => {
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
