import { UNHELD } from '../domain/ids.ts'
import type { Db } from './database.ts'

/**
 * Frees what is held by nodes that do not exist (any more). It looks for the holders, of which
 * there are few, by jumping through the index from one to the next; rows of living nodes are not
 * touched. A write that a dying node still had under way is found by a later round.
 */
export async function freeOrphans(db: Db): Promise<number> {
  let freed = 0
  for (const table of HELD_TABLES) freed += await freeIn(db, table)
  return freed
}

const HELD_TABLES = ['payments', 'callbacks', 'statements'] as const

async function freeIn(db: Db, table: (typeof HELD_TABLES)[number]): Promise<number> {
  const rows = await db.query<{ freed: string }>(
    `with recursive holders as (
       select min(holder) as holder from ${table} where due_at is not null and holder > ${UNHELD}
       union all
       select (select min(t.holder) from ${table} t
               where t.due_at is not null and t.holder > h.holder)
       from holders h where h.holder is not null
     ), absent as (
       select holder from holders h
       where holder is not null
         and not exists (select from nodes n where n.node_id = h.holder)
     ), freed as (
       update ${table} t set holder = ${UNHELD} from absent a
       where t.holder = a.holder and t.due_at is not null
       returning 1
     )
     select count(*) as freed from freed`,
    [],
    `free-orphans-${table}`,
  )
  return Number(rows[0]?.freed ?? 0)
}
