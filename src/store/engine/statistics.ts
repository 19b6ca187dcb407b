import type { Db } from './database.ts'

/** After so many payments, and again after ten times as many: what is typical changes ever more slowly. */
const FIRST = 100
const NEXT = 10

/**
 * PostgreSQL collects statistics up to a minute after a table was filled. Until then two indexes that
 * begin with the same columns look equal to its planner, and a first load would read all payments of a
 * merchant to find one. So a node has them collected as soon as there is something to collect.
 *
 * Returns what to call with each number of payments that were accepted or went on.
 */
export function createStatistics(db: Db): (payments: number) => void {
  let seen = 0
  let next = FIRST
  return (payments) => {
    seen += payments
    if (seen < next) return
    next = seen * NEXT
    collectMissing(db).catch(() => {
      // Asked again soon: it is a matter of speed alone, and autovacuum does the same later.
      next = seen + FIRST * NEXT
    })
  }
}

/**
 * Of the tables that this role may analyze: those of which the server knows nothing, as after a restore,
 * and those that have doubled since. It waits for nobody who is at work on one of them.
 */
async function collectMissing(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     left join pg_stat_user_tables s on s.relid = c.oid
     where c.relkind = 'r' and pg_table_is_visible(c.oid) and n.nspname !~ '^pg_|^information_schema$'
       and pg_has_role(c.relowner, 'usage') and pg_relation_size(c.oid) > 0
       and (s.n_mod_since_analyze > greatest(c.reltuples, 0)
            or not exists (select from pg_stats k
                           where k.schemaname = n.nspname and k.tablename = c.relname))`,
  )
  if (tables.length === 0) return
  await db.query(`analyze (skip_locked) ${tables.map(({ name }) => name).join(', ')}`)
}
