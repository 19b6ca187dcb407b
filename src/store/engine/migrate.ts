import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodesAtWork } from '../cluster/nodes.ts'
import type { Database, Db } from './database.ts'

/**
 * Numbered, forward-only SQL. A lock makes two nodes that start at once run each file once; a
 * schema newer than this program is refused, because this program would not know its rules.
 */
const LOCK = 0x6d616c69706f
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
/** How a file begins that older nodes do not notice: it adds what they need not know. */
const OLDER_NODES_GO_ON = /^-- Older nodes go on\b/

type Migration = {
  readonly number: number
  readonly file: string
  readonly sql: string
  readonly hash: string
}

type MigrationReport = { readonly applied: readonly string[]; readonly version: number }

export async function migrate(database: Database, folder: string): Promise<MigrationReport> {
  const migrations = readMigrations(folder)
  return database.inLongTransaction(async (tx) => {
    await requireServerVersion(tx)
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    await tx.query(
      `create table if not exists schema_migrations (
         number integer primary key, file text not null, hash text not null)`,
    )
    type Row = { number: number; file: string; hash: string }
    const done = await tx.query<Row>('select number, file, hash from schema_migrations order by 1')
    refuseNewer(done, migrations)
    refuseChanged(done, migrations)
    const open = migrations.filter((one) => !done.some((row) => row.number === one.number))
    await requireNobodyAtWork(tx, open)
    for (const one of open) await apply(tx, one)
    return { applied: open.map((one) => one.file), version: migrations.at(-1)?.number ?? 0 }
  })
}

/** What is still to be applied; everything, on a database that was never used. */
export async function pendingMigrations(db: Db, folder: string): Promise<readonly string[]> {
  const migrations = readMigrations(folder)
  if (!(await exists(db, 'schema_migrations'))) return migrations.map((one) => one.file)
  type Row = { number: number; file: string; hash: string }
  const done = await db.query<Row>('select number, file, hash from schema_migrations order by 1')
  refuseNewer(done, migrations)
  refuseChanged(done, migrations)
  const known = new Set(done.map((row) => row.number))
  return migrations.filter((one) => !known.has(one.number)).map((one) => one.file)
}

export function readMigrations(folder: string): readonly Migration[] {
  const files = readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .toSorted()
  return files.map((file) => {
    const sql = readFileSync(join(folder, file), 'utf8')
    const hash = createHash('sha256').update(sql).digest('hex')
    return { number: Number(file.slice(0, 4)), file, sql, hash }
  })
}

async function apply(tx: Db, migration: Migration): Promise<void> {
  await tx.query(migration.sql)
  await tx.query('insert into schema_migrations (number, file, hash) values ($1, $2, $3)', [
    migration.number,
    migration.file,
    migration.hash,
  ])
}

async function requireServerVersion(tx: Db): Promise<void> {
  const [row] = await tx.query<{ server_version_num: string; server_version: string }>(
    `select current_setting('server_version_num') as server_version_num,
            current_setting('server_version') as server_version`,
  )
  if (Number(row?.server_version_num) >= 150_000) return
  throw new Error(
    `PostgreSQL ${row?.server_version} is too old: Malipo needs version 15 or newer. ` +
      'Point DATABASE_URL at a newer server, or leave it out to use the embedded one.',
  )
}

/** An older node would go on writing by its own rules, and nothing would stop it. */
async function requireNobodyAtWork(tx: Db, open: readonly Migration[]): Promise<void> {
  const breaking = open.find((one) => !OLDER_NODES_GO_ON.test(one.sql))
  if (breaking === undefined || !(await exists(tx, 'nodes'))) return
  const atWork = await nodesAtWork(tx)
  if (atWork.length === 0) return
  throw new Error(
    `${breaking.file} changes what older nodes rely on, and there is one at work on this ` +
      `database: ${atWork.join('; ')}. Stop all nodes, make a backup, then start this version.`,
  )
}

async function exists(db: Db, table: string): Promise<boolean> {
  const [row] = await db.query<{ name: string | null }>('select to_regclass($1)::text as name', [
    table,
  ])
  return row?.name != null
}

function refuseNewer(
  done: readonly { number: number; file: string }[],
  known: readonly Migration[],
): void {
  const newest = known.at(-1)?.number ?? 0
  const unknown = done.find((row) => row.number > newest)
  if (unknown === undefined) return
  throw new Error(
    `The database has the schema of a newer Malipo (${unknown.file}); this one knows up to ` +
      `number ${newest}. Start the newer version, or restore a backup made before the upgrade.`,
  )
}

function refuseChanged(
  done: readonly { number: number; hash: string }[],
  known: readonly Migration[],
): void {
  for (const migration of known) {
    const row = done.find((one) => one.number === migration.number)
    if (row === undefined || row.hash === migration.hash) continue
    throw new Error(
      `${migration.file} differs from the text this database was made with. ` +
        'Migrations are never edited; add a new one instead.',
    )
  }
}
