import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { itInProofs } from '../../harness/scale.ts'
import { eventually, startService } from '../../harness/service.ts'
import {
  DOUBTFUL_KINDS,
  doubtfulPayments,
  gainOf,
  moneyOf,
  type Step,
} from '../support/doubtful-payments.ts'

const service = await startService()
const second = await service.addNode()
const receiver = await startReceiver()
const payments = doubtfulPayments(service, receiver)
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url, payout: receiver.url })

const HOUR = 3600
const OPEN_DOUBT = { cause: 'UNKNOWN_OUTCOME', reported: null, resolution: null, by: null }

const ENDINGS: readonly (readonly [last: Omit<Step, 'afterSeconds'>, status: string])[] = [
  [{ answer: 'done' }, 'COMPLETED'],
  [{ answer: 'failed', failureCode: 'INSUFFICIENT_BALANCE' }, 'FAILED'],
]

for (const kind of DOUBTFUL_KINDS) {
  for (const [last, status] of ENDINGS) {
    describe(`a ${kind} that ends ${status}`, { timeout: 540_000 }, () => {
      const afterSilence = (afterSeconds: number): readonly Step[] => [
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds, ...last },
      ]

      it('is a case from 60 s of silence on until the operator speaks, days later', async () => {
        const before = await moneyOf(service)
        const payment = await payments.start(kind, afterSilence(50 * HOUR))
        await service.advance(40)
        assert.equal(await payment.status(), 'PROCESSING')
        assert.deepEqual(await payment.cases(), [])
        await service.advance(21)
        await payment.reaches('IN_RECONCILIATION')
        assert.deepEqual(await payment.cases(), [OPEN_DOUBT])
        for (let hours = 0; hours < 48; hours += 8) {
          await service.advance(8 * HOUR)
          assert.equal(await payment.status(second), 'IN_RECONCILIATION')
        }
        assert.deepEqual(payment.callbacks(), [])
        // The money of a payout is held all the time; it is neither back nor gone.
        const held = kind === 'payout' ? 15 : 0
        assert.deepEqual(await moneyOf(service), {
          wallet: before.wallet - held,
          reserve: before.reserve + held,
        })

        await service.advance(3 * HOUR)
        const record = await payment.reaches(status)
        await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
        const closed = { ...OPEN_DOUBT, resolution: status, by: 'provider' }
        assert.deepEqual(await payment.cases(), [closed])
        const line = ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', status]
        assert.deepEqual(await payment.timeLine(), line)
        assert.deepEqual(await payment.asked(), [1])
        const wallet = before.wallet + gainOf(kind, status)
        assert.deepEqual(await moneyOf(service), { wallet, reserve: before.reserve })
      })

      // One of each: which kind it is, and how it ends, makes no difference to these.
      const once = kind === 'payout' && status === 'FAILED' ? it : itInProofs
      once('is no case when the answer is late but look-ups work', async () => {
        const payment = await payments.start(kind, [
          { afterSeconds: 0, answer: 'unknown' },
          { afterSeconds: 5 * HOUR, ...last },
        ])
        for (let hours = 0; hours < 4; hours += 1) {
          await service.advance(HOUR)
          assert.equal(await payment.status(), 'PROCESSING')
        }
        await service.advance(2 * HOUR)
        const record = await payment.reaches(status, second)
        await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
        assert.deepEqual(await payment.timeLine(), ['ACCEPTED', 'PROCESSING', status])
        assert.deepEqual(await payment.cases(), [])
        assert.deepEqual(await payment.asked(), [1])
      })

      once('is looked up by the remaining node when the other one stops', async () => {
        const third = await service.addNode()
        const payment = await payments.start(kind, afterSilence(3 * HOUR), third)
        await service.advance(70)
        await payment.reaches('IN_RECONCILIATION')
        await third.stop()
        await service.advance(HOUR)
        assert.equal(await payment.status(second), 'IN_RECONCILIATION')
        await service.advance(3 * HOUR)
        const record = await payment.reaches(status, second)
        await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
        assert.deepEqual(await payment.asked(), [1])
      })
    })
  }
}
