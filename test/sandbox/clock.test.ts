import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../harness/operator.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import type { ProviderOrder } from '../../src/providers/connector.ts'
import { removeOldSessions } from '../../src/store/hosted/page-sessions.ts'
import { expireApproval } from '../../src/store/sandbox/approvals.ts'
import { findNotifications, findOrder } from '../../src/store/sandbox/orders.ts'

const HOUR = 3600
const slow = { MALIPO_SANDBOX_DELAY_MS: String(HOUR * 1000) }
const service = await startService(slow)
const second = await service.addNode(slow)
const nodes: readonly Service[] = [service, second]
const receiver = await startReceiver()
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const onEach = <T>(act: (node: Service) => Promise<T>): Promise<T[]> => Promise.all(nodes.map(act))

describe('the test clock, moved on one node', { timeout: 540_000 }, () => {
  it('is the clock of both nodes', async () => {
    await service.advance(100)
    await second.advance(20.5)
    for (const node of nodes) {
      await eventually(async () => {
        const { body } = await node.get('/sandbox/clock')
        assert.equal(body.offsetSeconds, 120.5)
        assert.ok(Math.abs(Date.parse(body.now) - Date.now() - 120_500) < 60_000)
      })
    }
  })

  it('moves the delays of operators on both', async () => {
    const deposits = await onEach((node) => node.deposit())
    for (const { id } of deposits) await reachesOperator(service, id)
    await second.advance(HOUR / 2)
    await service.advance(HOUR / 2)
    for (const { id } of deposits) await service.reaches(id, 'COMPLETED')
  })

  it('moves look-ups on both', async () => {
    const number = '260763456702'
    await scriptOnBoth(number, [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: HOUR, answer: 'done' },
    ])
    const deposits = await onEach((node) => node.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') }))
    for (const { id } of deposits) await reachesOperator(service, id)
    // A node whose clock was moved before the answer of the operator came counts from then on.
    await eventually(async () => {
      await second.advance(61)
      for (const { id } of deposits) await isNow(id, 'IN_RECONCILIATION', 3000)
    }, 30_000)
    await service.advance(2 * HOUR)
    for (const { id } of deposits) await service.reaches(id, 'COMPLETED')
  })

  it('moves retries of callbacks on both, and not the times of signatures', async () => {
    receiver.answer((response) => response.writeHead(503, { 'retry-after': `${HOUR}` }).end())
    const number = '260763456703'
    // Later than any machine is slow: the first attempt comes after the clock was moved.
    await scriptOnBoth(number, [{ afterSeconds: HOUR / 2, answer: 'done' }])
    const deposits = await onEach((node) => node.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') }))
    for (const { id } of deposits) await reachesOperator(service, id)
    // What came before may still be told, and told again.
    const told = () =>
      receiver.received.filter(({ body }) => deposits.some(({ id }) => body.includes(id)))
    await service.advance(HOUR)
    await eventually(() => assert.equal(told().length, 2))
    for (const { id } of deposits) await attemptsRecorded(id, 1)
    receiver.answer(200)
    await second.advance(HOUR)
    await eventually(() => assert.equal(told().length, 4))
    for (const { id } of deposits) await attemptsRecorded(id, 2)
    const signed = Date.parse(String(told().at(-1)?.headers['signature-date']))
    assert.ok(Math.abs(signed - Date.now()) < 60_000)
  })

  it('goes back to real time for both', async () => {
    await second.post('/sandbox/clock/reset')
    for (const node of nodes) {
      await eventually(async () => {
        const { body } = await node.get('/sandbox/clock')
        assert.equal(body.offsetSeconds, 0)
      })
    }
  })
})

describe('a node that has not heard yet that the clock went back', { timeout: 540_000 }, () => {
  it('takes no answer of the operator from a time that is still to come', async () => {
    const { id } = await service.deposit()
    await reachesOperator(service, id)
    const deaf = await service.addNode(slow)
    try {
      deaf.node.ctx.clock.setOffset(2 * HOUR * 1000, Number.MAX_SAFE_INTEGER)
      const connector = deaf.node.ctx.providers.connectorOf('MTN_MOMO_ZMB')
      const { order, reference } = await orderOf(id)
      const first = await connector?.query(order, reference, undefined)
      assert.ok(first?.kind === 'PENDING')
      assert.ok((first.checkAfterMs ?? 0) > (HOUR * 1000) / 2)
      // With what it has kept of the first answer, too.
      const second = await connector?.query(order, reference, first.memo)
      assert.equal(second?.kind, 'PENDING')
    } finally {
      await deaf.stop()
    }
  })

  it('leaves a question open that has its time again', async () => {
    const number = '260763456705'
    await service.put(`/sandbox/phones/${number}`, { mode: 'interactive' })
    const { id } = await service.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') })
    await reachesOperator(service, id)
    const { order, reference } = await orderOf(id)
    const { merchantId } = order
    const question = async () => {
      const found = await findOrder(service.database, merchantId, reference)
      assert.ok(found !== undefined)
      return found
    }
    const expiresMs = (await question()).expiresMs ?? 0
    const at = expiresMs + HOUR * 1000
    const before = { merchantId, reference, expiresAt: expiresMs + 2 * HOUR * 1000, at }
    await expireApproval(service.database, before)
    assert.equal((await question()).verdict, null)
    await expireApproval(service.database, { ...before, expiresAt: expiresMs })
    assert.equal((await question()).verdict, 'EXPIRED')
  })

  it('removes no session of a page that has its time again', async () => {
    const wish = { depositId: randomUUID(), returnUrl: 'https://shop.example/thanks' }
    assert.equal((await service.post('/v2/paymentpage', wish)).status, 201)
    const left = async () => (await service.database.query('select from page_sessions')).length
    const later = Date.now() + HOUR * 1000
    await removeOldSessions(service.database, later, 2 * HOUR * 1000)
    assert.equal(await left(), 1)
    await removeOldSessions(service.database, later, 0)
    assert.equal(await left(), 0)
  })

  it('hears nothing that the operator has not said yet', async () => {
    const number = '260763456704'
    await scriptOnBoth(number, [{ afterSeconds: HOUR, answer: 'contradict' }])
    const { id } = await service.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') })
    await reachesOperator(service, id)
    const later = { now: Date.now() + 2 * HOUR * 1000, offsetMs: 0 }
    const heard = async (clock: typeof later) =>
      (await findNotifications(service.database, clock)).filter(({ paymentId }) => paymentId === id)
        .length
    assert.equal(await heard({ ...later, offsetMs: 2 * HOUR * 1000 }), 0)
    assert.equal(await heard(later), 1)
  })
})

/** As a node asks the operator about it. */
async function orderOf(id: string): Promise<{ order: ProviderOrder; reference: string }> {
  const [row] = await service.database.query<ProviderOrder & { reference: string }>(
    `select merchant_id as "merchantId", key, id as "paymentId", 'DEPOSIT' as operation, provider,
       amount::text as amount, currency, phone_number as "phoneNumber",
       provider_reference as reference
     from payments where id = $1`,
    [id],
  )
  assert.ok(row !== undefined)
  const { reference, ...order } = row
  return { order, reference }
}

/** The other node hears of the script a moment later than the one that is told. */
async function scriptOnBoth(number: string, script: readonly object[]): Promise<void> {
  await service.put(`/sandbox/phones/${number}`, { script })
  for (const { node } of nodes) {
    await eventually(async () => {
      const merchant = await node.ctx.merchants.byId(1 as MerchantId)
      assert.ok(merchant?.phoneStories.has(number))
    })
  }
}

async function isNow(id: string, status: string, withinMs: number): Promise<void> {
  await eventually(async () => {
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.data?.status, status)
  }, withinMs)
}

async function attemptsRecorded(id: string, count: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0].attempts.length, count)
  })
}
