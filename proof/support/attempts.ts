import type { Kind } from '../../harness/every-kind.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { Received } from './listener.ts'
import { nameOf } from './names.ts'

type Attempts = {
  readonly kind: Kind
  readonly id: string
  readonly state: string
  readonly status: string
  readonly attempts: number
  readonly numbers: readonly (number | null)[]
  readonly answered: number
  readonly ok: number
}

/** Including those that a kill interrupted, before or after they arrived. */
export async function attempts(db: Db, received: ReadonlyMap<string, Received>) {
  const rows = await readAttempts(db)
  const findings = rows.flatMap(({ kind, id, state, status, attempts: count, numbers, ...row }) => {
    const name = `${kind} ${id} ${state}`
    const states = received.get(nameOf(kind, id))?.states ?? []
    const arrived = states.filter((one) => one === state).length
    const isWhole = numbers.join() === Array.from({ length: count }, (_, at) => at + 1).join()
    if (!isWhole) return [`${name}: ${count} attempts, but recorded are ${numbers.join()}`]
    if (status === 'DELIVERED' && row.ok === 0)
      return [`${name} is delivered, but no attempt succeeded`]
    const isPossible = arrived >= row.answered && arrived <= count
    if (isPossible) return []
    return [`${name}: ${arrived} received, ${row.answered} answered, ${count} recorded`]
  })
  return {
    guarantee: 'each attempt of a callback is recorded',
    checked: rows.length,
    findings,
  }
}

export const readAttempts = (db: Db): Promise<readonly Attempts[]> => db.query<Attempts>(ATTEMPTS)

const ATTEMPTS = `
select c.kind, c.payment_id as id, c.state, c.status, c.attempts,
  array_agg(a.attempt order by a.attempt) as numbers, count(a.http_status)::int as answered,
  (count(*) filter (where a.http_status between 200 and 299))::int as ok
from callbacks c
left join kept_attempts a on a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
  and a.state = c.state
where c.attempts > 0
group by c.merchant_id, c.payment_key, c.state`
