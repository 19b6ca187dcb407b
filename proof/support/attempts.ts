import type { Kind } from '../../harness/every-kind.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { Told } from './listener.ts'
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

/** Also those that a kill cut off, before or after they came in. */
export async function attempts(db: Db, told: ReadonlyMap<string, Told>) {
  const rows = await db.query<Attempts>(ATTEMPTS)
  const findings = rows.flatMap(({ kind, id, state, status, attempts: count, numbers, ...row }) => {
    const name = `${kind} ${id} ${state}`
    const received = told.get(nameOf(kind, id))?.states.filter((one) => one === state).length ?? 0
    const isWhole = numbers.join() === Array.from({ length: count }, (_, at) => at + 1).join()
    if (!isWhole) return [`${name}: ${count} attempts, on record are ${numbers.join()}`]
    if (status === 'DELIVERED' && row.ok === 0) return [`${name} is delivered by no attempt`]
    const isLikely = received >= row.answered && received <= count
    if (isLikely) return []
    return [`${name}: ${received} received, ${row.answered} answered, ${count} on record`]
  })
  return {
    guarantee: 'each attempt of a callback is on record',
    checked: rows.length,
    findings,
  }
}

const ATTEMPTS = `
select c.kind, c.payment_id as id, c.state, c.status, c.attempts,
  array_agg(a.attempt order by a.attempt) as numbers, count(a.http_status)::int as answered,
  (count(*) filter (where a.http_status between 200 and 299))::int as ok
from callbacks c
left join callback_attempts a on a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
  and a.state = c.state
where c.attempts > 0
group by c.merchant_id, c.payment_key, c.state`
