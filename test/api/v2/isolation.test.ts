import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  ALL_KINDS,
  bodyOf,
  delayPayingOut,
  ENDINGS,
  KINDS,
  reachesState,
  setAllCallbacks,
  start,
  stateOf,
  statusPath,
} from '../../../harness/every-kind.ts'
import {
  checkout,
  checkoutBody,
  checkoutReaches,
  form,
  pageBody,
  recordOf,
  STAYS,
} from '../../../harness/hosted.ts'
import { addMerchant } from '../../../harness/merchant.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { askStatement, ended } from '../../../harness/statements.ts'

const service = await shareService()
const receiver = await startReceiver()
const otherReceiver = await startReceiver()
const other = await addMerchant(service, { name: 'Other Company' })
await setAllCallbacks(service, receiver.url)
await setAllCallbacks(other, otherReceiver.url)
await delayPayingOut(service)
await delayPayingOut(other)
after(async () => {
  await service.stop()
  await receiver.close()
  await otherReceiver.close()
})

/** Every call that names a payment, by kind. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  deposit: [
    'GET /v2/deposits/:depositId',
    'POST /v2/deposits/resend-callback/:depositId',
    'GET /deposits/:depositId',
    'POST /deposits/resend-callback {depositId}',
  ],
  payout: [
    'GET /v2/payouts/:payoutId',
    'POST /v2/payouts/resend-callback/:payoutId',
    'POST /v2/payouts/fail-enqueued/:payoutId',
    'GET /payouts/:payoutId',
    'POST /payouts/resend-callback {payoutId}',
    'POST /payouts/fail-enqueued/:payoutId',
    'POST /payouts/fail-enqueued {payoutId}',
  ],
  refund: [
    'GET /v2/refunds/:refundId',
    'POST /v2/refunds/resend-callback/:refundId',
    'POST /v2/refunds/fail-enqueued/:refundId',
    'GET /refunds/:refundId',
    'POST /refunds/resend-callback {refundId}',
    'POST /refund/resend-callback {refundId}',
  ],
  remittance: [
    'GET /v2/remittances/:remittanceId',
    'POST /v2/remittances/resend-callback/:remittanceId',
    'POST /v2/remittances/fail-enqueued/:remittanceId',
  ],
  splitPayment: [
    'GET /v2/split-payments/:splitPaymentId',
    'POST /v2/split-payments/resend-callback/:splitPaymentId',
  ],
  checkout: [
    'GET /v2/checkouts/:checkoutId',
    'POST /v2/checkouts/:checkoutId/expire',
    'POST /v2/checkouts/resend-callback/:checkoutId',
  ],
  statement: ['GET /v2/statements/:statementId'],
  anything: [
    'GET /sandbox/deliveries?paymentId=',
    'GET /callbacks?paymentId=',
    'GET /payments/:paymentId',
    'GET /payments?clientReferenceId=',
    'GET /payments?providerTransactionId=',
  ],
}

/** The same call with another merchant's identifier and with an unknown one: the same answer. */
async function assertLikeUnknown(route: string, id: string): Promise<void> {
  const [method = '', path = '', inBody] = route.split(' ')
  const unknown = randomUUID()
  const call = (one: string) => {
    const body = inBody === undefined ? undefined : { [inBody.slice(1, -1)]: one }
    return other.call(method, path.replace(/:\w+Id\b|(?<==)$/, one), body)
  }
  const [theirs, none] = [await call(id), await call(unknown)]
  assert.equal(theirs.status, none.status)
  assert.match(JSON.stringify(none.body), /NOT_FOUND|was found|^(?:\{"\w+":)?\[\]\}?$/)
  assert.deepEqual(JSON.parse(JSON.stringify(theirs.body).replaceAll(id, unknown)), none.body)
  const headers = headersOf(theirs.headers).map((header) => header.replaceAll(id, unknown))
  assert.deepEqual(headers, headersOf(none.headers))
}

describe("another merchant's payment is answered exactly like an unknown one:", () => {
  for (const kind of ALL_KINDS) {
    for (const ending of ENDINGS) {
      it(`a ${kind} that is ${stateOf(kind, ending)}, which stays as it is`, async () => {
        const { id, record } = await start(service, kind, ending)
        for (const route of [...(ROUTES[kind] ?? []), ...(ROUTES.anything ?? [])]) {
          await assertLikeUnknown(route, id)
        }
        assert.deepEqual((await service.get(statusPath(kind, id))).body.data, record)
      })
    }
  }

  it('a payout that another split payment has reserved', async () => {
    const { record } = await start(service, 'splitPayment', 'OPEN')
    for (const route of ROUTES.payout ?? []) {
      await assertLikeUnknown(route, record.splits[0].payoutId)
    }
  })

  it('a checkout, in whatever state', async () => {
    const { hosted } = service.node
    const waiting = await checkout(service)
    const [running, paid] = [await checkout(service), await checkout(service)]
    await hosted.payOnCheckout(running.code, form(STAYS))
    await hosted.payOnCheckout(paid.code, form())
    await checkoutReaches(service, paid.id, 'COMPLETED')
    const { deposit } = await recordOf(service, running.id)
    await service.reaches(deposit.depositId, 'PROCESSING')
    for (const { id } of [waiting, running, paid]) {
      const record = await recordOf(service, id)
      for (const route of [...(ROUTES.checkout ?? []), ...(ROUTES.anything ?? [])]) {
        await assertLikeUnknown(route, id)
      }
      assert.deepEqual(await recordOf(service, id), record)
    }
    const mine = await other.call('POST', '/v2/checkouts', checkoutBody({ checkoutId: waiting.id }))
    assert.equal(mine.body.status, 'ACCEPTED')
    assert.notEqual(mine.body.checkoutCode, waiting.code)
  })

  it('the identifier of a deposit that another merchant has, for a page', async () => {
    const { id } = await start(service, 'deposit', 'COMPLETED')
    const answer = await other.call('POST', '/v2/paymentpage', pageBody({ depositId: id }))
    assert.equal(answer.status, 201)
    const view = await service.node.hosted.openPage(answer.body.redirectUrl.split('/').at(-1))
    assert.equal(view.screen, 'DETAILS')
  })

  it('a statement', async () => {
    const id = await askStatement(service)
    await ended(service, id)
    for (const route of [...(ROUTES.statement ?? []), ...(ROUTES.anything ?? [])]) {
      await assertLikeUnknown(route, id)
    }
  })

  it('no route that takes an identifier is missing from this table', () => {
    const taking = service.node.endpoints.flatMap(({ method, path, query = {}, body }) => {
      const ids = Object.keys(query).filter((name) => /Id$/.test(name))
      if (ids.length > 0) return ids.map((name) => `${method} ${path}?${name}=`)
      if (/:\w*id\b/i.test(path)) return [`${method} ${path}`]
      // The earlier generation names a payment in a body that holds nothing else.
      const fields = Object.keys((body as { properties?: object } | undefined)?.properties ?? {})
      return fields.length === 1 && /Id$/.test(fields[0] ?? '')
        ? [`${method} ${path} {${fields[0]}}`]
        : []
    })
    assert.deepEqual(taking.toSorted(), Object.values(ROUTES).flat().toSorted())
  })
})

it("a refund of another merchant's deposit is answered like one of an unknown deposit", async () => {
  for (const ending of ENDINGS) {
    const { id, record } = await start(service, 'deposit', ending)
    const unknown = randomUUID()
    const refundId = randomUUID()
    const ask = (depositId: string) => other.call('POST', '/v2/refunds', { refundId, depositId })
    const theirs = await ask(id)
    const none = await ask(unknown)
    assert.deepEqual([none.status, none.body.failureReason?.failureCode], [200, 'NOT_FOUND'])
    assert.equal(theirs.status, none.status)
    assert.deepEqual(JSON.parse(JSON.stringify(theirs.body).replaceAll(id, unknown)), none.body)
    assert.deepEqual((await other.call('GET', `/v2/refunds/${refundId}`)).body, {
      status: 'NOT_FOUND',
    })
    assert.deepEqual((await service.get(`/v2/deposits/${id}`)).body.data, record)
  }
})

describe('an identifier of another merchant is free for oneself:', () => {
  for (const kind of ALL_KINDS.filter((one) => one !== 'refund')) {
    it(`${kind}`, async () => {
      const { id, record } = await start(service, kind, 'OPEN')
      const { idField } = KINDS[kind]
      const mine = await start(other, kind, 'COMPLETED', { [idField]: id, amount: '7' })
      assert.deepEqual([mine.record[idField], mine.record.amount], [id, '7'])
      assert.deepEqual((await service.get(statusPath(kind, id))).body.data, record)
    })
  }

  it('refund', async () => {
    const { id, record } = await start(service, 'refund', 'OPEN')
    await start(other, 'refund', 'COMPLETED', { refundId: id })
    assert.deepEqual((await service.get(`/v2/refunds/${id}`)).body.data, record)
  })

  it('what a split payment has reserved, for a deposit, a payout and a split payment', async () => {
    const { id, record } = await start(service, 'splitPayment', 'OPEN')
    const { payoutId } = record.splits[0]
    await start(other, 'payout', 'COMPLETED', { payoutId })
    await start(other, 'deposit', 'COMPLETED', { depositId: id })

    const again = await start(service, 'splitPayment', 'OPEN')
    const whole = bodyOf('splitPayment', 'COMPLETED', { splitPaymentId: again.id })
    whole.splits[0].payoutId = again.record.splits[0].payoutId
    assert.equal((await other.call('POST', '/v2/split-payments', whole)).body.status, 'ACCEPTED')
    await reachesState(other, 'splitPayment', again.id, 'COMPLETED')
    for (const one of [record, again.record]) {
      const { body } = await service.get(`/v2/split-payments/${one.splitPaymentId}`)
      assert.deepEqual(body.data, one)
    }
  })
})

it('two merchants use one identifier for two payments', async () => {
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
  const callbacks = await callbacksAbout(mine.depositId)
  assert.deepEqual(callbacks, [JSON.stringify(otherRecord)])
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
  assert.equal((await other.call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
  const [callback = ''] = await callbacksAbout(body.depositId)
  assert.equal(JSON.parse(callback).status, 'COMPLETED')
  const after = (await other.call('GET', '/v2/wallet-balances?country=ZMB')).body
  assert.equal(Number(after.balances[0].balance) - Number(before.balances[0].balance), 1)

  assert.equal((await service.post('/sandbox/reset')).status, 204)
  assert.deepEqual((await other.call('GET', '/v2/wallet-balances?country=ZMB')).body, after)
  const { data } = (await other.call('GET', `/v2/deposits/${body.depositId}`)).body
  assert.equal(data.status, 'COMPLETED')
})

/** The callbacks about the payment that the other merchant's server received; at least one. */
async function callbacksAbout(id: string): Promise<string[]> {
  const callbacks = () =>
    otherReceiver.received.map(({ body }) => body).filter((one) => one.includes(id))
  await eventually(() => assert.ok(callbacks().length > 0))
  return callbacks()
}

/** Headers that say something about the payment; the rest differs from call to call. */
function headersOf(headers: Headers): string[] {
  const changing = new Set(['x-request-id', 'date', 'content-length'])
  return [...headers]
    .filter(([name]) => !changing.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted()
}
