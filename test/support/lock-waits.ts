import assert from 'node:assert/strict'
import { eventually, type Service } from '../../harness/service.ts'

/** What the text of a step shows, of which PostgreSQL keeps the first kilobyte. */
export const STEP = 'to_timestamp\\(at_ms'

/**
 * Waits until a statement that matches the pattern waits for a lock, or as many of them. Nodes may
 * wait at the same time with others, so a count of all would be one of chance.
 */
export async function waitForLock(
  { database }: Pick<Service, 'database'>,
  pattern: string,
  count = 1,
): Promise<void> {
  await eventually(async () => {
    const waiting = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query ~ $1`,
      [pattern],
    )
    assert.ok(waiting.length >= count, `${waiting.length} of ${count}: ${pattern}`)
  })
}
