import type { Db } from './database.ts'

/** So many rows tell the planner which index is the selective one, and fewer are read in no time. */
const ENOUGH_ROWS = 100

/**
 * PostgreSQL collects statistics up to a minute after a table was filled. Until then two indexes that
 * begin with the same columns look equal to its planner, and a first load would read all payments of a
 * merchant to find one. So a node has them collected as soon as there is something to collect.
 *
 * Returns what to call with each number of payments that were accepted.
 */
export function createStatistics(db: Db): (accepted: number) => void {
  let rows = 0
  let isAsked = false
  return (accepted) => {
    if (isAsked) return
    rows += accepted
    if (rows < ENOUGH_ROWS) return
    isAsked = true
    collectMissing(db).catch(() => {
      // The database is away; others say so. The next hundred payments ask again.
      rows = 0
      isAsked = false
    })
  }
}

/** Of the tables of Malipo that have rows, and of which the server knows nothing. */
async function collectMissing(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and reltuples < 0
       and pg_relation_size(oid) > 0`,
  )
  if (tables.length > 0) await db.query(`analyze ${tables.map(({ name }) => name).join(', ')}`)
}
