import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import {
  AIRTEL,
  balanceOf,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  setBalance,
  statesOf,
} from '../../harness/payouts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { assertAnswer, assertShape, SECONDS } from '../support/shapes.ts'

const service = await startService()
const second = await service.addNode()
const nodes = [service, second]
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
beforeEach(() => setBalance(service, '1000'))

const never = { recipient: recipient('260763456129', MTN) }
const nodeAt = (index: number): Service => nodes[index % 2] as Service
const received = (id: string): unknown[] =>
  receiver.received.map((one) => JSON.parse(one.body)).filter((one) => one.payoutId === id)

/** Everything the ledger has of a payout, in its order. */
async function movesOf(id: string): Promise<string[]> {
  const rows = await service.database.query<{ move: string }>(
    `select t.cause || ' ' || t.debit || ' > ' || t.credit || ' ' || t.amount as move
     from transfers t join payments p on p.merchant_id = t.merchant_id and p.key = t.key
     where p.kind = 'payout' and p.id = $1 order by t.cause`,
    [id],
  )
  return rows.map(({ move }) => move)
}

describe('a wallet that holds too little', { timeout: 540_000 }, () => {
  it('lets the payout be accepted, then fail with a callback, and stays as it was', async () => {
    const { id, ...answer } = await payout(service, { amount: '1000.01' })
    assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED', created: SECONDS })
    const record = await reachesPayout(service, id, 'FAILED')
    assertShape(record, {
      payoutId: id,
      status: 'FAILED',
      amount: '1000.01',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: recipient('260763456789', MTN),
      customerMessage: 'Demo Merchant',
      created: SECONDS,
      failureReason: {
        failureCode: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
        failureMessage: /wallet did not hold enough money/,
      },
    })
    await eventually(() => assert.deepEqual(received(id), [record]))
    assert.equal(await balanceOf(service), '1000.00')
    assert.deepEqual(await movesOf(id), [])
    const orders = await service.database.query(
      'select from sandbox_orders o join payments p on o.reference = p.provider_reference where p.id = $1',
      [id],
    )
    assert.equal(orders.length, 0)
  })

  it('pays out its last cent and not one more', async () => {
    const last = await payout(service, { amount: '1000.00' })
    const more = await payout(service, { amount: '1' })
    await reachesPayout(service, last.id, 'COMPLETED')
    await reachesPayout(service, more.id, 'FAILED')
    assert.equal(await balanceOf(service), '0.00')
  })

  it('does not let a big payout stop smaller ones behind it', async () => {
    const sent = ['600', '600', '400', '0.99', '1', '20000'].map((amount) => payoutBody({ amount }))
    const { body } = await service.post('/v2/payouts/bulk', sent)
    assert.equal(body[3].status, 'REJECTED')
    const expected = ['COMPLETED', 'FAILED', 'COMPLETED', undefined, 'FAILED', 'FAILED']
    for (const [at, state] of expected.entries()) {
      if (state !== undefined) await reachesPayout(service, sent[at].payoutId, state)
    }
    assert.equal(await balanceOf(service), '0.00')
  })
})

describe('the money of a payout', { timeout: 540_000 }, () => {
  it('is held from the moment of the answer, for as long as it is under way', async () => {
    const { id } = await payout(service, { ...never, amount: '250.50' })
    assert.equal(await balanceOf(service), '749.50')
    assert.equal(await balanceOf(second), '749.50')
    await reachesPayout(service, id, 'PROCESSING')
    assert.equal(await balanceOf(service), '749.50')
    assert.deepEqual(await movesOf(id), ['ACCEPTED wallet:ZMB:ZMW > reserve:ZMB:ZMW 250.50'])
  })

  it('goes to the operator when it completes', async () => {
    const { id } = await payout(service, { amount: '100' })
    await reachesPayout(service, id, 'COMPLETED')
    assert.equal(await balanceOf(service), '900.00')
    assert.deepEqual(await movesOf(id), [
      'ACCEPTED wallet:ZMB:ZMW > reserve:ZMB:ZMW 100',
      'COMPLETED reserve:ZMB:ZMW > float:MTN_MOMO_ZMB:ZMW 100',
    ])
  })

  it('is back in the wallet when it fails', async () => {
    const { id } = await payout(service, {
      amount: '100',
      recipient: recipient('260763456119', MTN),
    })
    await reachesPayout(service, id, 'FAILED')
    assert.equal(await balanceOf(service), '1000.00')
    assert.deepEqual(await movesOf(id), [
      'ACCEPTED wallet:ZMB:ZMW > reserve:ZMB:ZMW 100',
      'FAILED reserve:ZMB:ZMW > wallet:ZMB:ZMW 100',
    ])
  })

  it('stays held while the outcome is unknown', async () => {
    await service.put('/sandbox/phones/260763450003', {
      script: [{ afterSeconds: 0, answer: 'silent' }],
    })
    const { id } = await payout(service, { recipient: recipient('260763450003', MTN) })
    await reachesPayout(service, id, 'PROCESSING')
    await eventually(async () => {
      await service.advance(30)
      assert.equal((await service.get(`/v2/payouts/${id}`)).body.data.status, 'IN_RECONCILIATION')
    })
    assert.equal(await balanceOf(service), '985.00')
  })
})

describe('a wallet of one provider', { timeout: 540_000 }, () => {
  it('that comes into being between hold and return changes nothing for what is under way', async () => {
    const script = [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 60, answer: 'failed', failureCode: 'RECIPIENT_NOT_FOUND' },
    ]
    await service.put('/sandbox/phones/260973450001', { script })
    const { id } = await payout(service, {
      amount: '100',
      recipient: recipient('260973450001', AIRTEL),
    })
    await reachesPayout(service, id, 'PROCESSING')
    await setBalance(service, '500', AIRTEL)
    await eventually(async () => {
      await service.advance(61)
      await reachesNow(id, 'FAILED')
    })
    assert.equal(await balanceOf(service), '1000.00')
    assert.equal(await balanceOf(service, 'ZMB', AIRTEL), '500.00')
  })

  it('is drawn from, and returned to, by the payouts of this provider alone', async () => {
    await setBalance(service, '500', AIRTEL)
    const to = (phone: string) => ({ amount: '100', recipient: recipient(phone, AIRTEL) })
    for (let times = 0; times < 2; times += 1) {
      const paid = await payout(service, to('260973456789'))
      await reachesPayout(service, paid.id, 'COMPLETED')
    }
    const failed = await payout(service, to('260973456119'))
    const others = await payout(second)
    await reachesPayout(service, failed.id, 'FAILED')
    await reachesPayout(service, others.id, 'COMPLETED')
    assert.equal(await balanceOf(service, 'ZMB', AIRTEL), '300.00')
    assert.equal(await balanceOf(service), '985.00')
    assert.deepEqual(await movesOf(failed.id), [
      'ACCEPTED wallet:ZMB:ZMW:AIRTEL_OAPI_ZMB > reserve:ZMB:ZMW:AIRTEL_OAPI_ZMB 100',
      'FAILED reserve:ZMB:ZMW:AIRTEL_OAPI_ZMB > wallet:ZMB:ZMW:AIRTEL_OAPI_ZMB 100',
    ])
  })

  it('does not lend from the wallet of the country', async () => {
    await setBalance(service, '10', AIRTEL)
    const { id } = await payout(service, { recipient: recipient('260973456789', AIRTEL) })
    const { failureReason } = await reachesPayout(service, id, 'FAILED')
    assert.equal(failureReason.failureCode, 'PAWAPAY_WALLET_OUT_OF_FUNDS')
    assert.equal(await balanceOf(service, 'ZMB', AIRTEL), '10.00')
  })
})

describe('over two nodes', { timeout: 540_000 }, () => {
  it('100 payouts at once from money for 70: exactly 70 are paid, and never more', async () => {
    await setBalance(service, '1050')
    let lowest = Number.POSITIVE_INFINITY
    let watching = true
    const watch = async (): Promise<void> => {
      while (watching) lowest = Math.min(lowest, Number(await balanceOf(second)))
    }
    const watched = watch()
    const bodies = Array.from({ length: 100 }, () => payoutBody())
    const answers = await Promise.all(
      bodies.map((body, at) => nodeAt(at).post('/v2/payouts', body)),
    )
    assert.ok(answers.every(({ body }) => body.status === 'ACCEPTED'))
    assert.equal(await balanceOf(service), '0.00', 'all of it is held by now')
    const ids = bodies.map(({ payoutId }) => payoutId)
    await eventually(
      async () => assert.deepEqual(await statesOf(service, ids), { COMPLETED: 70, FAILED: 30 }),
      120_000,
    )
    watching = false
    await watched
    assert.equal(lowest, 0)
    assert.equal(await balanceOf(service), '0.00')
    await eventually(() => {
      const all = new Set(receiver.received.map((one) => JSON.parse(one.body).payoutId))
      assert.ok(ids.every((id) => all.has(id)))
    })
  })

  it('the last money goes to one of two simultaneous requests', async () => {
    for (let round = 0; round < 12; round += 1) {
      await setBalance(service, '15')
      const bodies = Array.from({ length: 2 }, () => payoutBody())
      const answers = await Promise.all(
        bodies.map((body, at) => nodeAt(at).post('/v2/payouts', body)),
      )
      assert.ok(answers.every(({ body }) => body.status === 'ACCEPTED'))
      const ids = bodies.map(({ payoutId }) => payoutId)
      await eventually(async () =>
        assert.deepEqual(await statesOf(service, ids), { COMPLETED: 1, FAILED: 1 }),
      )
    }
  })

  it('money that comes back from failed payouts can be spent again', async () => {
    const failing = Array.from({ length: 20 }, () =>
      payoutBody({ amount: '50', recipient: recipient('260763456119', MTN) }),
    )
    await Promise.all(failing.map((body, at) => nodeAt(at).post('/v2/payouts', body)))
    const ids = failing.map(({ payoutId }) => payoutId)
    await eventually(async () => assert.deepEqual(await statesOf(service, ids), { FAILED: 20 }))
    assert.equal(await balanceOf(service), '1000.00')
    const { id } = await payout(service, { amount: '1000' })
    await reachesPayout(service, id, 'COMPLETED')
  })

  it('one identifier sent to both at once is held for once and paid once', async () => {
    const ids: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const body = payoutBody({ amount: '10' })
      ids.push(body.payoutId)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => nodeAt(at).post('/v2/payouts', body)),
      )
      assertOneAccepted(answers)
    }
    for (const id of ids) await reachesPayout(service, id, 'COMPLETED')
    assert.equal(await balanceOf(service), '960.00')
  })

  it('one identifier for money of two wallets is held for in one of them', async () => {
    const kwacha = Number(await balanceOf(service))
    const francs = Number(await balanceOf(service, 'RWA'))
    const rwandan = {
      amount: '10',
      currency: 'RWF',
      recipient: recipient('250783456789', 'MTN_MOMO_RWA'),
    }
    for (let round = 0; round < 6; round += 1) {
      const payoutId = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          nodeAt(at).post(
            '/v2/payouts',
            payoutBody({ payoutId, amount: '10', ...(at % 2 ? rwandan : {}) }),
          ),
        ),
      )
      assertOneAccepted(answers)
      await reachesPayout(service, payoutId, 'COMPLETED')
    }
    const spent = [
      kwacha - Number(await balanceOf(service)),
      francs - Number(await balanceOf(service, 'RWA')),
    ]
    assert.equal((spent[0] ?? 0) + (spent[1] ?? 0), 60)
  })
})

function assertOneAccepted(
  answers: readonly { body: { status: string; created: string } }[],
): void {
  const statuses = answers.map(({ body }) => body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(answers.length - 1).fill('DUPLICATE_IGNORED')])
  assert.equal(new Set(answers.map(({ body }) => body.created)).size, 1)
}

async function reachesNow(id: string, status: string): Promise<void> {
  assert.equal((await service.get(`/v2/payouts/${id}`)).body.data.status, status)
}
