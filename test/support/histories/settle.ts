import assert from 'node:assert/strict'
import { OPERATIONS, PLACES } from '../../../harness/random/world.ts'
import { eventually } from '../../../harness/service.ts'
import type { Plan } from './plan.ts'
import type { Stage } from './stage.ts'

/**
 * The end of a history: every provider works, the receiver answers, and the clock goes on until
 * nothing is left to do. Numbers that stay PROCESSING for ever are not waited for.
 */
export async function settle(plan: Plan, stage: Stage): Promise<void> {
  stage.receive('well')
  const changes = PLACES.flatMap(({ provider }) =>
    OPERATIONS.map((operationType) => ({ provider, operationType, status: 'OPERATIONAL' })),
  )
  for (const merchant of plan.merchants.keys()) {
    const at = { node: 0, merchant } as const
    const answers = await Promise.all(
      changes.map((change) => stage.call(at, 'PUT', '/sandbox/availability', change)),
    )
    assert.ok(answers.every(({ status }) => status === 204))
  }
  await eventually(async () => {
    await stage.service.advance(7200)
    assert.deepEqual(await stage.service.database.query(OPEN), [])
  }, 60_000)
}

const OPEN = `
select p.kind, p.id, p.state, p.holder, p.due_at from payments p
where p.due_at is not null
  and not (p.state = 'PROCESSING' and p.phone_number like '%129')
  and not (p.state = 'WAITING' and exists (
    select from payments d where d.merchant_id = p.merchant_id and d.kind = 'deposit'
      and d.id = p.split_id and d.state = 'PROCESSING' and d.phone_number like '%129'))
union all
select 'callback of ' || c.kind, c.payment_id, c.status, c.holder, c.due_at from callbacks c
join callback_urls u on u.merchant_id = c.merchant_id and u.kind = c.kind
where c.due_at is not null
union all
select 'checkout', id, state, 0, due_at from checkouts where due_at is not null
union all
select 'news', null, reference, 0, news_due_at from sandbox_orders where news_due_at is not null`
