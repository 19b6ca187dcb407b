import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { connectTo } from '../../../harness/process.ts'
import { eventually, startService } from '../../../harness/service.ts'
import type { MerchantId, PaymentId } from '../../../src/domain/ids.ts'
import { findPayment } from '../../../src/store/payments/payments.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyDeposit,
  legacyReaches,
  startLegacy,
  taken,
} from '../../support/legacy-payments.ts'

const service = await startService()
after(service.stop)

/** More than may wait for a write, beyond the groups that are being written. */
const TOO_MANY = 4096 + 2 * 256 + 100

it('what is shed is 503 with error code 0, stores nothing, and is accepted later', async () => {
  const { ctx } = service.node
  const { id } = await startLegacy(service, 'deposit')
  await legacyReaches(service, 'deposit', id, 'COMPLETED')
  const payment = await findPayment(service.database, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(payment !== undefined)
  ctx.writes.accept.forget()
  // The disk stands still while requests keep coming: repeats, that change nothing.
  const blocker = await connectTo(service.databaseUrl)
  await blocker.query('begin')
  await blocker.query('lock table payments in exclusive mode')
  const waiting = Array.from({ length: TOO_MANY }, () =>
    ctx.writes.accept.add({ payment: { ...payment, key: ctx.newKey() }, holder: ctx.node.id() }),
  )
  await eventually(() => assert.ok(ctx.writes.accept.waiting() > 4096))

  const body = legacyDeposit()
  const { depositId } = body
  for (const [path, sent] of [
    ['/deposits', body],
    ['/deposits/bulk', [body]],
  ] as const) {
    const answer = await service.post(path, sent)
    assertLegacyError(service, answer, 503, /at its limit.*Nothing was stored/)
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  }
  assertLegacy(await service.get(`/deposits/${depositId}`), 200, [])

  await blocker.query('rollback')
  await blocker.end()
  await Promise.all(waiting)
  assertLegacy(await service.post('/deposits', body), 200, taken({ depositId }))
  await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
})
