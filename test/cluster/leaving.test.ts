import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'

/** How a process takes SIGTERM, and within which time, is shown by `drain.proof.ts`. */

const COUNT = 20
const OPERATOR_S = 600
const settings = { MALIPO_SANDBOX_DELAY_MS: String(OPERATOR_S * 1000) }
const staying = await startService(settings)
after(() => staying.stop())
const { database } = staying

const countOf = async (condition: string, values: readonly unknown[] = []): Promise<number> => {
  const rows = await database.query(`select from ${condition}`, values)
  return rows.length
}

it('a node that leaves holds nothing any more, and another one finishes its payments', async () => {
  const leaving = await staying.addNode(settings)
  const id = leaving.node.ctx.node.id()
  for (let count = 0; count < COUNT; count += 1) await leaving.deposit()
  // Nothing is under way any more: all of them wait for the operator.
  await eventually(async () => {
    assert.equal(await countOf("payments where state = 'PROCESSING'"), COUNT)
  })
  await leaving.stop()
  assert.equal(await countOf('payments where holder = $1', [id]), 0)
  assert.equal(await countOf('callbacks where holder = $1', [id]), 0)
  assert.equal(await countOf('sendings where node_id = $1', [id]), 0)
  assert.equal(await countOf('nodes where node_id = $1', [id]), 0)
  await eventually(async () => {
    await staying.advance(OPERATOR_S)
    assert.equal(await countOf("payments where state = 'COMPLETED'"), COUNT)
  })
})
