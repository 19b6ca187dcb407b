import { chanceOf } from '../../harness/random/chance.ts'
import type { Client } from './client.ts'
import type { Plan } from './plan.ts'
import type { Rig } from './rig.ts'
import type { Generation } from './world.ts'

const CONTRADICTED = `
  select c.merchant_id as merchant, c.payment_id as id from cases c
  join payments p on p.merchant_id = c.merchant_id and p.key = c.payment_key
  where c.cause = 'CONTRADICTION' and c.kind = 'deposit' and p.state = 'COMPLETED'
  order by c.payment_key`

/**
 * Asks for a refund of each deposit whose outcome the operator has contradicted. This is too rare
 * in a plan, and here the case is known to exist before.
 */
export async function refundDisputed(rig: Rig, client: Client, plan: Plan): Promise<void> {
  const chance = chanceOf(plan.seed + 1)
  const rows = await rig.database.query<{ merchant: number; id: string }>(CONTRADICTED)
  for (const [index, row] of rows.entries()) {
    const generation: Generation = index % 2 === 0 ? 'v2' : 'v1'
    await client.act({
      ...{ do: 'ask', kind: 'refund', isBulk: false, scripts: [], copies: 1, persists: true },
      ...{ merchant: rig.merchants.findIndex(({ id }) => id === row.merchant), waitMs: 0 },
      node: index % 4 < 2 ? 0 : 1,
      generation,
      bodies: [{ refundId: chance.uuid(), depositId: row.id }],
    })
  }
}
