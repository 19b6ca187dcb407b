import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { ATTEMPTS_AT_ONCE, OPENS_AFTER } from '../../src/domain/breaker.ts'
import { assertInTime, isTooLate, untilInTime } from '../support/in-time.ts'
import { payout } from '../support/payouts.ts'
import { failForAnHour, startReceiver } from '../support/receiver.ts'
import { eventually, startService } from '../support/service.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await receiver.close()
  await service.stop()
})

const deposits = (count: number) =>
  Promise.all(Array.from({ length: count }, () => service.deposit()))

async function metric(name: string): Promise<number> {
  const { body } = await service.get('/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
}

describe('an endpoint that keeps failing', { timeout: 240_000 }, () => {
  it('gets one attempt at a time, is said to fail, loses nothing, and recovers by itself', async () => {
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
    receiver.answer(failForAnHour)
    const first = await deposits(OPENS_AFTER)
    const state = async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${first[0]?.id}`)
      return body[0]?.endpoint
    }
    await eventually(async () => assert.equal((await state())?.state, 'FAILING'))
    assert.match((await state()).since, /^\d{4}-/)
    assert.equal(await metric('malipo_callback_breakers_open'), 1)
    assert.ok((await metric('malipo_callback_age_seconds')) > 0)

    const open: ServerResponse[] = []
    receiver.answer((response) => void open.push(response))
    const before = receiver.received.length
    const more = await deposits(40)
    // All of them are in the hands of the node, and still only one is under way.
    await eventually(async () => assert.equal(await metric('malipo_callbacks_held'), 40))
    await eventually(() => assert.equal(open.length, 1))
    assert.equal(receiver.received.length, before + 1)

    receiver.answer(200)
    open[0]?.writeHead(200).end()
    await service.advance(3600)
    for (const { id } of [...first, ...more]) {
      await eventually(async () => {
        const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
        assert.equal(body[0].delivery, 'DELIVERED')
      })
    }
    assert.equal((await state()).state, 'ACTIVE')
    assert.equal(await metric('malipo_callback_breakers_open'), 0)
  })
})

describe('one path of a server that hangs', { timeout: 240_000 }, () => {
  it('holds up nothing that goes to its other paths', async () => {
    const { origin } = new URL(receiver.url)
    await service.put('/sandbox/callbacks', { deposit: `${origin}/hangs`, payout: `${origin}/ok` })
    await untilInTime(async () => {
      const open: ServerResponse[] = []
      let since = Number.POSITIVE_INFINITY
      receiver.answer((response) => {
        since = Math.min(since, performance.now())
        if (response.req.url === '/hangs') open.push(response)
        else response.writeHead(200).end()
      })
      try {
        await deposits(ATTEMPTS_AT_ONCE + 20)
        await eventually(() => assert.ok(open.length === ATTEMPTS_AT_ONCE || isTooLate(since)))
        const paid = await Promise.all(Array.from({ length: 5 }, () => payout(service)))
        for (const { id } of paid) {
          await eventually(() => {
            assert.ok(receiver.received.some((one) => one.path === '/ok' && one.body.includes(id)))
          })
        }
        assertInTime(since)
        // They came while every one of the others still hung, not because it was given up.
        assert.ok(open.every((response) => !response.closed))
      } finally {
        receiver.answer(200)
        for (const response of open.splice(0)) response.writeHead(200).end()
        await allAreTold()
      }
    })
  })
})

const allAreTold = () =>
  eventually(async () => {
    await service.advance(60)
    const [left] = await service.database.query(
      'select count(*)::int as count from callbacks where due_at is not null',
    )
    assert.deepEqual(left, { count: 0 })
  })
