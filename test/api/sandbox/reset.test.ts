import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { checkout, form, page, STAYS } from '../../../harness/hosted.ts'
import { reachesOperator } from '../../../harness/operator.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { assertBooks, depositBody, eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, assertEmpty } from '../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
const atFirst = (await service.get('/v2/wallet-balances')).body
after(async () => {
  await service.stop()
  await receiver.close()
})

const reset = (body?: unknown) => service.post('/sandbox/reset', body)

it('payments are forgotten and their identifiers free again', async () => {
  const bodies = [
    depositBody(),
    depositBody({ payer: payer('260763456039', 'MTN_MOMO_ZMB') }),
    depositBody({ payer: payer('260763456129', 'MTN_MOMO_ZMB') }),
  ]
  for (const [index, state] of ['COMPLETED', 'FAILED', 'PROCESSING'].entries()) {
    await service.post('/v2/deposits', bodies[index])
    await service.reaches(bodies[index].depositId, state)
  }
  assertEmpty(await reset())
  for (const { depositId } of bodies) {
    assertAnswer(await service.get(`/v2/deposits/${depositId}`), 200, { status: 'NOT_FOUND' })
    assert.equal((await service.get(`/sandbox/deliveries?paymentId=${depositId}`)).status, 404)
  }
  for (const { depositId } of bodies) {
    const { body } = await service.post('/v2/deposits', depositBody({ depositId }))
    assert.equal(body.status, 'ACCEPTED')
    await service.reaches(depositId, 'COMPLETED')
  }
})

it('checkouts and pages are forgotten, and their links lead nowhere', async () => {
  const { hosted } = service.node
  const [waiting, running] = [await checkout(service), await checkout(service)]
  await hosted.payOnCheckout(running.code, form(STAYS))
  const { token } = await page(service)
  assertEmpty(await reset())
  for (const { id, code } of [waiting, running]) {
    assertAnswer(await service.get(`/v2/checkouts/${id}`), 200, { status: 'NOT_FOUND' })
    assert.equal((await hosted.openCheckout(code)).screen, 'UNKNOWN')
  }
  assert.equal((await hosted.openPage(token)).screen, 'UNKNOWN')
  assert.notEqual((await checkout(service, { checkoutId: waiting.id })).code, waiting.code)
})

it('wallets are as at first, and those of one provider are gone', async () => {
  const wallet = { country: 'ZMB', currency: 'ZMW' }
  await service.put('/sandbox/wallets', { ...wallet, balance: '3' })
  await service.put('/sandbox/wallets', { ...wallet, provider: 'MTN_MOMO_ZMB', balance: '4' })
  assertEmpty(await reset({}))
  assert.deepEqual((await service.get('/v2/wallet-balances')).body, atFirst)
  const { id } = await service.deposit({ amount: '2' })
  await service.reaches(id, 'COMPLETED')
  const { body } = await service.get('/v2/wallet-balances?country=ZMB')
  assert.deepEqual(
    body.balances.map((one: { balance: string }) => one.balance),
    ['1000002.00'],
  )
})

it('providers are open and scripts are gone', async () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT', status: 'CLOSED' }
  await service.put('/sandbox/availability', control)
  await service.put('/sandbox/phones/260763456789', {
    script: [{ afterSeconds: 0, answer: 'failed' }],
  })
  assertEmpty(await reset())
  const { id, body } = await service.deposit()
  assert.equal(body.status, 'ACCEPTED')
  await service.reaches(id, 'COMPLETED')
})

it('the token and the callback address stay', async () => {
  assertEmpty(await reset())
  const { id } = await service.deposit()
  await eventually(() => {
    const received = receiver.received.map((one) => JSON.parse(one.body).depositId)
    assert.ok(received.includes(id))
  })
})

it('what was under way does not come back, even under the same identifier', async () => {
  await service.put('/sandbox/phones/260763450001', {
    script: [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 60, answer: 'failed' },
    ],
  })
  const body = depositBody({ payer: payer('260763450001', 'MTN_MOMO_ZMB') })
  await service.post('/v2/deposits', body)
  await reachesOperator(service, body.depositId)
  assertEmpty(await reset())
  await service.post('/v2/deposits', depositBody({ depositId: body.depositId }))
  await service.reaches(body.depositId, 'COMPLETED')
  await service.advance(3600)
  const settled = await service.deposit()
  await service.reaches(settled.id, 'COMPLETED')
  const { data } = (await service.get(`/v2/deposits/${body.depositId}`)).body
  assert.equal(data.status, 'COMPLETED')
  const wallets = await service.get('/v2/wallet-balances?country=ZMB')
  assert.equal(wallets.body.balances[0].balance, '1000030.00')
})

it('resets in the middle of many payments leave books that agree', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 40 === 20) return reset()
      return index % 3 === 0 ? service.deposit({ amount: '2' }) : service.deposit()
    }),
  )
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 204]))
  await assertBooks(service.database)
  assertEmpty(await reset())
  await assertBooks(service.database)
  assert.deepEqual((await service.get('/v2/wallet-balances')).body, atFirst)
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

it('many resets at once take turns, and none fails', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, reset))
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([204]))
  assert.deepEqual((await service.get('/v2/wallet-balances')).body, atFirst)
})
