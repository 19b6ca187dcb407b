import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it, type TestContext } from 'node:test'
import { addMerchant, addToken, callerWith, type TestMerchant } from '../../../harness/merchant.ts'
import { depositBody, eventually, type Service, startService } from '../../../harness/service.ts'
import { startDatabaseLink } from '../../support/database-link.ts'
import { legacyDeposit, legacyPayout } from '../../support/legacy-payments.ts'
import { assertAnswer, reason, SECONDS } from '../../support/shapes.ts'

const service = await startService()
after(service.stop)

const PATH = '/sandbox/migration'
const NOTHING = { calls: [], fields: [] }
let merchants = 0

/** Each test looks at what a merchant of its own used. */
async function shop(): Promise<TestMerchant> {
  merchants += 1
  return addMerchant(service, { slug: `shop-${merchants}`, providers: ['MTN_MOMO_ZMB'] })
}

const report = async ({ call }: Pick<TestMerchant, 'call'>) => (await call('GET', PATH)).body

/** How often each call was made. */
async function countsOf(caller: Pick<TestMerchant, 'call'>): Promise<Record<string, number>> {
  const { calls } = await report(caller)
  return Object.fromEntries(
    calls.map(({ method, path, count }: { method: string; path: string; count: number }) => [
      `${method} ${path}`,
      count,
    ]),
  )
}

it('each call and field with how often, when last, and what takes its place', async () => {
  const { call } = await shop()
  assertAnswer(await call('GET', PATH), 200, NOTHING)
  const metadata = [{ fieldName: 'orderId', fieldValue: 'ORD-1', isPII: true }]
  await call('POST', '/deposits', legacyDeposit({ country: 'ZMB', metadata }))
  await call('POST', '/deposits', legacyDeposit({ amount: 15 }))
  await call('GET', `/deposits/${randomUUID()}`)
  await call('POST', '/payouts/bulk', [legacyPayout(), legacyPayout({ metadata: [] })])
  await call('POST', '/v1/predict-correspondent', { msisdn: '260763456789' })
  await call('GET', '/v1/wallet-balances/ZMB')
  const lastUsed = SECONDS
  const used = (method: string, path: string, count: number, replacement: string) => ({
    method,
    path,
    count,
    lastUsed,
    replacement,
  })
  const field = (call: string, name: string, count: number, rule: string) => ({
    call,
    field: name,
    count,
    lastUsed,
    rule,
  })
  const deposit = (name: string, count: number, rule: string) =>
    field('POST /deposits', name, count, rule)
  const bulk = (name: string, rule: string) => field('POST /payouts/bulk', name, 1, rule)
  const provider = 'becomes provider, inside accountDetails of payer or recipient'
  const removed = 'is removed; the service keeps its own time'
  assertAnswer(await call('GET', PATH), 200, {
    calls: [
      used('GET', '/deposits/{depositId}', 1, 'GET /v2/deposits/{depositId}'),
      used('GET', '/v1/wallet-balances/{country}', 1, 'GET /v2/wallet-balances?country={country}'),
      used('POST', '/deposits', 2, 'POST /v2/deposits'),
      used('POST', '/payouts/bulk', 1, 'POST /v2/payouts/bulk'),
      used('POST', '/v1/predict-correspondent', 1, 'POST /v2/predict-provider'),
    ],
    fields: [
      deposit('amount', 1, 'a number becomes a text in quotes'),
      deposit('correspondent', 2, provider),
      deposit('country', 1, 'is removed; the provider says it'),
      deposit('customerTimestamp', 2, removed),
      deposit('metadata.fieldName', 1, 'becomes the name of the entry: { <name>: <value> }'),
      deposit('metadata.fieldValue', 1, 'becomes the value of the entry: { <name>: <value> }'),
      deposit('payer.address', 2, 'becomes payer.accountDetails'),
      deposit('payer.address.value', 2, 'becomes payer.accountDetails.phoneNumber'),
      deposit('payer.type', 2, 'MSISDN becomes MMO'),
      deposit('statementDescription', 2, 'becomes customerMessage'),
      bulk('correspondent', provider),
      bulk('customerTimestamp', removed),
      bulk('recipient.address', 'becomes recipient.accountDetails'),
      bulk('recipient.address.value', 'becomes recipient.accountDetails.phoneNumber'),
      bulk('recipient.type', 'MSISDN becomes MMO'),
      bulk('statementDescription', 'becomes customerMessage'),
      field('POST /v1/predict-correspondent', 'msisdn', 1, 'becomes phoneNumber'),
    ],
  })
})

it('the last use is the last one', async () => {
  const merchant = await shop()
  await merchant.call('GET', '/active-conf')
  const [first] = (await report(merchant)).calls
  await service.advance(3600)
  await merchant.call('GET', '/active-conf')
  const [second] = (await report(merchant)).calls
  assert.equal(second.count, 2)
  const passed = Date.parse(second.lastUsed) - Date.parse(first.lastUsed)
  assert.ok(passed >= 3_600_000 && passed < 7_200_000)
})

it('each merchant sees what was done with its own tokens', async () => {
  const [one, other] = [await shop(), await shop()]
  const second = callerWith(service, await addToken(service, one.id, ['toolkit:read']))
  await one.call('GET', '/active-conf')
  await second.call('GET', '/active-conf')
  await other.call('GET', '/availability')
  assert.deepEqual(await countsOf(one), { 'GET /active-conf': 2 })
  assert.deepEqual(await countsOf(other), { 'GET /availability': 1 })
})

it('calls of the current generation are not in it', async () => {
  const merchant = await shop()
  await merchant.call('POST', '/v2/deposits', depositBody())
  await merchant.call('POST', '/v2/deposits', { correspondent: 'MTN_MOMO_ZMB' })
  await merchant.call('GET', '/v2/active-conf')
  await merchant.call('GET', '/v2/public-key/http')
  await merchant.call('GET', '/livez')
  assert.deepEqual(await report(merchant), NOTHING)
})

it('a refused call is a use: the program that makes it has to move as well', async () => {
  const merchant = await shop()
  const { call } = merchant
  await call('POST', '/deposits', legacyDeposit({ amount: '0' }))
  await call('POST', '/deposits', legacyDeposit({ colour: 'red' }))
  await call('POST', '/deposits', '{')
  await call('POST', '/deposits')
  await call('GET', '/payouts/nonsense')
  const narrow = callerWith(service, await addToken(service, merchant.id, ['sandbox']))
  assert.equal((await narrow.call('GET', '/active-conf')).status, 403)
  assert.deepEqual(await countsOf(merchant), {
    'GET /active-conf': 1,
    'GET /payouts/{payoutId}': 1,
    'POST /deposits': 4,
  })
})

it('a call without a valid token counts for nobody', async () => {
  const merchant = await shop()
  await fetch(`${service.url}/availability`)
  await fetch(`${service.url}/public-key/http`)
  await callerWith(service, 'nobody').call('GET', '/active-conf')
  await callerWith(service, 'nobody').call('GET', '/public-key/http')
  assert.deepEqual(await report(merchant), NOTHING)
  const rows = await service.database.query(
    `select from legacy_usage where merchant_id not in (select merchant_id from merchants)`,
  )
  assert.equal(rows.length, 0)
})

it('a call that needs no token counts for the one that is sent', async () => {
  const merchant = await shop()
  const { call } = callerWith(service, await addToken(service, merchant.id, ['deposits']))
  assert.equal((await call('GET', '/public-key/https')).status, 200)
  assert.deepEqual(await countsOf(merchant), { 'GET /public-key/https': 1 })
})

it('all nodes together are counted, also one that has stopped', async () => {
  const merchant = await shop()
  const on = (node: Service) => callerWith(node, merchant.token)
  const ask = (node: Service, times: number) =>
    Promise.all(Array.from({ length: times }, () => on(node).call('GET', '/active-conf')))
  const second = await service.addNode()
  try {
    await Promise.all([ask(service, 7), ask(second, 5)])
    for (const node of [service, second]) {
      await eventually(async () =>
        assert.deepEqual(await countsOf(on(node)), { 'GET /active-conf': 12 }),
      )
    }
    await ask(second, 3)
  } finally {
    await second.stop()
  }
  assert.deepEqual(await countsOf(merchant), { 'GET /active-conf': 15 })
  const third = await service.addNode()
  try {
    await ask(third, 1)
    assert.deepEqual(await countsOf(on(third)), { 'GET /active-conf': 16 })
  } finally {
    await third.stop()
  }
})

it('what a node is just writing is in its report', async (test) => {
  const merchant = await shop()
  const { node, link } = await nodeBehindLink(test)
  const { call } = callerWith(node, merchant.token)
  const held = link.holdRequestOf('addUsage')
  await call('GET', '/active-conf')
  await held.reached
  const asked = countsOf({ call })
  // Nothing but the write that is held could end this; a report before that would lack the call.
  const pause = new Promise((resolve) => setTimeout(() => resolve('waits'), 400))
  const first = await Promise.race([asked, pause])
  held.letThrough()
  assert.equal(first, 'waits')
  assert.deepEqual(await asked, { 'GET /active-conf': 1 })
})

async function nodeBehindLink(test: TestContext) {
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url })
  test.after(async () => {
    await node.stop()
    await link.close()
  })
  return { node, link }
}

it('a reset forgets it', async () => {
  const merchant = await shop()
  await merchant.call('GET', '/active-conf')
  await report(merchant)
  await merchant.call('GET', '/availability')
  assert.equal((await merchant.call('POST', '/sandbox/reset')).status, 204)
  assert.deepEqual(await report(merchant), NOTHING)
})

it('401 and 403 hold the reason only', async () => {
  const { id } = await shop()
  const nobody = callerWith(service, 'nobody')
  assertAnswer(await nobody.call('GET', PATH), 401, reason('AUTHENTICATION_ERROR'))
  const { call } = callerWith(service, await addToken(service, id, ['deposits']))
  assertAnswer(await call('GET', PATH), 403, reason('AUTHORISATION_ERROR', /'sandbox:read'/))
})
