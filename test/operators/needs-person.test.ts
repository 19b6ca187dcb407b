import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addOperatorAccount, managing } from '../../harness/operator-accounts.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import { ORANGE_SONATEL_STAND_IN } from '../../src/providers/orange-sonatel/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { changeAccount } from '../../src/usecases/operators/manage-accounts.ts'

const service = await startService()
const operator = await startStandIn(ORANGE_SONATEL_STAND_IN)
after(async () => {
  await operator.close()
  await service.stop()
})
await addOperatorAccount(service, {
  name: 'orange-senegal',
  connector: 'orange-sonatel',
  baseUrl: operator.url,
  providers: { ORANGE_SEN: ['PAYOUT'] },
  priority: 1,
  settings: { merchantCode: '771234567' },
  secrets: {
    clientId: 'client-0123456789',
    clientSecret: 'secret-0123456789',
    callbackApiKey: 'callback-0123456789',
    pin: '1234',
  },
})
const money = { amount: '1500', currency: 'XOF' }
const statusOf = async (id: string) => (await service.get(`/v2/payouts/${id}`)).body.data.status

it('a wrong PIN of ours is not tried again by itself, and at once when a person changed it', async () => {
  const party = '221774000001'
  operator.setEnding('774000001', { says: 'failure', reason: '2011' })
  const id = randomUUID()
  const body = { payoutId: id, ...money, recipient: payer(party, 'ORANGE_SEN') }
  assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
  await eventually(async () => {
    await service.advance(5)
    assert.equal(await statusOf(id), 'ENQUEUED')
  })
  const tried = operator.book.all().length
  for (let days = 0; days < 3; days += 1) await service.advance(86_400)
  assert.equal(operator.book.all().length, tried)
  operator.setEnding('774000001', { says: 'success' })
  await changeAccount(managing(service), 'orange-senegal', { secrets: { pin: '4321' } })
  await eventually(async () => {
    await service.advance(5)
    assert.equal(await statusOf(id), 'COMPLETED')
  })
})
