import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it, type TestContext } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { allAreSent, failForAnHour, type Receiver, startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { assertInTime, isTooLate, untilInTime } from '../support/in-time.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

/** Leaves every request open until the test answers it. */
function hang(at: Receiver): { readonly open: ServerResponse[]; answer(status: number): void } {
  at.answer((response) => void open.push(response))
  return { open, answer: (status) => answerAll(at, status) }
}

const open: ServerResponse[] = []
function answerAll(at: Receiver, status: number): void {
  at.answer(status)
  for (const response of open.splice(0)) response.writeHead(status).end()
}

/** In the end nothing hangs, and no callback is left for a later count. */
async function settle(at: Receiver, node: Service): Promise<void> {
  answerAll(at, 200)
  await allAreSent(node)
}

const resend = (id: string) => service.post(`/v2/deposits/resend-callback/${id}`)

async function delivery(id: string, node: Service = service) {
  const { body } = await node.get(`/sandbox/deliveries?paymentId=${id}`)
  assert.equal(body.length, 1)
  return body[0]
}

const isDelivered = (id: string, attempts: number, node: Service = service) =>
  eventually(async () => {
    const seen = await delivery(id, node)
    assert.equal(seen.delivery, 'DELIVERED')
    assert.equal(seen.attempts.length, attempts)
  })

describe('a resend', { timeout: 240_000 }, () => {
  it('sends the same record again with a signature of its own', async () => {
    receiver.answer(200)
    const { id } = await service.deposit()
    await isDelivered(id, 1)
    assert.deepEqual((await resend(id)).body, { depositId: id, status: 'ACCEPTED' })
    await isDelivered(id, 2)
    const [first, second] = receiver.received.slice(-2)
    assert.equal(first?.body, second?.body)
    assert.ok(first?.headers.signature !== undefined)
    assert.notEqual(first.headers.signature, second?.headers.signature)
    assert.notEqual(first.headers['signature-date'], second?.headers['signature-date'])
  })

  it('replaces a retry that waits: no second one follows', async () => {
    receiver.answer(failForAnHour)
    const before = receiver.received.length
    const { id } = await service.deposit()
    await eventually(async () => assert.equal((await delivery(id)).attempts.length, 1))
    receiver.answer(200)
    await resend(id)
    await isDelivered(id, 2)
    await service.advance(7 * 86_400)
    const { id: later } = await service.deposit()
    await isDelivered(later, 1)
    assert.equal(receiver.received.length, before + 3)
  })

  it('waits for an attempt that hangs, and goes out after it', async () => {
    await untilInTime(
      async () => {
        const since = performance.now()
        const hanging = hang(receiver)
        const before = receiver.received.length
        const { id } = await service.deposit()
        await eventually(() => assert.ok(hanging.open.length > 0))
        await Promise.all([resend(id), resend(id), resend(id)])
        // Another payment's callback goes out and comes back while the first one hangs.
        const other = await service.deposit()
        await eventually(() => assert.ok(hanging.open.length > 1))
        assertInTime(since)
        assert.deepEqual([hanging.open.length, receiver.received.length], [2, before + 2])
        hanging.answer(200)
        await isDelivered(other.id, 1)
        await isDelivered(id, 2)
        assert.equal(receiver.received.length, before + 3)
      },
      () => settle(receiver, service),
    )
  })

  it('is refused for a payment that is not final, or unknown', async () => {
    await service.put('/sandbox/phones/260763456701', {
      script: [{ afterSeconds: 0, answer: 'pending' }],
    })
    const { id } = await service.deposit({
      payer: {
        type: 'MMO',
        accountDetails: { phoneNumber: '260763456701', provider: 'MTN_MOMO_ZMB' },
      },
    })
    await service.reaches(id, 'PROCESSING')
    assert.equal((await resend(id)).body.failureReason.failureCode, 'INVALID_STATE')
    const unknown = await resend('7f5a3c1e-0000-4000-8000-000000000000')
    assert.equal(unknown.body.failureReason.failureCode, 'NOT_FOUND')
  })
})

describe('callbacks of one payment never overlap', { timeout: 240_000 }, () => {
  it('when the node loses its identity while an attempt hangs', async (test) => {
    const { node, receiver: own } = await startAlone(test)
    const tellings = (id: string): number =>
      own.received.filter(({ body }) => JSON.parse(body).depositId === id).length
    await untilInTime(async () => {
      const since = performance.now()
      const hanging = hang(own)
      const { id } = await node.deposit()
      await eventually(() => assert.equal(tellings(id), 1))
      const before = node.node.ctx.node.id()
      loseName(node)
      await eventually(async () => {
        const holder = await holderOf(node, id)
        assert.ok(node.node.ctx.node.id() > before && holder !== before)
      })
      // A second callback of the same lane proves that the node is at work again.
      const other = await node.deposit()
      await eventually(() => assert.ok(tellings(other.id) > 0))
      hanging.answer(200)
      assertInTime(since)
      await isDelivered(id, 1, node)
      assert.deepEqual([tellings(id), tellings(other.id)], [1, 1])
    })
  })

  it('when the node loses its identity while it claims work', async (test) => {
    const { node, receiver: own, link } = await startAlone(test)
    const blocker = await connectTo(node.databaseUrl)
    test.after(() => blocker.end())
    await untilInTime(
      async () => {
        const earlier = own.received.length
        own.answer(failForAnHour)
        const { id } = await node.deposit()
        await eventually(async () => assert.equal((await delivery(id, node)).attempts.length, 1))
        const hanging = hang(own)

        const before = node.node.ctx.node.id()
        const held = link.holdRequestOf('due-work')
        await held.reached
        await blocker.query('begin')
        await blocker.query('lock table nodes in exclusive mode')
        loseName(node)
        await eventually(() => assert.equal(node.node.ctx.node.id(), 0))
        const since = performance.now()
        // By the moment at which it asked, so that it is sent all the same.
        await node.database.query('update callbacks set due_at = created_at where due_at > now()')
        held.letThrough()
        // What it would have claimed in that moment is under way by now, or never will be.
        for (let turns = 0; turns < 10; turns += 1) await node.get('/sandbox/clock')
        await blocker.query('rollback')
        await eventually(() => assert.ok(hanging.open.length > 0))
        await eventually(async () => {
          const holder = await holderOf(node, id)
          const name = node.node.ctx.node.id()
          assert.ok((name > before && holder === name) || isTooLate(since))
        })
        assertInTime(since)
        assert.equal(hanging.open.length, 1)
        hanging.answer(200)
        await isDelivered(id, 2, node)
        assert.equal(own.received.length, earlier + 2)
      },
      () => settle(own, node),
    )
  })
})

/** One node alone on its database, behind a link, with a receiver of its own. */
async function startAlone(test: TestContext) {
  const beside = await startService()
  const own = await startReceiver()
  const link = await startDatabaseLink(beside.databaseUrl)
  await beside.put('/sandbox/callbacks', { deposit: own.url })
  const node = await beside.addNode({ DATABASE_URL: link.url })
  await beside.node.stop()
  test.after(async () => {
    await own.close()
    await node.stop()
    await beside.stop()
    await link.close()
  })
  return { node, receiver: own, link }
}

async function holderOf({ database }: Service, id: string): Promise<number | undefined> {
  const [row] = await database.query<{ holder: number }>(
    'select holder from callbacks where payment_id = $1',
    [id],
  )
  return row?.holder
}

/** As after a write that was cut off: the node leaves and joins again under another name. */
function loseName(node: Service): void {
  const error = Object.assign(new Error('terminating connection'), { code: '57P01' })
  node.node.ctx.work.interrupted(error)
}
