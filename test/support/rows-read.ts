import type { Database, Db } from '../../src/store/engine/database.ts'

/** How many rows of a table the work looks at. */
export function rowsRead(
  database: Database,
  table: string,
  work: (tx: Db) => Promise<unknown>,
): Promise<number> {
  return database.inTransaction(async (tx) => {
    const before = await readSoFar(tx, table)
    await work(tx)
    return (await readSoFar(tx, table)) - before
  })
}

/** By this connection; the server adds up for longer than one transaction. */
async function readSoFar(tx: Db, table: string): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = $1`,
    [table],
  )
  return row?.read ?? 0
}
