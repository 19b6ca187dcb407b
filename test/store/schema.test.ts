import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { schemaText } from '../../harness/schema-text.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { emptyDatabase, ROOT, sql } from '../node/program.ts'

const file = readFileSync(join(ROOT, 'schema.sql'), 'utf8')

const schemaOf = (url: string): Promise<string> => schemaText((text) => sql(url, text))

it('the migrations on an empty database give schema.sql', async () => {
  const url = await emptyDatabase()
  const database = openDatabase({ connectionString: url }, 4)
  await migrate(database, MIGRATIONS_FOLDER)
  await database.close()
  assert.equal(await schemaOf(url), file, 'run "npm run db:dump" after adding a migration')
})

it('schema.sql leaves nothing out: run on an empty database it gives itself', async () => {
  const url = await emptyDatabase()
  await sql(url, file)
  assert.equal(await schemaOf(url), file)
})
