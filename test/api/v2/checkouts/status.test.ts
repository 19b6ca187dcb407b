import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  assertSentOnce,
  checkout,
  checkoutReaches,
  failOnce,
  form,
  recordOf,
  STAYS,
} from '../../../../harness/hosted.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, refused, SECONDS, UUID } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { checkout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { hosted } = service.node

const ASKED = {
  returnUrl: 'https://shop.example/thanks',
  returnMethod: 'CUSTOMER_ACTION',
  defaultLanguage: 'fr',
  countries: ['ZMB'],
  expiresAfter: 20,
  amounts: [{ country: 'ZMB', currency: 'ZMW', amount: '15.00' }],
  payer: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', allowCustomerToOverride: true },
  },
  clientReferenceId: 'INV-1',
  reason: { en: 'Order 12345', fr: 'Commande 12345' },
}
const METADATA = { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } }

describe('the record', () => {
  it('says what was asked for, and then every attempt; the callback is the same', async () => {
    const metadata = [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }]
    const one = await checkout(service, { ...ASKED, metadata })
    const { redirectUrl, created, expiresAt, checkoutCode } = one.answer
    const base = {
      checkoutId: one.id,
      redirectUrl,
      checkoutCode,
      created,
      expiresAt,
      ...ASKED,
      ...METADATA,
    }
    assertAnswer(await service.get(`/v2/checkouts/${one.id}`), 200, {
      status: 'FOUND',
      data: { ...base, status: 'WAITING_PAYMENT', depositsHistory: [] },
    })
    await failOnce(service, one)
    await hosted.payOnCheckout(one.code, form())
    const record = await checkoutReaches(service, one.id, 'COMPLETED')
    const attempt = (status: string, phoneNumber: string) => ({
      depositId: UUID,
      status,
      amount: '15.00',
      currency: 'ZMW',
      country: 'ZMB',
      payer: { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_ZMB' } },
      customerMessage: 'Commande 12345',
      clientReferenceId: 'INV-1',
      created: SECONDS,
      ...METADATA,
    })
    const failed = {
      ...attempt('FAILED', '260763456039'),
      failureReason: { failureCode: 'PAYMENT_NOT_APPROVED', failureMessage: /./ },
    }
    const providerTransactionId = /^SBX/
    const completed = { ...attempt('COMPLETED', '260763456789'), providerTransactionId }
    assertShape(record, {
      ...base,
      status: 'COMPLETED',
      depositStatus: 'COMPLETED',
      deposit: completed,
      depositsHistory: [failed, completed],
      providerTransactionId,
    })
    assert.deepEqual((await service.get(`/v2/deposits/${record.deposit.depositId}`)).body, {
      status: 'FOUND',
      data: record.deposit,
    })
    await assertSentOnce(service, receiver, one.id)
    await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${one.id}`)
      assert.deepEqual(
        [body[0].kind, body[0].status, body[0].delivery],
        ['checkout', 'COMPLETED', 'DELIVERED'],
      )
      assert.deepEqual(JSON.parse(body[0].attempts[0].requestBody), record)
    })
  })

  it('leaves out what was not asked for, except the return address and the countries', async () => {
    const one = await checkout(service, { countries: undefined, amounts: undefined })
    const { redirectUrl, created, expiresAt, checkoutCode } = one.answer
    assert.deepEqual(await recordOf(service, one.id), {
      checkoutId: one.id,
      status: 'WAITING_PAYMENT',
      redirectUrl,
      checkoutCode,
      created,
      expiresAt,
      expiresAfter: 15,
      returnUrl: 'https://shop.example/thanks?order=7#top',
      returnMethod: 'INSTANT',
      countries: [],
      depositsHistory: [],
    })
  })

  it('NOT_FOUND for an unknown one, 400 for what is not an identifier', async () => {
    const unknown = await service.get(`/v2/checkouts/${randomUUID()}`)
    assertAnswer(unknown, 200, { status: 'NOT_FOUND' })
    const wrong = await service.get('/v2/checkouts/17')
    assertAnswer(wrong, 400, refused('INVALID_PARAMETER', /'checkoutId'/))
  })
})

it('a resend sends the record again, once the checkout is final', async () => {
  const resend = (id: string) => service.post(`/v2/checkouts/resend-callback/${id}`)
  const { id: checkoutId, code } = await checkout(service)
  const says = /has not finished.*when it is COMPLETED, FAILED, EXPIRED or CANCELLED/
  const tooEarly = refused('INVALID_STATE', says, { checkoutId })
  assertAnswer(await resend(checkoutId), 200, tooEarly)
  await hosted.cancelCheckout(code)
  await assertSentOnce(service, receiver, checkoutId)
  assertAnswer(await resend(checkoutId), 200, { checkoutId, status: 'ACCEPTED' })
  const record = await recordOf(service, checkoutId)
  await eventually(() => {
    const received = receiver.received.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      received.filter((one) => one.checkoutId === checkoutId),
      [record, record],
    )
  })
  const unknown = randomUUID()
  const nowhere = refused('NOT_FOUND', /No checkout/, { checkoutId: unknown })
  assertAnswer(await resend(unknown), 200, nowhere)
})

describe('the expire call', () => {
  const expire = (id: string) => service.post(`/v2/checkouts/${id}/expire`)

  it('WAITING_PAYMENT: EXPIRED by hand, sent once, and the same answer again', async () => {
    const one = await checkout(service)
    const expired = {
      checkoutId: one.id,
      status: 'EXPIRED',
      expiredAt: SECONDS,
      reason: 'MANUAL_EXPIRY',
      expiredBy: 'API',
    }
    const first = await expire(one.id)
    assertAnswer(first, 200, expired)
    await service.advance(60)
    assertAnswer(await expire(one.id), 200, first.body)
    assert.equal((await hosted.openCheckout(one.code)).screen, 'EXPIRED')
    await assertSentOnce(service, receiver, one.id)
  })

  it('PROCESSING, COMPLETED and CANCELLED: the current status, unchanged', async () => {
    const [running, paid, left] = [
      await checkout(service),
      await checkout(service),
      await checkout(service),
    ]
    await hosted.payOnCheckout(running.code, form(STAYS))
    await hosted.payOnCheckout(paid.code, form())
    await checkoutReaches(service, paid.id, 'COMPLETED')
    await hosted.cancelCheckout(left.code)
    for (const [{ id }, status] of [
      [running, 'PROCESSING'],
      [paid, 'COMPLETED'],
      [left, 'CANCELLED'],
    ] as const) {
      assertAnswer(await expire(id), 200, { checkoutId: id, status })
      assert.equal((await recordOf(service, id)).status, status)
    }
  })

  it('FAILED: the current status, unchanged', async () => {
    const one = await checkout(service)
    for (let count = 0; count < 10; count += 1) await failOnce(service, one)
    assertAnswer(await expire(one.id), 200, { checkoutId: one.id, status: 'FAILED' })
  })

  it('takes an empty body, with or without a content type', async () => {
    for (const body of [undefined, '', '{}']) {
      const one = await checkout(service)
      const headers = { 'content-type': 'application/json' }
      const answer = await service.post(`/v2/checkouts/${one.id}/expire`, body, headers)
      assert.equal(answer.body.status, 'EXPIRED')
    }
  })

  it('404 NOT_FOUND for an unknown one, 400 for what is not an identifier', async () => {
    const id = randomUUID()
    assertAnswer(await expire(id), 404, refused('NOT_FOUND', new RegExp(id)))
    assertAnswer(await expire('17'), 400, refused('INVALID_PARAMETER', /'checkoutId'/))
  })
})
