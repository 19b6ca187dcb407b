import { UNHELD } from '../../domain/ids.ts'
import { recordCutOff } from '../callbacks/sendings.ts'
import type { Db } from '../engine/database.ts'
import { absentNodes } from './absent-nodes.ts'

/**
 * Frees what is held by nodes that do not exist (any more); rows of living nodes are not touched. A
 * write that a dying node still had under way is found by a later round.
 */
export async function freeOrphans(db: Db, now: number): Promise<number> {
  let freed = await recordCutOff(db, now)
  for (const table of HELD_TABLES) freed += await freeIn(db, table)
  return freed
}

const HELD_TABLES = ['payments', 'callbacks', 'statements'] as const

/**
 * A node may have gone since its attempts were looked for. Its callbacks stay until these are found:
 * the node may be alive, and still at it.
 */
const UNLESS = {
  payments: '',
  callbacks: 'and not exists (select from sendings s where s.node_id = a.node)',
  statements: '',
} as const

async function freeIn(db: Db, table: (typeof HELD_TABLES)[number]): Promise<number> {
  const rows = await db.query<{ freed: string }>(
    `with ${absentNodes(table, 'holder', 'due_at is not null')}, freed as (
       update ${table} t set holder = ${UNHELD} from absent a
       where t.holder = a.node and t.due_at is not null ${UNLESS[table]}
       returning 1
     )
     select count(*) as freed from freed`,
    [],
    `free-orphans-${table}`,
  )
  return Number(rows[0]?.freed ?? 0)
}
