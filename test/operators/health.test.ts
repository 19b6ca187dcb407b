import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addOperatorAccount, managing } from '../../harness/operator-accounts.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { acceptDifference } from '../../src/store/operators/balances.ts'
import { listHealthHistory } from '../../src/store/operators/health.ts'
import { switchProvider } from '../../src/usecases/operators/switch-provider.ts'

const service = await startService()
const second = await service.addNode()
const operator = await startStandIn(MTN_MOMO_STAND_IN)
const other = await startStandIn(MTN_MOMO_STAND_IN)
after(async () => {
  await operator.close()
  await other.close()
  await second.stop()
  for (const account of ['first', 'next']) {
    await acceptDifference(service.database, { account, by: 'test', note: 'moved' }, Date.now())
  }
  await service.stop()
})

const credentials = { subscriptionKey: 'sub-01234', apiUser: 'user-01234', apiKey: 'key-01234' }
const accountAt = (name: string, baseUrl: string, priority: number) => ({
  name,
  connector: 'mtn-momo',
  baseUrl,
  providers: { MTN_MOMO_ZMB: ['DEPOSIT', 'PAYOUT'] },
  priority,
  settings: { targetEnvironment: 'mtnzambia' },
  secrets: { collection: credentials, disbursement: credentials },
})

let count = 0
const number = (): string => {
  count += 1
  return `2607635${String(count).padStart(5, '0')}`
}
const money = { amount: '15', currency: 'ZMW' }
async function start(kind: 'deposit' | 'payout', phoneNumber = number()) {
  const id = randomUUID()
  const account = payer(phoneNumber, 'MTN_MOMO_ZMB')
  const party = kind === 'deposit' ? { payer: account } : { recipient: account }
  const { body } = await service.post(`/v2/${kind}s`, { [`${kind}Id`]: id, ...money, ...party })
  return { id, body }
}
const statusOf = async (kind: string, id: string) =>
  (await service.get(`/v2/${kind}s/${id}`)).body.data.status
const reaches = (kind: string, id: string, status: string) =>
  eventually(async () => {
    await service.advance(5)
    assert.equal(await statusOf(kind, id), status)
  })
const availability = async (place = service) => {
  const { body } = await place.get('/v2/availability?country=ZMB')
  const found = body[0].providers.find(
    ({ provider }: { provider: string }) => provider === 'MTN_MOMO_ZMB',
  )
  const { DEPOSIT, PAYOUT } = found.operationTypes
  return [DEPOSIT.status ?? DEPOSIT, PAYOUT.status ?? PAYOUT]
}

const submissions = async (): Promise<number> => {
  const [row] = await service.database.query<{ count: number }>(
    `select count(*)::int as count from operator_exchanges where what = 'submit'`,
  )
  return row?.count ?? 0
}

await addOperatorAccount(service, accountAt('first', operator.url, 1))

describe('an operator that cannot be reached', { timeout: 400_000 }, () => {
  it('rests after five failures in a row, on all nodes, and comes back by a trial', async () => {
    operator.faults.set([{ on: 'any', fault: 'drop-before' }])
    const started = await Promise.all(Array.from({ length: 5 }, () => start('deposit')))
    await eventually(async () => {
      await service.advance(1)
      assert.deepEqual(await availability(), ['CLOSED', 'DELAYED'])
    })
    await eventually(async () =>
      assert.deepEqual(await availability(second), ['CLOSED', 'DELAYED']),
    )
    // What has not left is given up in the end; until then it does not knock every second.
    await eventually(() => assert.ok(!service.node.ctx.providers.takes('first', 'DEPOSIT')))
    const before = await submissions()
    await eventually(async () => {
      await service.advance(1)
      for (const { id } of started) assert.equal(await statusOf('deposit', id), 'FAILED')
    })
    assert.ok((await submissions()) - before <= started.length)
    const refused = await start('deposit')
    assert.equal(refused.body.failureReason.failureCode, 'PROVIDER_TEMPORARILY_UNAVAILABLE')
    const waiting = await start('payout')
    await eventually(async () => assert.equal(await statusOf('payout', waiting.id), 'ENQUEUED'))
    operator.faults.set([])
    await eventually(async () => {
      await service.advance(15)
      assert.deepEqual(await availability(), ['OPERATIONAL', 'OPERATIONAL'])
    })
    await reaches('payout', waiting.id, 'COMPLETED')
    const history = await listHealthHistory(service.database, 10)
    const deposits = history.filter((one) => one.operation === 'DEPOSIT').map((one) => one.status)
    assert.deepEqual(deposits.slice(0, 2), ['OPERATIONAL', 'CLOSED'])
    assert.ok(
      history.some(({ reason }) => reason.includes('closed the connection')),
      JSON.stringify(history),
    )
  })
})

describe('a refusal for a reason of ours', { timeout: 400_000 }, () => {
  it("fails a deposit as nobody else's fault", async () => {
    const party = number()
    operator.setEnding(party, { says: 'failure', reason: 'NOT_ALLOWED' })
    const { id } = await start('deposit', party)
    await reaches('deposit', id, 'FAILED')
    const { body } = await service.get(`/v2/deposits/${id}`)
    assert.equal(body.data.failureReason.failureCode, 'UNSPECIFIED_FAILURE')
  })

  it('puts a payout back into the line, and pays it once when it is put right', async () => {
    const party = number()
    operator.setEnding(party, { says: 'failure', reason: 'NOT_ENOUGH_FUNDS' })
    const { id } = await start('payout', party)
    await eventually(async () => {
      await service.advance(2)
      assert.equal(await statusOf('payout', id), 'ENQUEUED')
    })
    // The clock may have gone on to a trial by now, so the history is what shows it on any machine.
    const history = await listHealthHistory(service.database, 100)
    const delayed = history.find((one) => one.operation === 'PAYOUT' && one.status === 'DELAYED')
    assert.equal(delayed?.reason, 'NOT_ENOUGH_FUNDS')
    operator.setEnding(party, { says: 'success' })
    await reaches('payout', id, 'COMPLETED')
    const orders = operator.book.all().filter((one) => one.party === party)
    const paid = orders.filter(({ ending }) => ending.says === 'success')
    assert.equal(paid.length, 1)
    assert.equal(new Set(orders.map(({ reference }) => reference)).size, orders.length)
    await eventually(async () => assert.equal((await availability())[1], 'OPERATIONAL'))
  })
})

describe('a code that nobody asked for', { timeout: 400_000 }, () => {
  it('does no harm where customers are asked on the phone', async () => {
    const depositId = randomUUID()
    const { body } = await service.post('/v2/deposits', {
      ...{ depositId, ...money, payer: payer(number(), 'MTN_MOMO_ZMB') },
      preAuthorisationCode: '123456',
    })
    assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
    await reaches('deposit', depositId, 'COMPLETED')
  })
})

describe('a person', { timeout: 400_000 }, () => {
  const set = (status: 'CLOSED' | 'OPERATIONAL' | 'auto') =>
    switchProvider(managing(service), {
      provider: 'MTN_MOMO_ZMB',
      operation: 'DEPOSIT',
      status,
      reason: 'planned work',
    })

  it('closes a provider for all merchants, and leaves it to the accounts again', async () => {
    await set('CLOSED')
    await eventually(async () => assert.equal((await availability())[0], 'CLOSED'))
    const { body } = await start('deposit')
    assert.equal(body.failureReason.failureCode, 'PROVIDER_TEMPORARILY_UNAVAILABLE')
    await set('auto')
    await eventually(async () => assert.equal((await availability())[0], 'OPERATIONAL'))
  })
})

describe('two accounts for one provider', { timeout: 400_000 }, () => {
  it('the next one takes what could not leave for the first, and nothing that did', async () => {
    await addOperatorAccount(service, accountAt('next', other.url, 2))
    // Nothing listens there any more, so not a byte can leave.
    await operator.close()
    const { id } = await start('payout')
    await reaches('payout', id, 'COMPLETED')
    const [row] = await service.database.query(
      'select operator_account from payments where id = $1',
      [id],
    )
    assert.deepEqual(row, { operator_account: 'next' })
    assert.equal(other.book.all().length, 1)
  })

  it('an order that got lost on the way stays with its account', async () => {
    const before = other.book.all().length
    other.faults.set([{ on: 'create', fault: 'drop-after', times: 1 }])
    const { id } = await start('payout')
    await reaches('payout', id, 'COMPLETED')
    assert.equal(other.book.all().length, before + 1)
  })
})
