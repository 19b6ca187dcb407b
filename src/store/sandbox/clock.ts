import type { Db } from '../engine/database.ts'

/** The test clock is one for the whole service: how far it is ahead of real time. */

/** How far the test clock is ahead; it is not moved by others before this transaction ends. */
export async function lockClock(tx: Db): Promise<number> {
  const rows = await tx.query<{ clock_offset_ms: string }>(
    'select clock_offset_ms from service_state for update',
  )
  return Number(rows[0]?.clock_offset_ms ?? 0)
}

/** Moves the test clock; undefined puts it back on real time. */
export async function moveClock(db: Db, byMs: number | undefined): Promise<number> {
  const rows = await db.query<{ clock_offset_ms: string }>(
    `update service_state
     set clock_offset_ms = case when $1::bigint is null then 0 else clock_offset_ms + $1 end
     returning clock_offset_ms`,
    [byMs ?? null],
  )
  return Number(rows[0]?.clock_offset_ms ?? 0)
}
