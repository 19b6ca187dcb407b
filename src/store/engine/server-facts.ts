import type { Db } from './database.ts'

/** What a database server says about itself, for the people who run it. */
export type ServerFacts = {
  readonly version: string
  readonly versionNumber: number
  /** Of the server, when it answered. */
  readonly nowMs: number
  readonly isStandby: boolean
  /** Of this database, in bytes. */
  readonly size: number
  readonly connections: number
  readonly maxConnections: number
  readonly settings: Readonly<Record<string, string>>
}

const SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'autovacuum',
  'data_checksums',
  'wal_compression',
  'max_wal_size',
  'checkpoint_timeout',
] as const

export async function readServerFacts(db: Db): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as "versionNumber",
       (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
       pg_is_in_recovery() as "isStandby",
       pg_database_size(current_database())::float8 as size,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::int as "maxConnections",
       (select jsonb_object_agg(name, current_setting(name, true)) from unnest($1::text[]) as name)
         as settings`,
    [SETTINGS],
  )
  if (facts === undefined) throw new Error('the server does not describe itself')
  return facts
}
