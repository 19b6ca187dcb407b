import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  assertSentOnce,
  checkout,
  checkoutReaches,
  FAILS,
  failOnce,
  form,
  PAYS,
  page,
  recordOf,
  STAYS,
} from '../../harness/hosted.ts'
import { advanceUntil, reachesOperator } from '../../harness/operator.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import type { PaymentId } from '../../src/domain/ids.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { readNotification } from '../../src/usecases/payments/read-notification.ts'
import { resolveCase } from '../../src/usecases/payments/resolve-case.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await shareService('moving clock')
const second = await service.addNode()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { checkout: receiver.url, deposit: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
const { hosted } = service.node

/** The one callback of the checkout is its record, and every attempt has one of its own. */
async function assertSent(id: string): Promise<void> {
  const record = await assertSentOnce(service, receiver, id)
  const attempts: { depositId: string }[] = record.depositsHistory
  await eventually(() => {
    const received = receiver.received.map(({ body }) => JSON.parse(body).depositId)
    for (const { depositId } of attempts) assert.ok(received.includes(depositId))
  })
}

/** The operator says after all that the last attempt was paid; answers that attempt. */
async function paidAfterAll(id: string): Promise<Payment> {
  const attempt = await attemptOf(id)
  await isPaid(attempt)
  return attempt
}

const attemptOf = async (id: string): Promise<Payment> =>
  depositOf((await recordOf(service, id)).depositsHistory.at(-1).depositId)

async function depositOf(id: string): Promise<Payment> {
  const { db } = service.node.ctx
  const found = await findPayment(db, service.merchantId, 'deposit', id as PaymentId)
  assert.ok(found !== undefined)
  return found
}

async function isPaid(attempt: Payment): Promise<void> {
  assert.ok(attempt.providerReference !== undefined)
  const { merchantId, kind, id: paymentId, providerReference: reference } = attempt
  const outcomes = [{ kind: 'DONE' }] as const
  const notification = { merchantId, kind, paymentId, reference, outcomes }
  await readNotification(second.node.ctx, QUIET, notification)
}

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** By the clock of the service, which other tests have moved. */
const verdict = (resolution: 'CORRECTED' | 'DISMISSED') => ({
  by: 'night desk',
  note: 'seen in the operator file',
  now: service.node.ctx.clock.now(),
  resolution,
})

describe('an attempt that failed and was paid after all', () => {
  it('stops further attempts until a person has decided that it failed', async () => {
    const one = await checkout(service)
    await failOnce(service, one)
    const { key } = await paidAfterAll(one.id)
    const view = await hosted.openCheckout(one.code)
    assert.ok(view.screen === 'RUNNING')
    assert.equal(view.payment.state, 'IN_RECONCILIATION')
    assert.equal((await hosted.payOnCheckout(one.code, form())).status, 'NOT_OPEN')
    await resolveCase(service.database, key, verdict('DISMISSED'))
    assert.equal((await hosted.payOnCheckout(one.code, form())).status, 'STARTED')
    await checkoutReaches(service, one.id, 'COMPLETED')
  })

  it('is the last one when a person has decided that it was paid, and can be refunded', async () => {
    const one = await checkout(service)
    await failOnce(service, one)
    const { key, idAsSent: depositId } = await paidAfterAll(one.id)
    await resolveCase(service.database, key, verdict('CORRECTED'))
    assert.equal((await hosted.payOnCheckout(one.code, form())).status, 'NOT_OPEN')
    await checkoutReaches(service, one.id, 'COMPLETED')
    await assertReadsPaid(one.code)
    await assertSent(one.id)
    const { body } = await service.post('/v2/refunds', { refundId: randomUUID(), depositId })
    assert.equal(body.status, 'ACCEPTED')
  })

  for (const [what, end] of [
    ['the merchant expires it', (id: string) => service.post(`/v2/checkouts/${id}/expire`)],
    ['its time is up', () => service.advance(HOUR)],
  ] as const) {
    for (const [resolution, state] of [
      ['DISMISSED', 'EXPIRED'],
      ['CORRECTED', 'COMPLETED'],
    ] as const) {
      it(`holds the checkout when ${what}, until it is ${resolution}: ${state}`, async () => {
        const one = await checkout(service)
        await failOnce(service, one)
        const { key } = await paidAfterAll(one.id)
        await end(one.id)
        // A round over what is due has passed.
        const other = await checkout(service, { expiresAfter: 3 })
        await service.advance(3 * 60)
        await checkoutReaches(service, other.id, 'EXPIRED')
        assert.equal((await recordOf(service, one.id)).status, 'WAITING_PAYMENT')
        await hosted.cancelCheckout(one.code)
        await assertReadsConfirming(one.code)
        await resolveCase(service.database, key, verdict(resolution))
        await checkoutReaches(service, one.id, state)
        if (state === 'COMPLETED') await assertReadsPaid(one.code)
        else assert.equal((await hosted.openCheckout(one.code)).screen, 'EXPIRED')
        await assertSent(one.id)
      })
    }
  }

  for (const end of ['EXPIRED', 'CANCELLED'] as const) {
    it(`is what the customer reads about when the checkout was ${end} before`, async () => {
      const one = await checkout(service)
      await failOnce(service, one)
      if (end === 'EXPIRED') await service.post(`/v2/checkouts/${one.id}/expire`)
      else await hosted.cancelCheckout(one.code)
      const { key } = await paidAfterAll(one.id)
      await assertReadsConfirming(one.code)
      await resolveCase(service.database, key, verdict('CORRECTED'))
      await assertReadsPaid(one.code)
      assert.equal((await recordOf(service, one.id)).status, end)
      await assertSent(one.id)
    })
  }

  for (const [resolution, state] of [
    ['DISMISSED', 'EXPIRED'],
    ['CORRECTED', 'COMPLETED'],
  ] as const) {
    it(`counts as ${resolution} when the next one fails: ${state}`, async () => {
      const one = await checkout(service)
      await failOnce(service, one)
      const first = await attemptOf(one.id)
      const script = [{ afterSeconds: 600, answer: 'failed', failureCode: 'PAYER_NOT_FOUND' }]
      await service.put('/sandbox/phones/260763456113', { script })
      await hosted.payOnCheckout(one.code, form('260763456113'))
      const { deposit } = await recordOf(service, one.id)
      await reachesOperator(service, deposit.depositId)
      await service.post(`/v2/checkouts/${one.id}/expire`)
      await isPaid(first)
      const resolve = () => resolveCase(service.database, first.key, verdict(resolution))
      if (state === 'COMPLETED') await resolve()
      await service.advance(600)
      await service.reaches(deposit.depositId, 'FAILED')
      if (state === 'EXPIRED') {
        assert.equal((await recordOf(service, one.id)).status, 'WAITING_PAYMENT')
        await assertReadsConfirming(one.code)
        await resolve()
      }
      await checkoutReaches(service, one.id, state)
      await assertSent(one.id)
    })
  }

  it('is read on the Payment Page too: confirming, then paid', async () => {
    const { id, token } = await page(service)
    await hosted.payOnPage(token, form(FAILS))
    await service.reaches(id, 'FAILED')
    const deposit = await depositOf(id)
    await isPaid(deposit)
    const held = await hosted.openPage(token)
    assert.ok(held.screen === 'RUNNING')
    assert.equal(held.payment.state, 'IN_RECONCILIATION')
    await resolveCase(service.database, deposit.key, verdict('CORRECTED'))
    const paid = await hosted.openPage(token)
    assert.ok(paid.screen === 'ENDED')
    assert.equal(paid.payment.state, 'COMPLETED')
  })
})

async function assertReadsConfirming(code: string): Promise<void> {
  const view = await hosted.openCheckout(code)
  assert.ok(view.screen === 'RUNNING')
  assert.equal(view.payment.state, 'IN_RECONCILIATION')
}

async function assertReadsPaid(code: string): Promise<void> {
  const view = await hosted.openCheckout(code)
  assert.ok(view.screen === 'ENDED')
  assert.equal(view.payment.state, 'COMPLETED')
}

const HOUR = 3600

describe('attempts', () => {
  it('fail, fail, success: three entries, one of them COMPLETED, sent once', async () => {
    const one = await checkout(service)
    await failOnce(service, one)
    const payer = await failOnce(service, one)
    const stranger = await hosted.openCheckout(one.code)
    assert.ok(stranger.screen === 'DETAILS')
    const wallet = { provider: 'MTN_MOMO_ZMB', country: 'ZMB' }
    assert.deepEqual(stranger.prefilled, wallet)
    const view = await second.node.hosted.openCheckout(one.code, payer)
    assert.ok(view.screen === 'DETAILS')
    assert.deepEqual(view.prefilled, { ...wallet, phoneNumber: FAILS })
    assert.equal(view.lastAttempt?.failureCode, 'PAYMENT_NOT_APPROVED')
    assert.equal((await hosted.payOnCheckout(one.code, form())).status, 'STARTED')
    const record = await checkoutReaches(service, one.id, 'COMPLETED')
    assert.deepEqual(
      record.depositsHistory.map(({ status }: { status: string }) => status),
      ['FAILED', 'FAILED', 'COMPLETED'],
    )
    assert.deepEqual(record.deposit, record.depositsHistory[2])
    assert.equal(record.depositStatus, 'COMPLETED')
    assert.equal(record.providerTransactionId, record.deposit.providerTransactionId)
    await assertSent(one.id)
    assert.deepEqual(await hosted.payOnCheckout(one.code, form()), { status: 'NOT_OPEN' })
  })

  it('after the tenth failure it is FAILED', async () => {
    const one = await checkout(service, { expiresAfter: 60 })
    for (let count = 0; count < 10; count += 1) await failOnce(service, one)
    const record = await checkoutReaches(service, one.id, 'FAILED')
    assert.equal(record.depositsHistory.length, 10)
    assert.equal((await hosted.openCheckout(one.code)).screen, 'ENDED')
    await assertSent(one.id)
  })

  it('from many tabs and two nodes at once: one deposit', async () => {
    const one = await checkout(service)
    const pays = Array.from({ length: 12 }, (_, at) =>
      (at % 2 === 0 ? hosted : second.node.hosted).payOnCheckout(one.code, form(STAYS)),
    )
    const results = (await Promise.all(pays)).map(({ status }) => status)
    assert.equal(results.filter((status) => status === 'STARTED').length, 1)
    assert.equal(results.filter((status) => status === 'NOT_OPEN').length, 11)
    const record = await checkoutReaches(service, one.id, 'PROCESSING')
    assert.equal(record.depositsHistory.length, 1)
    assert.equal((await hosted.openCheckout(one.code)).screen, 'RUNNING')
  })

  it('a refused form stores nothing, and the checkout still waits', async () => {
    const one = await checkout(service)
    const closed = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT', status: 'CLOSED' }
    await service.put('/sandbox/availability', closed)
    assert.deepEqual(await hosted.payOnCheckout(one.code, form()), {
      status: 'REFUSED',
      refusals: [{ field: 'provider', rule: 'UNAVAILABLE', providerName: 'MTN MoMo' }],
    })
    const view = await hosted.openCheckout(one.code)
    assert.ok(view.screen === 'DETAILS')
    const [country] = view.choices
    assert.deepEqual(
      country?.providers.map(({ provider, isAvailable }) => [provider, isAvailable]),
      [
        ['AIRTEL_OAPI_ZMB', true],
        ['MTN_MOMO_ZMB', false],
        ['ZAMTEL_ZMB', true],
      ],
    )
    await service.put('/sandbox/availability', { ...closed, status: 'OPERATIONAL' })
    const record = await recordOf(service, one.id)
    assert.deepEqual([record.status, record.depositsHistory], ['WAITING_PAYMENT', []])
  })

  it('an attempt with an unknown outcome blocks the next one until it is known', async () => {
    const one = await checkout(service, { expiresAfter: 60 })
    const lost = '260763456111'
    await service.put(`/sandbox/phones/${lost}`, {
      script: [
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds: 900, answer: 'done' },
      ],
    })
    assert.equal((await hosted.payOnCheckout(one.code, form(lost))).status, 'STARTED')
    const { deposit } = await recordOf(service, one.id)
    await advanceUntil(service, deposit.depositId, 'IN_RECONCILIATION')
    const record = await recordOf(service, one.id)
    assert.deepEqual([record.status, record.depositStatus], ['PROCESSING', 'IN_RECONCILIATION'])
    assert.deepEqual(await hosted.payOnCheckout(one.code, form()), { status: 'NOT_OPEN' })
    await hosted.cancelCheckout(one.code)
    assert.equal((await recordOf(service, one.id)).status, 'PROCESSING')
    await service.advance(900)
    await checkoutReaches(service, one.id, 'COMPLETED')
    await assertSent(one.id)
  })
})

describe('the customer cancels', () => {
  it('a checkout that waits: CANCELLED, sent once, and nothing changes it any more', async () => {
    const one = await checkout(service)
    await failOnce(service, one)
    await Promise.all([
      hosted.cancelCheckout(one.code),
      second.node.hosted.cancelCheckout(one.code),
    ])
    assert.equal((await recordOf(service, one.id)).status, 'CANCELLED')
    assert.equal((await hosted.openCheckout(one.code)).screen, 'CANCELLED')
    await assertSent(one.id)
    assert.deepEqual(await hosted.payOnCheckout(one.code, form()), { status: 'NOT_OPEN' })
    await service.post(`/v2/checkouts/${one.id}/expire`)
    await hosted.cancelCheckout(one.code)
    assert.equal((await recordOf(service, one.id)).status, 'CANCELLED')
  })

  it('while paying at the same moment: one of the two, never both', async () => {
    for (let count = 0; count < 10; count += 1) {
      const one = await checkout(service)
      const [paid] = await Promise.all([
        hosted.payOnCheckout(one.code, form(PAYS)),
        second.node.hosted.cancelCheckout(one.code),
      ])
      const state = paid.status === 'STARTED' ? 'COMPLETED' : 'CANCELLED'
      const record = await checkoutReaches(service, one.id, state)
      assert.equal(record.depositsHistory.length, state === 'COMPLETED' ? 1 : 0)
    }
  })
})

describe('an attempt that ends while another transaction holds the checkout', () => {
  for (const [what, change, state] of [
    ['to expire it: sees that, and expires it', 'expiry_asked_at = created_at', 'EXPIRED'],
    [
      'and changes nothing: the form comes back',
      'latest_attempt = latest_attempt',
      'WAITING_PAYMENT',
    ],
    ['and this was the last one: it has failed', 'attempts = 10', 'FAILED'],
  ] as const) {
    it(what, async () => {
      const one = await checkout(service)
      const script = [{ afterSeconds: 60, answer: 'failed', failureCode: 'PAYER_NOT_FOUND' }]
      await service.put('/sandbox/phones/260763456112', { script })
      await hosted.payOnCheckout(one.code, form('260763456112'))
      const { deposit } = await recordOf(service, one.id)
      await reachesOperator(service, deposit.depositId)
      const blocker = await connectTo(service.databaseUrl)
      await blocker.query('begin')
      await blocker.query(`update checkouts set ${change} where id = $1`, [one.id])
      try {
        await service.advance(60)
        // The end of the deposit waits for the row, with nothing of it to be seen.
        await waitForLock(service, 'notifies_whole')
        assert.equal((await recordOf(service, one.id)).depositStatus, 'PROCESSING')
        await blocker.query('commit')
      } finally {
        await blocker.end()
      }
      await checkoutReaches(service, one.id, state)
      if (state === 'FAILED') await repairAttempts(one.id)
    })
  }

  /** The tenth attempt was made up; the books shall say what there is. */
  async function repairAttempts(id: string): Promise<void> {
    await service.database.query(
      `update checkouts set attempts = 1, state = 'EXPIRED' where id = $1`,
      [id],
    )
    await service.database.query(
      `delete from callbacks b using checkouts c where c.id = $1 and b.payment_key = c.key`,
      [id],
    )
  }
})
