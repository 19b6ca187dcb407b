import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, it } from 'node:test'
import { failForAnHour, startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { freePorts } from '../support/ports.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const DELAYS = [
  5,
  15,
  45,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
]
const secondsBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 1000

/** The only delivery of the deposit, once it has at least that many attempts. */
const deliveryAfter = (id: string, attempts: number) =>
  eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body.length, 1)
    assert.ok(body[0].attempts.length >= attempts)
    return body[0]
  })

/** The same where no further attempt may have come. */
const deliveryWith = async (id: string, attempts: number) => {
  const delivery = await deliveryAfter(id, attempts)
  assert.equal(delivery.attempts.length, attempts)
  return delivery
}

async function now(): Promise<string> {
  const { body } = await service.get('/sandbox/clock')
  return body.now
}

describe('a callback that is not acknowledged', { timeout: 240_000 }, () => {
  it('is tried again after each delay in turn, then daily, given up after 7 days, and can be resent', async () => {
    receiver.answer(500)
    const before = receiver.received.length
    const { id } = await service.deposit()
    let delivery = await deliveryAfter(id, 1)
    const startedAt = delivery.attempts[0].at

    // The first delays are so short that the next attempt may have come by itself.
    const isNext = (count: number) => delivery.attempts.length > count
    for (let count = 1; isNext(count) || delivery.delivery === 'PENDING'; count += 1) {
      const last = delivery.attempts[count - 1]
      assert.equal(last.number, count)
      assert.equal(last.httpStatus, 500)
      assert.equal(last.answer, 'noted')
      assert.match(last.reason, /answered with 500 instead of a 2xx/)
      assert.equal(delivery.attempts.at(-1).nextAttempt, delivery.nextAttempt)
      // Jitter only shortens, and by a tenth at most; the attempt itself takes a moment.
      const delay = DELAYS[Math.min(count, DELAYS.length) - 1] ?? 0
      const waits = secondsBetween(last.at, last.nextAttempt)
      const isLast = secondsBetween(startedAt, last.nextAttempt) > 7 * DAY - 60
      assert.ok(isLast || waits >= delay * 0.9, `attempt ${count}: ${waits} s`)
      assert.ok(waits <= delay + 10, `attempt ${count}: ${waits} s`)
      assert.ok(secondsBetween(startedAt, last.nextAttempt) <= 7 * DAY)
      // Not before its time: most of the delay passes and nothing is sent. The clock runs on by itself.
      if (delay > 60 && !isLast) {
        await service.advance(Math.min(delay * 0.8, delay * 0.9 - 40))
        assert.equal((await deliveryWith(id, count)).delivery, 'PENDING')
      }
      await service.advance(Math.max(0, secondsBetween(await now(), last.nextAttempt)) + 0.01)
      delivery = await deliveryAfter(id, count + 1)
      assert.ok(delivery.attempts[count].at >= last.nextAttempt, `attempt ${count + 1} is early`)
    }
    assert.equal(delivery.delivery, 'GIVEN_UP')
    assert.equal(delivery.nextAttempt, undefined)
    const attempts = delivery.attempts.length
    assert.ok(attempts >= 18 && attempts <= 19, `${attempts} attempts`)
    assert.ok(secondsBetween(startedAt, delivery.attempts.at(-1).at) > 7 * DAY - 60)
    assert.equal(receiver.received.length, before + attempts)
    const signatures = new Set(receiver.received.slice(before).map((one) => one.headers.signature))
    assert.equal(signatures.size, attempts)

    await service.advance(3 * DAY)
    receiver.answer(200)
    await service.post(`/v2/deposits/resend-callback/${id}`)
    delivery = await deliveryWith(id, attempts + 1)
    assert.equal(delivery.delivery, 'DELIVERED')
    assert.equal(receiver.received.length, before + attempts + 1)
  })

  it('starts a new round of tries with a resend', async () => {
    receiver.answer(failForAnHour)
    const { id } = await service.deposit()
    await deliveryWith(id, 1)
    await service.advance(3600)
    await deliveryWith(id, 2)
    // Fails once more, and by the schedule alone.
    receiver.answer((response) => {
      receiver.answer(200)
      response.writeHead(404).end()
    })
    await service.post(`/v2/deposits/resend-callback/${id}`)
    const { attempts } = await deliveryAfter(id, 3)
    const waits = secondsBetween(attempts[2].at, attempts[2].nextAttempt)
    assert.ok(waits <= 10, `${waits} s`)
    await service.advance(5)
    assert.equal((await deliveryWith(id, 4)).delivery, 'DELIVERED')
  })

  it('is acknowledged by any 2xx', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      receiver.answer(status)
      const { id } = await service.deposit()
      const { delivery, attempts } = await deliveryWith(id, 1)
      assert.equal(delivery, 'DELIVERED')
      assert.equal(attempts[0].httpStatus, status)
      assert.equal(attempts[0].reason, undefined)
    }
  })

  it('goes to the current address', async () => {
    receiver.answer(failForAnHour)
    const { id } = await service.deposit()
    await deliveryWith(id, 1)
    const moved = await startReceiver()
    await service.put('/sandbox/callbacks', { deposit: moved.url })
    await service.advance(3600)
    const { delivery, attempts } = await deliveryWith(id, 2)
    assert.equal(delivery, 'DELIVERED')
    assert.deepEqual(
      attempts.map(({ url }: { url: string }) => url),
      [receiver.url, moved.url],
    )
    await moved.close()
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
  })

  it('says in plain words why it could not be delivered', async () => {
    const closed = await freePorts()
    const resetting = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve))
    const { port } = resetting.address() as { port: number }
    const table: readonly (readonly [url: string, reason: RegExp])[] = [
      [`http://127.0.0.1:${closed}/`, /^connection refused$/],
      [`http://127.0.0.1:${port}/`, /closed the connection|connection reset/],
      ['http://no-such-host.invalid/', /does not resolve/],
    ]
    for (const [url, reason] of table) {
      await service.put('/sandbox/callbacks', { deposit: url })
      const { id } = await service.deposit()
      const { attempts } = await deliveryAfter(id, 1)
      assert.match(attempts[0].reason, reason)
      assert.equal(attempts[0].httpStatus, undefined)
      assert.equal(attempts[0].url, url)
    }
    resetting.close()
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
  })
})
