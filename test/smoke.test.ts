import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startReceiver } from './support/receiver.ts'
import { eventually, startService } from './support/service.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

it('a deposit goes from request to callback, and the wallet grows', async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { body, id } = await service.deposit({ amount: '15.50' })
  assert.equal(body.status, 'ACCEPTED')
  const record = await service.reaches(id, 'COMPLETED')
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  const balances = await service.get('/v2/wallet-balances?country=ZMB')
  assert.equal(balances.body.balances[0].balance, '1000015.50')
})
