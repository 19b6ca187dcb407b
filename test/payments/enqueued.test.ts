import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import {
  AIRTEL,
  balanceOf,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  sentOf,
  setBalance,
  statesOf,
  switchPayouts,
} from '../../harness/payouts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'

const service = await startService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
beforeEach(async () => {
  await switchPayouts(service, 'OPERATIONAL')
  await switchPayouts(service, 'OPERATIONAL', AIRTEL)
  await setBalance(service, '1000000')
})

const received = (id: string): unknown[] =>
  receiver.received.map((one) => JSON.parse(one.body)).filter((one) => one.payoutId === id)

/** Enqueued payouts, in order of arrival. */
async function enqueue(count: number, changes = {}): Promise<string[]> {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent += 20) {
    const bodies = Array.from({ length: Math.min(20, count - sent) }, () => payoutBody(changes))
    const { body } = await service.post('/v2/payouts/bulk', bodies)
    assert.ok(body.every((one: { status: string }) => one.status === 'ACCEPTED'))
    ids.push(...bodies.map(({ payoutId }) => payoutId))
  }
  await areAll(ids, 'ENQUEUED')
  return ids
}

async function areAll(ids: readonly string[], state: string): Promise<void> {
  await eventually(async () =>
    assert.deepEqual(await statesOf(service, ids), { [state]: ids.length }),
  )
}

/** A payout elsewhere that was made now and is over: by then the node has seen what came before. */
async function theNodeHasCaughtUp(): Promise<void> {
  const { id } = await payout(service, {
    amount: '10',
    currency: 'KES',
    recipient: recipient('254703456789', 'MPESA_KEN'),
  })
  await reachesPayout(service, id, 'COMPLETED')
}

describe('while its provider is DELAYED', { timeout: 540_000 }, () => {
  it('a payout is accepted, waits with its money held, and goes on by itself', async () => {
    await switchPayouts(service, 'DELAYED')
    const { id, body } = await payout(service, { amount: '100' })
    assert.equal(body.status, 'ACCEPTED')
    await reachesPayout(service, id, 'ENQUEUED')
    assert.equal(await balanceOf(service), '999900.00')
    assert.deepEqual([(await sentOf(service, [id])).size, received(id)], [0, []])
    await switchPayouts(service, 'OPERATIONAL')
    const record = await reachesPayout(service, id, 'COMPLETED')
    await eventually(() => assert.deepEqual(received(id), [record]))
    assert.equal(await balanceOf(service), '999900.00')
  })

  it('a payout that the operator then refuses gives its money back', async () => {
    await switchPayouts(service, 'DELAYED')
    const [id = ''] = await enqueue(1, { recipient: recipient('260763456119', MTN) })
    await switchPayouts(service, 'OPERATIONAL')
    const { failureReason } = await reachesPayout(service, id, 'FAILED')
    assert.equal(failureReason.failureCode, 'UNSPECIFIED_FAILURE')
    assert.equal(await balanceOf(service), '1000000.00')
  })

  it('a payout without money fails at once and does not wait', async () => {
    await setBalance(service, '0')
    await switchPayouts(service, 'DELAYED')
    const { id } = await payout(service)
    const { failureReason } = await reachesPayout(service, id, 'FAILED')
    assert.equal(failureReason.failureCode, 'PAWAPAY_WALLET_OUT_OF_FUNDS')
  })

  it('money held for enqueued payouts cannot be spent', async () => {
    await setBalance(service, '100')
    await switchPayouts(service, 'DELAYED')
    const waiting = await enqueue(1, { amount: '60' })
    const { id } = await payout(service, { amount: '60' })
    await reachesPayout(service, id, 'FAILED')
    await switchPayouts(service, 'OPERATIONAL')
    await areAll(waiting, 'COMPLETED')
  })

  it('payouts of other providers and of other merchants do not wait', async () => {
    await switchPayouts(service, 'DELAYED')
    const [id = ''] = await enqueue(1)
    const airtel = await payout(service, { recipient: recipient('260973456789', AIRTEL) })
    await reachesPayout(service, airtel.id, 'COMPLETED')
    const other = await addMerchant(service, { slug: 'unhurried' })
    const theirs = payoutBody()
    await other.call('POST', '/v2/payouts', theirs)
    await eventually(async () => {
      const { body } = await other.call('GET', `/v2/payouts/${theirs.payoutId}`)
      assert.equal(body.data.status, 'COMPLETED')
    })
    await reachesPayout(service, id, 'ENQUEUED')
    // Nor does another merchant's or provider's recovery let it go.
    await switchPayouts(service, 'OPERATIONAL', AIRTEL)
    const entry = { provider: MTN, operationType: 'PAYOUT', status: 'OPERATIONAL' }
    await other.call('PUT', '/sandbox/availability', entry)
    await service.put('/sandbox/availability', { ...entry, operationType: 'REFUND' })
    await theNodeHasCaughtUp()
    await reachesPayout(service, id, 'ENQUEUED')
  })
})

describe('an enqueued payout', { timeout: 540_000 }, () => {
  it('is sent in the order in which it came', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(240)
    await switchPayouts(service, 'OPERATIONAL')
    await areAll(ids, 'COMPLETED')
    const rows = await service.database.query<{ created: number; received: number }>(
      `select extract(epoch from p.created_at)::float8 as created,
              extract(epoch from o.received_at)::float8 as received
       from payments p join sandbox_orders o on o.reference = p.provider_reference
       where p.id = any($1) order by p.created_at`,
      [ids],
    )
    assert.equal(rows.length, ids.length)
    assert.ok(new Set(rows.map(({ created }) => created)).size > 10, 'they came one after another')
    for (const [at, { created, received }] of rows.entries()) {
      const next = rows[at + 1] ?? { created, received }
      assert.ok(next.created === created || next.received >= received, `${at} was overtaken`)
    }
  })

  it('keeps waiting while the provider is CLOSED, and while it is DELAYED again', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(5)
    for (const status of ['CLOSED', 'DELAYED', 'CLOSED'] as const) {
      await switchPayouts(service, status)
      await theNodeHasCaughtUp()
      await areAll(ids, 'ENQUEUED')
    }
    const { body } = await payout(service)
    assert.equal(body.failureReason.failureCode, 'PROVIDER_TEMPORARILY_UNAVAILABLE')
    assert.equal((await sentOf(service, ids)).size, 0)
    await switchPayouts(service, 'OPERATIONAL')
    await areAll(ids, 'COMPLETED')
  })

  it('is not released by the clock', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(5)
    for (const seconds of [60, 86_400, 30 * 86_400]) {
      await service.advance(seconds)
      await theNodeHasCaughtUp()
    }
    await areAll(ids, 'ENQUEUED')
    assert.equal((await sentOf(service, ids)).size, 0)
    await switchPayouts(service, 'OPERATIONAL')
    await areAll(ids, 'COMPLETED')
  })

  it('is wiped when the clock is put back, with its money back', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(5)
    await service.post('/sandbox/clock/reset')
    assert.deepEqual(await statesOf(service, ids), {})
    assert.equal(await balanceOf(service), '1000000.00')
  })

  it('is wiped by a reset, with its money back and the provider open', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(50)
    assert.equal((await service.post('/sandbox/reset')).status, 204)
    assert.deepEqual(await statesOf(service, ids), {})
    assert.equal(await balanceOf(service), '1000000.00')
    const [held] = await service.database.query(
      `select balance::text from accounts where account = 'reserve:ZMB:ZMW' and merchant_id = 1`,
    )
    assert.deepEqual(held, { balance: '0' })
    const [first = ''] = ids
    const answer = await service.post(`/v2/payouts/fail-enqueued/${first}`)
    assert.equal(answer.body.failureReason.failureCode, 'NOT_FOUND')
    const again = await payout(service, { payoutId: first })
    assert.equal(again.body.status, 'ACCEPTED')
    await reachesPayout(service, first, 'COMPLETED')
  })

  it('of which some are cancelled: the rest goes on', async () => {
    await switchPayouts(service, 'DELAYED')
    const ids = await enqueue(40)
    const cancelled = ids.filter((_, at) => at % 3 === 0)
    const kept = ids.filter((_, at) => at % 3 !== 0)
    const answers = await Promise.all(
      cancelled.map((id) => service.post(`/v2/payouts/fail-enqueued/${id}`)),
    )
    assert.ok(answers.every(({ body }) => body.status === 'ACCEPTED'))
    assert.equal(Number(await balanceOf(service)), 1_000_000 - 15 * kept.length)
    await switchPayouts(service, 'OPERATIONAL')
    await areAll(kept, 'COMPLETED')
    await areAll(cancelled, 'FAILED')
    assert.deepEqual(await sentOf(service, ids), new Set(kept))
    assert.equal(Number(await balanceOf(service)), 1_000_000 - 15 * kept.length)
  })
})
