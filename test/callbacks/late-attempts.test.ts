import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import type { MerchantId, NodeId, PaymentId } from '../../src/domain/ids.ts'
import type { Attempt } from '../../src/store/callbacks/attempts.ts'
import { findPayment } from '../../src/store/payments/payments.ts'

const service = await startService()
const other = await service.addNode()
const receiver = await startReceiver()
after(async () => {
  await other.stop()
  await service.stop()
  await receiver.close()
})

type Row = { readonly status: string; readonly holder: number; readonly attempts: number }

it('an attempt that ends after its node was taken for dead is kept, and undoes nothing', {
  timeout: 240_000,
}, async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { id } = await service.deposit()
  const read = async (): Promise<Row & { reasons: (string | null)[] }> => {
    const [row] = await service.database.query<Row & { reasons: (string | null)[] }>(
      `select status, holder, attempts, array(select reason from kept_attempts a
         where a.payment_key = c.payment_key order by attempt) as reasons
       from callbacks c where payment_id = $1`,
      [id],
    )
    assert.ok(row !== undefined)
    return row
  }
  await eventually(async () => assert.equal((await read()).status, 'DELIVERED'))
  const { ctx } = service.node
  const subject = await findPayment(ctx.db, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(subject !== undefined)
  const now = ctx.clock.now()
  const begun = { createdAt: now, roundStartedAt: now, tries: 0, attempts: 0 }
  const owed = { subject, state: subject.state, ...begun }
  const late = (result: Pick<Attempt, 'status' | 'reason' | 'nextAt'>) =>
    ctx.writes.attempts.add({
      owed,
      holder: 999_999 as NodeId,
      at: now,
      durationMs: 1,
      url: receiver.url,
      ...result,
    })

  await late({ status: 'PENDING', reason: 'late', nextAt: now })
  assert.deepEqual(await read(), {
    status: 'DELIVERED',
    holder: 0,
    attempts: 2,
    reasons: [null, 'late'],
  })

  const holder = other.node.ctx.node.id()
  await service.database.query(
    `update callbacks set status = 'PENDING', due_at = now(), holder = $1 where payment_id = $2`,
    [holder, id],
  )
  await late({ status: 'GIVEN_UP', reason: 'later' })
  assert.deepEqual(await read(), {
    status: 'PENDING',
    holder,
    attempts: 3,
    reasons: [null, 'late', 'later'],
  })

  await late({ status: 'DELIVERED' })
  const { status, attempts } = await read()
  assert.deepEqual([status, attempts], ['DELIVERED', 4])
})
