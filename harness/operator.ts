import assert from 'node:assert/strict'
import { eventually, type Service } from './service.ts'

/**
 * Waits until the simulated operator has the order. A payment is PROCESSING a moment before, and
 * a clock moved in that moment does not count for the operator.
 */
export async function reachesOperator(service: Service, id: string): Promise<void> {
  await eventually(async () => {
    const rows = await service.database.query(
      `select from payments p join sandbox_orders o
         on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
       where p.id = $1`,
      [id],
    )
    assert.equal(rows.length, 1)
  })
}

/** Moves the clock in small steps until the deposit is in the state. */
export async function advanceUntil(
  service: Service,
  id: string,
  status: string,
): Promise<Record<string, unknown>> {
  return eventually(async () => {
    await service.advance(5)
    const { body } = await service.get(`/v2/deposits/${id}`)
    assert.equal(body.data?.status, status)
    return body.data
  })
}
