import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  assertSentOnce,
  checkout,
  checkoutReaches,
  FAILS,
  form,
  type NewCheckout,
  page,
  recordOf,
} from '../../harness/hosted.ts'
import { reachesOperator } from '../../harness/operator.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'

/** The simulated operator answers after an hour; what is paid stays under way until then. */
const HOUR = 3600
const slow = { MALIPO_SANDBOX_DELAY_MS: String(HOUR * 1000) }
const service = await startService(slow)
const second = await service.addNode(slow)
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { checkout: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
const { hosted } = service.node

async function running(one: NewCheckout, number: string, on: Service = service): Promise<void> {
  const paid = await on.node.hosted.payOnCheckout(one.code, form(number))
  assert.equal(paid.status, 'STARTED')
  const { deposit } = await recordOf(service, one.id)
  await reachesOperator(service, deposit.depositId)
}

const sentOnce = (id: string) => assertSentOnce(service, receiver, id)

describe('when the time is up', { timeout: 540_000 }, () => {
  it('checkouts that nobody pays are EXPIRED, each at its own time, and sent once', async () => {
    const [short, usual] = [await checkout(service, { expiresAfter: 3 }), await checkout(service)]
    await service.advance(3 * 60)
    const record = await checkoutReaches(service, short.id, 'EXPIRED')
    assert.deepEqual(record.depositsHistory, [])
    assert.equal((await recordOf(service, usual.id)).status, 'WAITING_PAYMENT')
    await sentOnce(short.id)
    const answer = await service.post(`/v2/checkouts/${short.id}/expire`)
    assert.deepEqual(answer.body, {
      checkoutId: short.id,
      status: 'EXPIRED',
      expiredAt: record.expiresAt,
    })
    assert.equal((await hosted.openCheckout(short.code)).screen, 'EXPIRED')
    assert.deepEqual(await hosted.payOnCheckout(short.code, form()), { status: 'NOT_OPEN' })
    await service.advance(12 * 60)
    await checkoutReaches(second, usual.id, 'EXPIRED')
    await sentOnce(usual.id)
  })

  it('an attempt that runs goes on, and decides: COMPLETED', async () => {
    const one = await checkout(service)
    await running(one, '260763456789')
    await service.advance(16 * 60)
    assert.equal((await hosted.openCheckout(one.code)).screen, 'RUNNING')
    await service.advance(HOUR)
    await checkoutReaches(service, one.id, 'COMPLETED')
    await sentOnce(one.id)
  })

  it('an attempt that runs goes on, and decides: EXPIRED', async () => {
    const one = await checkout(service)
    await running(one, FAILS, second)
    await service.advance(16 * 60)
    assert.equal((await recordOf(service, one.id)).status, 'PROCESSING')
    await service.advance(HOUR)
    const record = await checkoutReaches(service, one.id, 'EXPIRED')
    assert.equal(record.depositStatus, 'FAILED')
    await sentOnce(one.id)
  })

  it('a page that was open shows it: nothing is created', async () => {
    const { id, token } = await page(service)
    assert.equal((await hosted.openPage(token)).screen, 'DETAILS')
    await service.advance(15 * 60)
    assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'NOT_OPEN' })
    assert.equal((await hosted.openPage(token)).screen, 'EXPIRED')
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
  })

  it('a payment that was started in time is shown after it, for a week', async () => {
    const { id, token } = await page(service)
    assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'STARTED' })
    await reachesOperator(service, id)
    await service.advance(20 * 60)
    assert.equal((await hosted.openPage(token)).screen, 'RUNNING')
    await service.advance(HOUR)
    await service.reaches(id, 'COMPLETED')
    assert.equal((await hosted.openPage(token)).screen, 'ENDED')
    await service.advance(7 * 24 * HOUR)
    assert.equal((await hosted.openPage(token)).screen, 'UNKNOWN')
    await eventually(async () => {
      const rows = await service.database.query('select from page_sessions where deposit_id = $1', [
        id,
      ])
      assert.equal(rows.length, 0)
    })
  })
})

describe('the merchant expires', { timeout: 540_000 }, () => {
  const expire = async (id: string) => (await service.post(`/v2/checkouts/${id}/expire`)).body

  it('one with an attempt under way: PROCESSING, then EXPIRED when it fails', async () => {
    const one = await checkout(service, { expiresAfter: 60 })
    const script = [{ afterSeconds: 600, answer: 'failed', failureCode: 'PAYER_NOT_FOUND' }]
    await service.put('/sandbox/phones/260763456111', { script })
    await running(one, '260763456111')
    assert.deepEqual(await expire(one.id), { checkoutId: one.id, status: 'PROCESSING' })
    assert.deepEqual(await expire(one.id), { checkoutId: one.id, status: 'PROCESSING' })
    // Within its time, so that only the call can be the reason.
    await service.advance(600)
    await checkoutReaches(service, one.id, 'EXPIRED')
    const { expiredAt, ...answer } = await expire(one.id)
    assert.deepEqual(answer, {
      checkoutId: one.id,
      status: 'EXPIRED',
      reason: 'MANUAL_EXPIRY',
      expiredBy: 'API',
    })
    assert.match(expiredAt, /Z$/)
    await sentOnce(one.id)
  })

  it('one with an attempt under way: COMPLETED when it completes', async () => {
    const one = await checkout(service, { expiresAfter: 60 })
    await running(one, '260763456789')
    await expire(one.id)
    await service.advance(HOUR)
    await checkoutReaches(service, one.id, 'COMPLETED')
    assert.deepEqual(await expire(one.id), { checkoutId: one.id, status: 'COMPLETED' })
    await sentOnce(one.id)
  })
})

describe('when the test clock goes back', { timeout: 540_000 }, () => {
  it('checkouts and pages are gone, and new ones have their own time', async () => {
    await service.advance(10 * HOUR)
    const [gone, goneToo] = [await checkout(service), await page(service)]
    assert.equal((await service.post('/sandbox/clock/reset')).status, 200)
    assert.equal((await hosted.openCheckout(gone.code)).screen, 'UNKNOWN')
    assert.equal((await hosted.openPage(goneToo.token)).screen, 'UNKNOWN')
    const [one, open] = [await checkout(service), await page(service)]
    await service.advance(14 * 60)
    assert.equal((await hosted.openPage(open.token)).screen, 'DETAILS')
    assert.equal((await recordOf(service, one.id)).status, 'WAITING_PAYMENT')
    await service.advance(2 * 60)
    await checkoutReaches(service, one.id, 'EXPIRED')
    assert.equal((await hosted.openPage(open.token)).screen, 'EXPIRED')
  })
})
