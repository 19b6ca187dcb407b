import { UNHELD } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** How late the oldest payment is that waits in the database for a node, in milliseconds. */
export async function findQueueAge(db: Db, now: number): Promise<number> {
  const [row] = await db.query<{ age: number | null }>(
    `select $1::float8 - extract(epoch from min(due_at))::float8 * 1000 as age
     from payments where holder = ${UNHELD} and due_at is not null`,
    [now],
    'queue-age',
  )
  return Math.max(0, row?.age ?? 0)
}
