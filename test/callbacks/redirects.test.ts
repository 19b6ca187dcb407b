import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
const [receiver, target] = await Promise.all([startReceiver(), startReceiver()])
after(async () => {
  await service.stop()
  await Promise.all([receiver.close(), target.close()])
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

describe('a redirect', { timeout: 240_000 }, () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is not followed, not an acknowledgement, and reported in plain words`, async () => {
      // No retry comes while the test looks.
      const headers = { location: target.url, 'retry-after': '3600' }
      receiver.answer((response) => response.writeHead(status, headers).end())
      const { id } = await service.deposit()
      const delivery = await eventually(async () => {
        const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
        assert.equal(body[0].attempts.length, 1)
        return body[0]
      })
      assert.equal(delivery.delivery, 'PENDING')
      assert.equal(delivery.attempts[0].httpStatus, status)
      assert.match(delivery.attempts[0].reason, /redirects are not followed/)
      assert.equal(target.received.length, 0)
    })
  }
})
