import { UNHELD } from '../../domain/ids.ts'

/**
 * Names of nodes that a table speaks of and that do not exist (any more), as `absent (node)`. It
 * jumps through the index from one name to the next, of which there are few; rows are not touched.
 */
export const absentNodes = (table: string, column: string, where = 'true'): string => `
  recursive names as (
    select min(${column}) as node from ${table} where ${where} and ${column} > ${UNHELD}
    union all
    select (select min(t.${column}) from ${table} t where ${where} and t.${column} > n.node)
    from names n where n.node is not null
  ), absent as (
    select node from names a
    where node is not null and not exists (select from nodes n where n.node_id = a.node)
  )`
