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
  for (const table of HELD_TABLES) freed += await freeIn(db, table, now)
  return freed
}

const HELD = 'due_at is not null'

const HELD_TABLES = ['payments', 'callbacks', 'statements', 'exports', 'bulk_payouts'] as const

const anyOf = (table: string, column: string, where?: string): string =>
  `exists (with ${absentNodes(table, column, where)} select from absent)`

/** Whether anything is held, or was being sent, by nodes that do not exist. */
export const ANY_ORPHANS = [
  anyOf('sendings', 'node_id'),
  ...HELD_TABLES.map((table) => anyOf(table, 'holder', HELD)),
].join(' or ')

/**
 * What a node held it was about to do, so it is due, also where it was dated by a test clock that has
 * been put back since. Callbacks keep their time: an attempt may still be under way until then.
 */
const IS_DUE = {
  payments: true,
  callbacks: false,
  statements: true,
  exports: true,
  bulk_payouts: true,
} as const

/**
 * A node may have gone since its attempts were looked for. Its callbacks stay until these are found:
 * the node may be alive, and still at it.
 */
const UNLESS = {
  payments: '',
  callbacks: 'and not exists (select from sendings s where s.node_id = t.holder)',
  statements: '',
  bulk_payouts: '',
  exports: '',
} as const

/** The names are an array, since PostgreSQL may join them to the table by reading all that is due. */
async function freeIn(db: Db, table: (typeof HELD_TABLES)[number], now: number): Promise<number> {
  const rows = await db.query<{ freed: string }>(
    `with ${absentNodes(table, 'holder', HELD)}, freed as (
       update ${table} t
       set holder = ${UNHELD},
           due_at = case when ${IS_DUE[table]} then least(t.due_at, to_timestamp($1::float8 / 1000))
             else t.due_at end
       where t.holder = any (array(select node from absent)) and t.due_at is not null
         ${UNLESS[table]}
       returning 1
     )
     select count(*) as freed from freed`,
    [now],
    `free-orphans-${table}`,
  )
  return Number(rows[0]?.freed ?? 0)
}
