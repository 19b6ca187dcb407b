import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../harness/receiver.ts'
import { eventually, type Service } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, assertEmpty, reason } from '../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
const second = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
  await second.close()
})

const path = '/sandbox/callbacks'
const set = (urls: unknown) => service.put(path, urls)

async function deliveriesOfNew(): Promise<{ id: string; list: unknown[] }> {
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  return { id, list: (await service.get(`/sandbox/deliveries?paymentId=${id}`)).body }
}

it('without an address nothing is sent', async () => {
  assert.deepEqual((await deliveriesOfNew()).list, [])
})

it('an address is used from the next payment on', async () => {
  assertEmpty(await set({ deposit: receiver.url }))
  const { id } = await deliveriesOfNew()
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '').depositId, id)
})

it('a new address takes the place of the old one', async () => {
  assertEmpty(await set({ deposit: `${second.url}?shop=7` }))
  await deliveriesOfNew()
  await eventually(() => assert.equal(second.received.length, 1))
  assert.equal(second.received[0]?.path, '/callbacks?shop=7')
  assert.equal(receiver.received.length, 1)
})

it('each kind has its own address, and one not named stays', async () => {
  assertEmpty(await set({ payout: receiver.url, refund: null }))
  assertEmpty(await set({}))
  await deliveriesOfNew()
  await eventually(() => assert.equal(second.received.length, 2))
})

it('every kind can be set at once', async () => {
  const kinds = ['deposit', 'payout', 'refund', 'remittance', 'splitPayment', 'checkout']
  assertEmpty(await set(Object.fromEntries(kinds.map((kind) => [kind, second.url]))))
})

describe('a receiver that is set to fail', () => {
  const fails = (wanted: unknown, at: Service = service) =>
    at.put('/sandbox/receiver', { fails: wanted })
  /** Nobody asks to wait in the place of the receiver: the next attempt may have come too. */
  const firstAttemptOf = (id: string) =>
    eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.ok(body[0]?.attempts.length >= 1)
      return body[0].attempts[0]
    })

  it('is not called; the attempts say so, also of a node that starts later', async () => {
    assertEmpty(await set({ deposit: second.url }))
    const before = second.received.length
    assertEmpty(await fails(true))
    const node = await service.addNode()
    const { id } = await node.deposit()
    const attempt = await firstAttemptOf(id)
    assert.equal(attempt.number, 1)
    assert.equal(attempt.httpStatus, 500)
    assert.equal(attempt.url, second.url)
    assert.match(attempt.requestHeaders.Signature, /^sig-pp=/)
    assert.match(attempt.reason, /in place of the receiver, which was not called/)
    assert.ok(attempt.nextAttempt !== undefined)

    // Switched off on one node, the other follows as soon as it is notified.
    assertEmpty(await fails(false, node))
    await node.stop()
    await eventually(async () => {
      await service.advance(60)
      assert.equal(second.received.length, before + 1)
    })
    const delivered = await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.equal(body[0].delivery, 'DELIVERED')
      return body[0].attempts.at(-1)
    })
    assert.equal(delivered.httpStatus, 200)
  })

  it('is called again after a reset', async () => {
    await fails(true)
    assertEmpty(await service.post('/sandbox/reset'))
    const before = second.received.length
    await deliveriesOfNew()
    await eventually(() => assert.equal(second.received.length, before + 1))
  })

  it('needs a plain yes or no', async () => {
    for (const wanted of ['true', 1, {}]) {
      assertAnswer(await fails(wanted), 400, reason('INVALID_PARAMETER', /'fails'/))
    }
    const answer = await service.put('/sandbox/receiver', {})
    assertAnswer(answer, 400, reason('MISSING_PARAMETER', /'fails'/))
  })
})

it('null removes an address', async () => {
  assertEmpty(await set({ deposit: null }))
  assert.deepEqual((await deliveriesOfNew()).list, [])
  assertEmpty(await set({ deposit: null }))
})

/** What cannot be set, with the code and the field that the message names. */
const REFUSED: readonly (readonly [body: unknown, code: string, says: RegExp])[] = [
  [{ deposits: 'http://127.0.0.1/' }, 'UNSUPPORTED_PARAMETER', /'deposits'/],
  [{ deposit: 7 }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: ['http://127.0.0.1/'] }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: 'shop.example' }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: '/callbacks' }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: 'ftp://shop.example/' }, 'INVALID_PARAMETER', /'deposit'.*https?:/],
  [{ deposit: 'javascript:alert(1)' }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: 'http://' }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: 'http://a b/' }, 'INVALID_PARAMETER', /'deposit'/],
  [{ deposit: `http://shop.example/${'x'.repeat(3000)}` }, 'INVALID_PARAMETER', /'deposit'/],
  [{ payout: 'nowhere' }, 'INVALID_PARAMETER', /'payout'/],
]

describe('400 for an address that cannot be used:', () => {
  for (const [body, code, says] of REFUSED) {
    it(JSON.stringify(body).slice(0, 60), async () => {
      assertAnswer(await set(body), 400, reason(code, says))
    })
  }

  it('and nothing is changed then, not even what could be', async () => {
    await set({ deposit: receiver.url })
    const known = receiver.received.length
    const answer = await set({ deposit: second.url, payout: 'nowhere' })
    assertAnswer(answer, 400, reason('INVALID_PARAMETER', /'payout'/))
    await deliveriesOfNew()
    await eventually(() => assert.equal(receiver.received.length, known + 1))
  })
})
