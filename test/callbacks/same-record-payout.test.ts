import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  MTN,
  payout,
  reachesPayout,
  recipient,
  setBalance,
  switchPayouts,
} from '../../harness/payouts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
const second = await service.addNode()
const receiver = await startReceiver()
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { payout: receiver.url })

type Steps = {
  readonly before?: () => Promise<void>
  readonly next?: (id: string) => Promise<void>
}

const table: readonly (readonly [name: string, changes: object, state: string, steps?: Steps])[] = [
  ['a plain payout', {}, 'COMPLETED'],
  ['one that the operator refuses', { recipient: recipient('260763456119', MTN) }, 'FAILED'],
  [
    'one with everything a merchant may say',
    {
      amount: '1500.50',
      customerMessage: 'Salary 0042',
      clientReferenceId: 'INV "42" \\ ünïcode 😀',
      metadata: [{ orderId: 'ORD-1' }, { customer: 'x@example.com', isPII: true }],
    },
    'COMPLETED',
  ],
  [
    'one for which there was too little money',
    {},
    'FAILED',
    { before: () => setBalance(service, '0'), next: () => setBalance(service, '1000000') },
  ],
  [
    'one that was cancelled while enqueued',
    {},
    'FAILED',
    {
      before: () => switchPayouts(service, 'DELAYED'),
      next: async (id) => {
        await reachesPayout(service, id, 'ENQUEUED')
        await service.post(`/v2/payouts/fail-enqueued/${id}`)
        await switchPayouts(service, 'OPERATIONAL')
      },
    },
  ],
  [
    'one that was enqueued',
    {},
    'COMPLETED',
    {
      before: () => switchPayouts(service, 'DELAYED'),
      next: async (id) => {
        await reachesPayout(service, id, 'ENQUEUED')
        await switchPayouts(service, 'OPERATIONAL')
      },
    },
  ],
]

describe('the callback', { timeout: 240_000 }, () => {
  for (const [name, changes, state, steps] of table) {
    it(`of ${name} is the record that the status check answers`, async () => {
      await steps?.before?.()
      const { id, body } = await payout(service, { ...changes })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      await steps?.next?.(id)
      const record = await reachesPayout(service, id, state)
      const received = (): string[] =>
        receiver.received.map((one) => one.body).filter((one) => one.includes(id))
      await eventually(() => assert.equal(received().length, 1))
      assert.deepEqual(JSON.parse(received()[0] ?? ''), record)
      // The other node reads the payment from the database instead of memory.
      assert.deepEqual(await reachesPayout(second, id, state), record)
      await second.post(`/v2/payouts/resend-callback/${id}`)
      await eventually(() => assert.equal(received().length, 2))
      assert.equal(received()[1], received()[0])
    })
  }
})
