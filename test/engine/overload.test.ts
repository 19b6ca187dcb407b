import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Payment } from '../../src/domain/payment.ts'
import { findPayment } from '../../src/store/payments.ts'
import { connectTo } from '../support/process.ts'
import { depositBody, eventually, startService } from '../support/service.ts'
import { assertSigned, give, postSigned } from '../support/signed-service.ts'
import { makeKey } from '../support/signers.ts'

const service = await startService()
after(() => service.stop())

/** More than may wait for a write, beyond the groups that are being written. */
const TOO_MANY = 4096 + 2 * 256 + 100

describe('more deposits than can be written', { timeout: 60_000 }, () => {
  it('are shed with 503 and Retry-After, store nothing, and later ones are accepted', async () => {
    const { ctx } = service.node
    const [{ id: known }, blocker] = await Promise.all([
      service.deposit(),
      connectTo(service.databaseUrl),
    ])
    await service.reaches(known, 'COMPLETED')
    const key = makeKey('shop:1', 'ecdsa-p256-sha256')
    await give(service, [key])
    // The disk stands still while requests keep coming.
    await blocker.query('begin')
    await blocker.query('lock table payments in exclusive mode')
    const payment = await samplePayment()
    const waiting = Array.from({ length: TOO_MANY }, () =>
      ctx.writes.accept.add({ payment: { ...payment, key: ctx.newKey() }, holder: ctx.node.id() }),
    )
    await eventually(() => assert.ok(ctx.writes.accept.waiting() > 4096))

    const body = depositBody()
    const shed = await service.post('/v2/deposits', body)
    assert.equal(shed.status, 503)
    assert.match(shed.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(shed.body.status, undefined)
    assert.equal(shed.body.failureReason.failureCode, 'UNKNOWN_ERROR')
    const signed = await postSigned(service, key)
    assert.equal(signed.status, 503)
    await assertSigned(service, signed)
    // What is not a new payment is served as before.
    assert.equal((await service.get(`/v2/deposits/${known}`)).body.data.status, 'COMPLETED')
    assert.equal((await service.get('/livez')).status, 200)

    await blocker.query('rollback')
    await blocker.end()
    assert.ok((await Promise.all(waiting)).every(({ isNew }) => !isNew))
    assert.equal((await service.get(`/v2/deposits/${body.depositId}`)).body.status, 'NOT_FOUND')
    const again = await service.post('/v2/deposits', body)
    assert.equal(again.body.status, 'ACCEPTED')
    await service.reaches(body.depositId, 'COMPLETED')
  })
})

/** A repeat of what exists: it takes its place in the queue and changes nothing. */
async function samplePayment(): Promise<Payment> {
  const [row] = await service.database.query<Pick<Payment, 'merchantId' | 'id'>>(
    'select merchant_id as "merchantId", id from payments',
  )
  assert.ok(row !== undefined)
  const found = await findPayment(service.database, row.merchantId, 'deposit', row.id)
  assert.ok(found !== undefined)
  // Remembered repeats are answered without the queue.
  service.node.ctx.writes.accept.forget()
  return found
}
