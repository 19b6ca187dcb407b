import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRefusals } from '../../src/http/admission-control.ts'

it('refusals are sent at a fixed rate and in order, and at once if too many wait', async () => {
  const refusals = createRefusals()
  const order: number[] = []
  const turns = Array.from({ length: 5000 }, (_, at) =>
    refusals.turn()?.then(() => void order.push(at)),
  )
  const waits = turns.map((turn) => turn !== undefined)
  assert.equal(waits.indexOf(true), 20)
  assert.equal(waits.lastIndexOf(true), 20 + 4096 - 1)
  await Promise.all(turns.slice(0, 120))
  assert.deepEqual(
    order.slice(0, 100),
    Array.from({ length: 100 }, (_, at) => 20 + at),
  )
  // Who comes meanwhile goes behind those who wait.
  assert.ok(order.length < 4096)
  await Promise.all(turns)
  assert.equal(order.length, 4096)
})
