import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../harness/operator.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, startService } from '../../harness/service.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const DAY = 86_400
let numbers = 0

type Step = { afterSeconds: number; answer: string; failureCode?: string }

/** A deposit from a number that behaves as written. */
async function depositWith(script: readonly Step[]): Promise<string> {
  numbers += 1
  const number = `2607634560${String(numbers).padStart(2, '0')}`
  const { status } = await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script })
  assert.equal(status, 204)
  const { body, id } = await service.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') })
  assert.equal(body.status, 'ACCEPTED')
  return id
}

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ depositId }) => depositId === id)

async function timeLineOf(id: string): Promise<string[]> {
  const rows = await service.database.query<{ state: string }>(
    `select e.state from payment_timeline e join payments p on p.key = e.payment_key
     where p.id = $1 order by e.at`,
    [id],
  )
  return rows.map(({ state }) => state)
}

describe('an operator that says nothing', { timeout: 540_000 }, () => {
  const endings = [
    { step: { answer: 'done' }, state: 'COMPLETED' },
    { step: { answer: 'failed', failureCode: 'INSUFFICIENT_BALANCE' }, state: 'FAILED' },
  ]
  for (const { step, state } of endings) {
    it(`leads to reconciliation after 60 s without a callback, and ${state} on evidence`, async () => {
      const id = await depositWith([
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds: 2 * DAY, ...step },
      ])
      await service.reaches(id, 'PROCESSING')
      await reachesOperator(service, id)
      for (let seconds = 0; seconds < 50; seconds += 10) {
        await service.advance(10)
        assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
      }
      await service.advance(11)
      await service.reaches(id, 'IN_RECONCILIATION')
      // Time alone changes nothing any more.
      for (let hours = 0; hours < 36; hours += 6) {
        await service.advance(6 * 3600)
        const { body } = await service.get(`/v2/deposits/${id}`)
        assert.equal(body.data.status, 'IN_RECONCILIATION')
      }
      assert.deepEqual(callbacksOf(id), [])
      await service.advance(DAY)
      const record = await service.reaches(id, state)
      await eventually(() => assert.deepEqual(callbacksOf(id), [record]))
      const line = ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', state]
      assert.deepEqual(await timeLineOf(id), line)
    })
  }

  it('is waited for the same time in total, whichever node takes over in between', async () => {
    const id = await depositWith([{ afterSeconds: 0, answer: 'silent' }])
    const since = await eventually(async () => {
      const found = await unknownSince(id)
      assert.ok(found !== null)
      return found
    })
    await service.advance(40)
    await joinAgain()
    await service.advance(21)
    await service.reaches(id, 'IN_RECONCILIATION')
    assert.deepEqual(await unknownSince(id), since)
  })

  it('is waited for again after it has reported that the payment is pending', async () => {
    const id = await depositWith([
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 30, answer: 'pending' },
    ])
    await eventually(async () => assert.ok((await unknownSince(id)) !== null))
    await service.advance(40)
    await eventually(async () => assert.equal(await unknownSince(id), null))
    await service.reaches(id, 'PROCESSING')
  })
})

/** When the operator first said nothing about the payment, as the database has it. */
async function unknownSince(id: string): Promise<Date | null | undefined> {
  const [row] = await service.database.query<{ unknown_since: Date | null }>(
    'select unknown_since from payments where id = $1',
    [id],
  )
  return row?.unknown_since
}

/** The node loses everything that it holds and remembers about payments, and takes it over anew. */
async function joinAgain(): Promise<void> {
  const { node, work } = service.node.ctx
  const before = node.id()
  work.startOver()
  await eventually(() => assert.ok(node.id() !== before && node.mayAct()))
  await eventually(async () => {
    const rows = await service.database.query(
      `select from payments where state = 'PROCESSING' and holder <> $1`,
      [node.id()],
    )
    assert.equal(rows.length, 0)
  })
}

describe('an operator whose answer got lost', { timeout: 540_000 }, () => {
  it('is looked up, and the payment completes without reconciliation', async () => {
    const id = await depositWith([
      { afterSeconds: 0, answer: 'unknown' },
      { afterSeconds: 300, answer: 'done' },
    ])
    await service.reaches(id, 'PROCESSING')
    for (let seconds = 0; seconds <= 300; seconds += 20) await service.advance(20)
    await service.reaches(id, 'COMPLETED')
    assert.deepEqual(await timeLineOf(id), ['ACCEPTED', 'PROCESSING', 'COMPLETED'])
    const [order] = await service.database.query(
      'select asked from sandbox_orders o join payments p on p.provider_reference = o.reference where p.id = $1',
      [id],
    )
    assert.deepEqual(order, { asked: 1 })
  })
})

describe('an operator that keeps saying pending', { timeout: 540_000 }, () => {
  it('leaves the payment in PROCESSING for days, and its answer counts at any time', async () => {
    const id = await depositWith([
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 10 * DAY, answer: 'done' },
    ])
    await service.reaches(id, 'PROCESSING')
    for (let hours = 0; hours < 9 * 24; hours += 12) {
      await service.advance(12 * 3600)
      assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
    }
    assert.deepEqual(await timeLineOf(id), ['ACCEPTED', 'PROCESSING'])
    await service.advance(2 * DAY)
    await service.reaches(id, 'COMPLETED')
  })
})

describe('a payment found in PROCESSING after a crash', { timeout: 540_000 }, () => {
  it('is sent once, under the reference stored before, when its order never arrived', async () => {
    const { id, key } = await leaveBehind('260763456789')
    await service.reaches(id, 'COMPLETED')
    assert.deepEqual(await ordersOf(key), [{ reference: key, asked: 1 }])
  })

  it('is looked up and not sent when its order did arrive', async () => {
    const { id, key } = await leaveBehind('260763456049', { arrived: true })
    const record = await service.reaches(id, 'FAILED')
    assert.equal(
      (record.failureReason as { failureCode: string }).failureCode,
      'INSUFFICIENT_BALANCE',
    )
    assert.deepEqual(await ordersOf(key), [{ reference: key, asked: 1 }])
  })

  it('does not disturb others if it cannot be processed', async () => {
    const before = service.node.ctx.node.id()
    const { id } = await leaveBehind('260763456789', { provider: 'GONE_ZMB' })
    await eventually(() => {
      assert.ok(service.logLines.some((line) => line.includes('No connector for GONE_ZMB')))
    })
    const other = await service.deposit()
    await service.reaches(other.id, 'COMPLETED')
    assert.equal(service.node.ctx.node.id(), before)
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
  })
})

/** What a node leaves that dies between storing PROCESSING and hearing from the operator. */
async function leaveBehind(
  phoneNumber: string,
  { arrived = false, provider = 'MTN_MOMO_ZMB' } = {},
): Promise<{ id: string; key: string }> {
  const [id, key] = [randomUUID(), randomUUID()]
  const now = service.node.ctx.clock.now()
  const at = 'to_timestamp($1::float8 / 1000)'
  await service.database.inTransaction(async (tx) => {
    if (arrived) {
      await tx.query(
        `insert into sandbox_orders (merchant_id, reference, operation, phone_number, provider,
           amount, currency, received_at, asked)
         values (1, $2, 'DEPOSIT', $3, $4, 15, 'ZMW', ${at}, 1)`,
        [now, key, phoneNumber, provider],
      )
    }
    await tx.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, state, holder, due_at, submitted_at, provider_reference)
       values (1, 'deposit', $2, $3::uuid, 'v2', ${at}, 15, 'ZMW', 'ZMB', $5, $4, 'PROCESSING', 0, ${at},
         ${at}, $3::uuid::text)`,
      [now, id, key, phoneNumber, provider],
    )
  })
  return { id, key }
}

const ordersOf = (key: string) =>
  service.database.query('select reference, asked from sandbox_orders where reference = $1', [key])
