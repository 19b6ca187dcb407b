import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { payout } from '../../harness/payouts.ts'
import { allAreSent, failForAnHour, startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { ATTEMPTS_AT_ONCE, OPENS_AFTER } from '../../src/domain/callbacks/breaker.ts'
import { assertInTime, isTooLate, untilInTime } from '../support/in-time.ts'

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

/** Requests that the receiver has in hand and has not answered, and since when the first hangs. */
const open: ServerResponse[] = []
let since = Number.POSITIVE_INFINITY
const hang = (response: ServerResponse): void => {
  since = Math.min(since, performance.now())
  open.push(response)
}
const settle = async (): Promise<void> => {
  receiver.answer(200)
  since = Number.POSITIVE_INFINITY
  for (const response of open.splice(0)) response.writeHead(200).end()
  await allAreSent(service)
}

describe('an endpoint that keeps failing', { timeout: 240_000 }, () => {
  it('gets one attempt at a time, is reported as failing, loses nothing, and recovers by itself', async () => {
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
    const payments: { readonly id: string }[] = []
    const state = async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${payments[0]?.id}`)
      return body[0]?.endpoint
    }
    await untilInTime(async () => {
      receiver.answer(failForAnHour)
      payments.push(...(await deposits(OPENS_AFTER)))
      await eventually(async () => assert.equal((await state())?.state, 'FAILING'))
      assert.match((await state()).since, /^\d{4}-/)
      assert.equal(await metric('malipo_callback_breakers_open'), 1)
      assert.ok((await metric('malipo_callback_age_seconds')) > 0)

      receiver.answer(hang)
      const before = receiver.received.length
      payments.push(...(await deposits(40)))
      // All of them are in the hands of the node, and still only one is under way.
      const held = await eventually(async () => {
        const count = await metric('malipo_callbacks_held')
        assert.ok((count === 40 && open.length > 0) || isTooLate(since))
        return count
      })
      const arrived = receiver.received.length - before
      assertInTime(since)
      assert.deepEqual([held, open.length, arrived], [40, 1, 1])
    }, settle)

    for (const { id } of payments) {
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
  const { origin } = new URL(receiver.url)
  const [hanging, working] = [{ deposit: `${origin}/hangs` }, { payout: `${origin}/ok` }]
  const arePaused = (count: number) =>
    eventually(async () => {
      const found = await service.database.query("select from callbacks where status = 'PAUSED'")
      assert.equal(found.length, count)
    })

  it('delays nothing that goes to its other paths', () =>
    untilInTime(
      async () => {
        await service.put('/sandbox/callbacks', { ...hanging, ...working })
        // All payments end while both paths are paused: what hangs then comes at once.
        receiver.answer(410)
        await Promise.all([service.deposit(), payout(service)])
        await arePaused(2)
        const [paid] = await Promise.all([
          Promise.all(Array.from({ length: 5 }, () => payout(service))),
          deposits(ATTEMPTS_AT_ONCE + 20),
        ])
        await arePaused(2 + 5 + ATTEMPTS_AT_ONCE + 20)

        receiver.answer((response) => {
          if (response.req.url === '/hangs') hang(response)
          else response.writeHead(200).end()
        })
        await service.put('/sandbox/callbacks', hanging)
        await eventually(() => assert.ok(open.length === ATTEMPTS_AT_ONCE || isTooLate(since)))
        const before = receiver.received.length
        await service.put('/sandbox/callbacks', working)
        for (const { id } of paid) {
          await eventually(() => {
            const later = receiver.received.slice(before)
            assert.ok(later.some((one) => one.path === '/ok' && one.body.includes(id)))
          })
        }
        assertInTime(since)
        // They came while every one of the others still hung, not because it was given up.
        assert.deepEqual(
          [open.length, open.some(({ closed }) => closed)],
          [ATTEMPTS_AT_ONCE, false],
        )
      },
      async () => {
        // Saved again, an address is paused no more.
        receiver.answer(200)
        await service.put('/sandbox/callbacks', { ...hanging, ...working })
        await settle()
      },
    ))
})
