// npm run db:dump: applies the migrations to an empty database and writes the result to schema.sql.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

buildIfNeeded()
const { startEmbedded } = await import('../dist/src/store/embedded/server.js')
const { openDatabase } = await import('../dist/src/store/engine/database.js')
const { migrate } = await import('../dist/src/store/engine/migrate.js')
const { schemaText } = await import('../dist/harness/schema-text.js')

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-schema-'))
const server = await startEmbedded({ dataDir, log: () => {} })
try {
  const database = openDatabase(server.connection, 4)
  await migrate(database, join(root, 'migrations'))
  writeFileSync(join(root, 'schema.sql'), await schemaText((text) => database.query(text)))
  await database.close()
  console.log('schema.sql is up to date.')
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
