import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

it('a reset and the record of attempts do not deadlock', {
  timeout: 540_000,
}, async (test) => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  for (let count = 0; count < 2; count += 1) {
    const { id } = await service.deposit()
    await service.reaches(id, 'COMPLETED')
  }
  const rows = await eventually(async () => {
    const found = await service.database.query<{ payment_key: string }>(
      `select payment_key from callbacks where status = 'DELIVERED' order by payment_key`,
    )
    assert.equal(found.length, 2)
    return found
  })
  // As a group write does: two callbacks in one transaction, the later one first.
  const writer = await connectTo(service.databaseUrl)
  test.after(() => writer.end())
  const touch = (at: number) =>
    writer.query('update callbacks set tries = tries + 1 where payment_key = $1', [
      rows[at]?.payment_key,
    ])
  await writer.query('begin')
  await touch(1)
  const reset = service.post('/sandbox/reset')
  await waitForLock(service, '^(lock table|delete from callbacks)')
  await touch(0)
  await writer.query('commit')
  assert.equal((await reset).status, 204)
  const [left] = await service.database.query('select count(*)::int as count from callbacks')
  assert.deepEqual(left, { count: 0 })
})

it('putting the clock back goes on when others were in its way', {
  timeout: 540_000,
}, async (test) => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  await service.post('/sandbox/clock/advance', { seconds: 86_400 })
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  const [writer, gate] = [
    await connectTo(service.databaseUrl),
    await connectTo(service.databaseUrl),
  ]
  test.after(() => Promise.all([writer.end(), gate.end()]))
  await writer.query('begin')
  await writer.query('select from transfers where merchant_id = 1 for update')
  // The reset closes the circle, so it is the one that finds it: a statement that waits looks only once.
  await writer.query(`set local deadlock_timeout = '1h'`)
  await gate.query('begin')
  await gate.query('lock table callback_replays in exclusive mode')
  const reset = service.post('/sandbox/clock/reset')
  await waitForLock(service, '^delete from callback_replays')
  const touched = writer.query('update callbacks set tries = tries where payment_id = $1', [id])
  await waitForLock(service, '^update callbacks set tries = tries')
  await gate.query('rollback')
  await touched
  await writer.query('commit')
  assert.equal((await reset).status, 200)
})

it('an endpoint that was paused by the former clock gets what is sent again', {
  timeout: 240_000,
}, async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  await service.post('/sandbox/clock/advance', { seconds: 86_400 })
  receiver.answer(410)
  const callbackOf = async (id: string) =>
    (await service.get(`/sandbox/deliveries?paymentId=${id}`)).body[0]
  const paused = async (id: string): Promise<void> => {
    await service.reaches(id, 'COMPLETED')
    await eventually(async () => assert.equal((await callbackOf(id))?.delivery, 'PAUSED'))
  }
  await paused((await service.deposit()).id)
  assert.equal((await service.post('/sandbox/clock/reset')).status, 200)
  receiver.answer(200)
  const { id } = await service.deposit()
  await paused(id)
  await service.post(`/v2/deposits/resend-callback/${id}`)
  await eventually(async () => assert.equal((await callbackOf(id))?.delivery, 'DELIVERED'))
})
