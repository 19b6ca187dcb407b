import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../support/receiver.ts'
import { eventually, payer, startService } from '../support/service.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const MTN = 'MTN_MOMO_ZMB'
const table: readonly (readonly [name: string, changes: Record<string, unknown>, state: string])[] =
  [
    ['a plain deposit', {}, 'COMPLETED'],
    ['one that fails', { payer: payer('260763456049', MTN) }, 'FAILED'],
    [
      'one with everything a merchant may say',
      {
        amount: '1500.50',
        customerMessage: 'Invoice 0042',
        clientReferenceId: 'INV "42" \\ ünïcode 😀',
        metadata: [{ orderId: 'ORD-1' }, { customer: 'x@example.com', isPII: true }],
      },
      'COMPLETED',
    ],
  ]

describe('the callback', { timeout: 60_000 }, () => {
  for (const [name, changes, state] of table) {
    it(`of ${name} is the record that the status check answers`, async () => {
      const { id, body } = await service.deposit(changes)
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await service.reaches(id, state)
      const received = await eventually(() => {
        const found = receiver.received.find((one) => JSON.parse(one.body).depositId === id)
        assert.ok(found !== undefined)
        return found
      })
      assert.deepEqual(JSON.parse(received.body), record)
      // After a restart the payment is read from the database instead of memory.
      const second = await service.addNode()
      await second.post(`/v2/deposits/resend-callback/${id}`)
      await eventually(() => {
        const all = receiver.received.filter((one) => JSON.parse(one.body).depositId === id)
        assert.equal(all.length, 2)
        assert.equal(all[1]?.body, received.body)
      })
      await second.stop()
    })
  }
})
