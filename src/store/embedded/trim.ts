import type { Db } from '../engine/database.ts'

/**
 * A server that will never make another database needs no models of one: half of its files. To
 * PostgreSQL they are databases like others, once they are not marked.
 */
export async function dropModels(db: Db): Promise<void> {
  await db.query("update pg_database set datistemplate = false where datname like 'template_'")
  await db.query('drop database if exists template0')
  await db.query('drop database if exists template1')
}
