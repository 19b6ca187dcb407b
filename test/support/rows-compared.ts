import type { Db } from '../../src/store/engine/database.ts'

type Plan = { readonly 'Rows Removed by Join Filter'?: number; readonly Plans?: readonly Plan[] }

/** How many pairs of rows the statements of the work compare in vain. They take effect, and answer no rows. */
export async function rowsCompared(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
  let compared = 0
  await work({
    query: async (text, values) => {
      const rows = await db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      )
      for (const row of rows) for (const { Plan } of row['QUERY PLAN']) compared += comparedIn(Plan)
      return []
    },
  })
  return compared
}

const comparedIn = ({ Plans = [], 'Rows Removed by Join Filter': removed = 0 }: Plan): number =>
  Plans.reduce((sum, plan) => sum + comparedIn(plan), removed)
