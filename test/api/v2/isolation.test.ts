import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../support/merchant.ts'
import { startReceiver } from '../../support/receiver.ts'
import { depositBody, eventually, payer, startService } from '../../support/service.ts'

const service = await startService()
const receiver = await startReceiver()
const otherReceiver = await startReceiver()
const other = await addMerchant(service, { slug: 'other', name: 'Other Company' })
await service.put('/sandbox/callbacks', { deposit: receiver.url })
await other.call('PUT', '/sandbox/callbacks', { deposit: otherReceiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
  await otherReceiver.close()
})

/** Every way to name a payment of somebody. */
const ROUTES: readonly (readonly [method: string, path: (id: string) => string])[] = [
  ['GET', (id) => `/v2/deposits/${id}`],
  ['POST', (id) => `/v2/deposits/resend-callback/${id}`],
  ['GET', (id) => `/sandbox/deliveries?paymentId=${id}`],
]

describe("another merchant's payment is answered exactly like an unknown one:", () => {
  for (const [method, path] of ROUTES) {
    for (const [phoneNumber, state] of [
      ['260763456789', 'COMPLETED'],
      ['260763456039', 'FAILED'],
      ['260763456129', 'PROCESSING'],
    ] as const) {
      it(`${method} ${path('{id}')} of a ${state} deposit`, async () => {
        const { id } = await service.deposit({ payer: payer(phoneNumber, 'MTN_MOMO_ZMB') })
        await service.reaches(id, state)
        const unknown = randomUUID()
        const theirs = await other.call(method, path(id))
        const none = await other.call(method, path(unknown))
        assert.equal(theirs.status, none.status)
        assert.deepEqual(JSON.parse(JSON.stringify(theirs.body).replaceAll(id, unknown)), none.body)
        assert.deepEqual(headersOf(theirs.headers), headersOf(none.headers))
      })
    }
  }

  it('every route that takes an identifier is in this table', () => {
    const taking = service.node.endpoints.filter(
      (one) => /:\w+Id\b/.test(one.path) || 'paymentId' in (one.query ?? {}),
    )
    assert.equal(taking.length, ROUTES.length)
  })
})

it('two merchants use one identifier for two payments', async () => {
  const before = otherReceiver.received.length
  const mine = depositBody({ amount: '11' })
  const theirs = { ...mine, amount: '22', customerMessage: 'Theirs' }
  assert.equal((await service.post('/v2/deposits', mine)).body.status, 'ACCEPTED')
  assert.equal((await other.call('POST', '/v2/deposits', theirs)).body.status, 'ACCEPTED')
  const record = await service.reaches(mine.depositId, 'COMPLETED')
  const path = `/v2/deposits/${mine.depositId}`
  const otherRecord = await eventually(async () => {
    const { data } = (await other.call('GET', path)).body
    assert.equal(data.status, 'COMPLETED')
    return data
  })
  assert.deepEqual([record.amount, record.customerMessage], ['11', 'Demo Merchant'])
  assert.deepEqual([otherRecord.amount, otherRecord.customerMessage], ['22', 'Theirs'])
  assert.notEqual(record.providerTransactionId, otherRecord.providerTransactionId)
  await eventually(() => assert.equal(otherReceiver.received.length, before + 1))
  assert.deepEqual(JSON.parse(otherReceiver.received[before]?.body ?? ''), otherRecord)
})

it('money goes to the wallet of the merchant who asked, and to no other', async () => {
  const wallets = async () => ({
    mine: (await service.get('/v2/wallet-balances?country=RWA')).body.balances,
    theirs: (await other.call('GET', '/v2/wallet-balances?country=RWA')).body.balances,
  })
  const { id } = await service.deposit({
    amount: '100',
    currency: 'RWF',
    payer: payer('250783456789', 'MTN_MOMO_RWA'),
  })
  await service.reaches(id, 'COMPLETED')
  const { mine, theirs } = await wallets()
  assert.deepEqual([mine[0].balance, theirs[0].balance], ['1000100.00', '1000000.00'])
})

it('what one merchant does to the sandbox does not touch another', async () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  await service.put('/sandbox/availability', { ...control, status: 'CLOSED' })
  await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '5' })
  await service.put('/sandbox/phones/260763456789', {
    script: [{ afterSeconds: 0, answer: 'failed', failureCode: 'PAYER_NOT_FOUND' }],
  })
  await service.put('/sandbox/callbacks', { deposit: null })
  const before = (await other.call('GET', '/v2/wallet-balances?country=ZMB')).body
  const body = depositBody({ amount: '1' })
  const known = otherReceiver.received.length
  assert.equal((await other.call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
  await eventually(() => assert.equal(otherReceiver.received.length, known + 1))
  assert.equal(JSON.parse(otherReceiver.received[known]?.body ?? '').status, 'COMPLETED')
  const after = (await other.call('GET', '/v2/wallet-balances?country=ZMB')).body
  assert.equal(Number(after.balances[0].balance) - Number(before.balances[0].balance), 1)

  assert.equal((await service.post('/sandbox/reset')).status, 204)
  assert.deepEqual((await other.call('GET', '/v2/wallet-balances?country=ZMB')).body, after)
  const { data } = (await other.call('GET', `/v2/deposits/${body.depositId}`)).body
  assert.equal(data.status, 'COMPLETED')
})

/** Headers that say something about the payment; the rest differs from call to call. */
function headersOf(headers: Headers): string[] {
  const changing = new Set(['x-request-id', 'date', 'content-length'])
  return [...headers]
    .filter(([name]) => !changing.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted()
}
