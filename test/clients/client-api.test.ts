import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { CLIENT_TYPES, clientTypeFiles } from '../../harness/generate/client-types.ts'
import { remittanceBody } from '../../harness/remittances.ts'
import { depositBody, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { isFinalCheckout } from '../../src/domain/hosted/checkout.ts'
import { FINAL_STATES } from '../../src/domain/payments/payment-state.ts'
import { isFinalSplit } from '../../src/domain/payments/split-payment.ts'
import { OPERATIONS } from '../../src/sdk/client/api/operations.ts'
import { createClient } from '../../src/sdk/client/client.ts'
import { FINAL, FINAL_SPLIT } from '../../src/sdk/client/kinds.ts'
import { FINAL_CHECKOUT } from '../../src/sdk/client/services.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'

/** That `malipo/client` is what the OpenAPI document says, and all of it. */
const service = await shareService()
const proxy = await startFaultyProxy(service.url)
const client = createClient({ baseUrl: proxy.url, token: service.token })
after(async () => {
  await proxy.close()
  await service.stop()
})

it('its types are those of the document; "npm run client-types" writes them again', async () => {
  const { body: document } = await service.get('/openapi.json')
  const made = clientTypeFiles(document)
  assert.deepEqual(readdirSync(CLIENT_TYPES).toSorted(), [...made.keys()].toSorted())
  for (const [name, text] of made) {
    assert.equal(readFileSync(join(CLIENT_TYPES, name), 'utf8'), text, name)
  }
})

it('it knows every state of the document, and which are final', async () => {
  const { schemas } = (await service.get('/openapi.json')).body.components
  const statesOf = (name: string): string[] => schemas[name].properties.status.enum
  const CASES: readonly (readonly [string, readonly string[], (state: never) => boolean])[] = [
    ['DepositRecord', FINAL, (state) => FINAL_STATES.includes(state)],
    ['PayoutRecord', FINAL, (state) => FINAL_STATES.includes(state)],
    ['RefundRecord', FINAL, (state) => FINAL_STATES.includes(state)],
    ['RemittanceRecord', FINAL, (state) => FINAL_STATES.includes(state)],
    ['SplitPaymentRecord', FINAL_SPLIT, isFinalSplit],
    ['CheckoutRecord', FINAL_CHECKOUT, isFinalCheckout],
    ['StatementRecord', FINAL, (state) => state !== 'PROCESSING'],
  ]
  for (const [name, finals, isFinal] of CASES) {
    assert.deepEqual(
      statesOf(name).filter((state) => isFinal(state as never)),
      [...finals],
      name,
    )
  }
})

const wallet = payer('260763456789', 'MTN_MOMO_ZMB')
const payoutBody = () => ({
  ...{ payoutId: randomUUID(), amount: '15', currency: 'ZMW', recipient: wallet },
})

it('it has a method for every operation', async () => {
  const { depositId } = depositBody()
  const [payout, remittance] = [payoutBody(), remittanceBody()]
  const [refundId, splitPaymentId, checkoutId] = [randomUUID(), randomUUID(), randomUUID()]
  const returnUrl = 'https://shop.example/back'

  await client.deposits.initiate(depositBody({ depositId }))
  assert.equal((await client.deposits.waitForFinal(depositId)).status, 'COMPLETED')
  assert.equal((await client.deposits.resendCallback(depositId)).status, 'ACCEPTED')

  assert.equal((await client.payouts.initiate(payout)).status, 'ACCEPTED')
  assert.equal((await client.payouts.waitForFinal(payout.payoutId)).status, 'COMPLETED')
  assert.equal((await client.payouts.cancelEnqueued(payout.payoutId)).status, 'REJECTED')
  await client.payouts.resendCallback(payout.payoutId)
  const bulk = await client.payouts.initiateBulk([payoutBody(), { ...payoutBody(), amount: '0.1' }])
  assert.equal(bulk.length, 2)

  assert.equal((await client.refunds.initiate({ refundId, depositId })).status, 'ACCEPTED')
  assert.equal((await client.refunds.waitForFinal(refundId)).depositId, depositId)
  assert.equal((await client.refunds.cancelEnqueued(refundId)).status, 'REJECTED')
  await client.refunds.resendCallback(refundId)

  assert.equal((await client.remittances.initiate(remittance)).status, 'ACCEPTED')
  const { remittanceId } = remittance
  assert.equal((await client.remittances.waitForFinal(remittanceId)).status, 'COMPLETED')
  assert.equal((await client.remittances.cancelEnqueued(remittanceId)).status, 'REJECTED')
  await client.remittances.resendCallback(remittanceId)
  assert.equal((await client.remittances.initiateBulk([remittanceBody()]))[0]?.status, 'ACCEPTED')

  const split = await client.splitPayments.initiate({
    ...{ splitPaymentId, amount: '15', currency: 'ZMW', payer: wallet },
    splits: [{ payoutId: randomUUID(), amount: '5', recipient: wallet }],
  })
  assert.equal(split.status, 'ACCEPTED')
  assert.equal((await client.splitPayments.waitForFinal(splitPaymentId)).status, 'COMPLETED')
  await client.splitPayments.resendCallback(splitPaymentId)

  const checkout = await client.checkouts.create({ checkoutId, returnUrl })
  assert.ok(checkout.status === 'ACCEPTED' && URL.canParse(checkout.redirectUrl ?? ''))
  assert.equal((await client.checkouts.get(checkoutId))?.status, 'WAITING_PAYMENT')
  assert.equal((await client.checkouts.expire(checkoutId)).status, 'EXPIRED')
  assert.equal((await client.checkouts.waitForFinal(checkoutId)).status, 'EXPIRED')
  assert.equal((await client.checkouts.expire(randomUUID())).status, 'REJECTED')
  await client.checkouts.resendCallback(checkoutId)

  const page = await client.paymentPage.create({ depositId: randomUUID(), returnUrl })
  assert.ok(page.status === undefined && URL.canParse(page.redirectUrl))
  const taken = await client.paymentPage.create({ depositId, returnUrl })
  assert.equal(taken.status, 'DUPLICATE_IGNORED')

  const balances = await client.balances.list({ country: 'ZMB' })
  assert.deepEqual([...new Set(balances.map(({ country }) => country))], ['ZMB'])
  const statement = await client.statements.request({
    wallet: { country: 'ZMB', currency: 'ZMW' },
    callbackUrl: 'https://shop.example/statements',
    ...{ startDate: '2026-11-01T00:00:00', endDate: '2026-11-02T00:00:00' },
  })
  assert.ok(statement.status === 'ACCEPTED' && statement.statementId !== undefined)
  const ready = await client.statements.waitForFinal(statement.statementId)
  assert.ok(ready.status === 'COMPLETED' && URL.canParse(ready.downloadUrl ?? ''))

  const { countries } = await client.toolkit.activeConfiguration({ country: 'ZMB' })
  assert.deepEqual(
    countries.map(({ country }) => country),
    ['ZMB'],
  )
  assert.equal((await client.toolkit.availability({ operationType: 'DEPOSIT' })).length > 1, true)
  const prediction = await client.toolkit.predictProvider('+260 76 345 6789')
  assert.ok(prediction.status === undefined)
  assert.equal(prediction.provider, 'MTN_MOMO_ZMB')
  assert.equal((await client.toolkit.predictProvider('12')).status, 'REJECTED')
  assert.ok((await client.toolkit.publicKeys())[0]?.key.startsWith('-----BEGIN PUBLIC KEY-----'))
  const found: string[] = []
  for await (const { kind, data } of client.payments.find({ limit: '2' })) {
    found.push(String((data as Readonly<Record<string, unknown>>)[`${kind}Id`]))
  }
  assert.ok(found.includes(depositId) && found.length > 4)
  assert.equal(new Set(found).size, found.length)
  assert.equal((await client.payments.explain(depositId)).payments.length, 1)
  const notified: string[] = []
  for await (const { delivery } of client.callbacks.list({ paymentId: depositId })) {
    notified.push(delivery)
  }
  assert.equal(notified.length, 1)
  const feed = { address: 'http://localhost:3000/', follow: false }
  // Payments of above may end meanwhile.
  for await (const one of client.callbacks.feed(feed)) assert.ok(one.id)

  const called = proxy.seen.map(({ line }) => line.split('?')[0] ?? '')
  const isCalled = ({ method, path }: { method: string; path: string }): boolean => {
    const form = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[0-9a-f-]{36}')}$`)
    return called.some((line) => form.test(line))
  }
  const left = Object.entries(OPERATIONS).filter(([, operation]) => !isCalled(operation))
  assert.deepEqual(left, [])
})
