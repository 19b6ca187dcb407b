import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../harness/operator.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { dueWork } from '../../src/store/cluster/due-work.ts'

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
    })
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
    // What came before may still be sent, and sent again.
    const sent = () =>
      receiver.received.filter(({ body }) => deposits.some(({ id }) => body.includes(id)))
    await service.advance(HOUR)
    await eventually(() => assert.equal(sent().length, 2))
    for (const { id } of deposits) await attemptsRecorded(id, 1)
    receiver.answer(200)
    await second.advance(HOUR)
    await eventually(() => assert.equal(sent().length, 4))
    for (const { id } of deposits) await attemptsRecorded(id, 2)
    const signed = Date.parse(String(sent().at(-1)?.headers['signature-date']))
    assert.ok(Math.abs(signed - Date.now()) < 60_000)
  })

  it('is back on real time on both when the answer comes, and nothing is left behind', async () => {
    const [, id] = (await onEach((node) => node.deposit())).map((one) => one.id)
    assert.equal((await second.post('/sandbox/clock/reset')).status, 200)
    for (const node of nodes) {
      assert.equal((await node.get('/sandbox/clock')).body.offsetSeconds, 0)
    }
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
    const later = await onEach((node) => node.deposit())
    for (const { id } of later) await reachesOperator(service, id)
    await service.advance(HOUR)
    for (const { id } of later) await service.reaches(id, 'COMPLETED')
    // As of a node that was lost under the former clock, and of another merchant, whose rows stay.
    await service.database.query(
      `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
         holder, round_started_at, tries, attempts, resend, under_way_until)
       values (77, gen_random_uuid(), 'COMPLETED', 'deposit', gen_random_uuid(), now(), 'DELIVERED',
         0, now(), 1, 1, false, now() + interval '1 hour')`,
    )
    await service.post('/sandbox/clock/reset')
    const left = await service.database.query<{ under_way_until: unknown }>(
      'delete from callbacks where merchant_id = 77 returning under_way_until',
    )
    assert.deepEqual(left, [{ under_way_until: null }])
  })
})

describe('around the moment in which the clock goes back', { timeout: 540_000 }, () => {
  it('a node that has not noticed it takes up nothing that is not due', async () => {
    const { id } = await service.deposit()
    await reachesOperator(service, id)
    const stale = { now: Date.now() + 2 * HOUR * 1000, offsetMs: 2 * HOUR * 1000 }
    // In one transaction: the node may be about to write that it still holds the payment.
    await service.database.inTransaction(async (tx) => {
      await tx.query(`update payments set holder = 0 where id = $1`, [id])
      assert.equal((await dueWork(tx, stale)).payments, false)
      assert.equal((await dueWork(tx, { ...stale, offsetMs: 0 })).payments, true)
    })
  })

  it('a payment that was on its way to the database then goes on', async () => {
    const { id } = await service.deposit()
    await reachesOperator(service, id)
    await service.database.query(
      `update payments set due_at = due_at + interval '1 year', holder = 999999 where id = $1`,
      [id],
    )
    await eventually(async () => {
      const rows = await service.database.query(
        `select from payments where id = $1 and holder <> 999999
           and due_at < now() + interval '1 day'`,
        [id],
      )
      assert.equal(rows.length, 1)
    })
    await service.advance(HOUR)
    await service.reaches(id, 'COMPLETED')
  })
})

/** The other node learns of the script a moment later than the one that was called. */
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
