import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, it } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import type { MerchantId, NodeId, PaymentId } from '../../src/domain/ids.ts'
import { LIMITS } from '../../src/domain/timing.ts'
import { type Attempt, recordAttempts } from '../../src/store/callbacks/attempts.ts'
import { recordAgain } from '../../src/store/callbacks/sendings.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const other = await service.addNode()
const receiver = await startReceiver()
after(async () => {
  await other.stop()
  await service.stop()
  await receiver.close()
})

const HOUR = 3_600_000

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

it('an attempt that ends late does not cut short the wait for one that began after it', {
  timeout: 240_000,
}, async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { id } = await service.deposit()
  await eventually(async () => {
    const rows = await service.database.query(
      `select from callbacks where payment_id = $1 and status = 'DELIVERED'`,
      [id],
    )
    assert.equal(rows.length, 1)
  })
  const { ctx } = service.node
  const subject = await findPayment(ctx.db, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(subject !== undefined)
  const now = ctx.clock.now()
  // The node of the younger attempt is lost as well; far off, so that nobody sends it meanwhile.
  const until = now + HOUR
  const cases = { younger: now - 60_000, own: until - LIMITS.attemptOverMs }
  const dueAfter = async (at: number, resend: boolean): Promise<unknown> => {
    await service.database.query(
      `update callbacks set status = 'PENDING', holder = 0, resend = $3,
         due_at = to_timestamp($2::float8 / 1000), under_way_until = to_timestamp($2::float8 / 1000)
       where payment_id = $1`,
      [id, until, resend],
    )
    const begun = { createdAt: at, roundStartedAt: at, tries: 0, attempts: 0 }
    await ctx.writes.attempts.add({
      owed: { subject, state: subject.state, ...begun },
      holder: 999_999 as NodeId,
      at,
      durationMs: 1,
      url: receiver.url,
      status: 'PENDING',
      nextAt: at + 10,
    })
    const [row] = await service.database.query<{ due: number; under_way: number | null }>(
      `select round(extract(epoch from due_at) * 1000)::float8 as due,
         round(extract(epoch from under_way_until) * 1000)::float8 as under_way
       from callbacks where payment_id = $1`,
      [id],
    )
    return row
  }
  for (const resend of [false, true]) {
    assert.deepEqual(await dueAfter(cases.younger, resend), { due: until, under_way: until })
    const due = cases.own + (resend ? 1 : 10)
    assert.deepEqual(await dueAfter(cases.own, resend), { due, under_way: null })
  }
  await service.database.query(
    `update callbacks set status = 'DELIVERED', due_at = null, resend = false where payment_id = $1`,
    [id],
  )
})

it('an attempt whose record waits for a standby when its answer is lost counts once', {
  timeout: 240_000,
}, async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { id } = await service.deposit()
  const counts = () =>
    service.database.query(
      `select attempts, (select count(*)::int from kept_attempts a
         where a.payment_key = c.payment_key) as kept from callbacks c where payment_id = $1`,
      [id],
    )
  await eventually(async () => assert.deepEqual(await counts(), [{ attempts: 1, kept: 1 }]))
  const { ctx } = service.node
  const subject = await findPayment(ctx.db, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(subject !== undefined)
  const at = ctx.clock.now()
  const owed = { subject, state: subject.state, createdAt: at, roundStartedAt: at }
  const attempt: Attempt = {
    owed: { ...owed, tries: 0, attempts: 1 },
    holder: ctx.node.id(),
    at,
    durationMs: 1,
    url: receiver.url,
    status: 'DELIVERED',
  }

  // As the server does it: what is not confirmed by a standby yet, others do not see.
  const unconfirmed = await connectTo(service.databaseUrl)
  await unconfirmed.query('begin')
  await unconfirmed.query('update callbacks set attempts = 2 where payment_id = $1', [id])
  await unconfirmed.query(
    `insert into callback_attempts (merchant_id, payment_key, state, attempt, at, duration_ms, url)
     values (1, $1, $2, 2, to_timestamp($3::float8 / 1000), 1, $4)`,
    [subject.key, subject.state, at, receiver.url],
  )
  const again = recordAgain(ctx.db, attempt)
  await waitForLock(service, 'for update')
  await unconfirmed.query('commit')
  await unconfirmed.end()
  assert.deepEqual(await again, { resend: false })
  assert.deepEqual(await counts(), [{ attempts: 2, kept: 2 }])

  // One that was lost indeed is recorded.
  await recordAgain(ctx.db, { ...attempt, at: at + 1 })
  assert.deepEqual(await counts(), [{ attempts: 3, kept: 3 }])
})

it('the same holds for a first attempt, whose callback has no row yet', {
  timeout: 240_000,
}, async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { id } = await service.deposit()
  const counts = () =>
    service.database.query(
      `select status, attempts, (select count(*)::int from kept_attempts a
         where a.payment_key = c.payment_key) as kept from callbacks c where payment_id = $1`,
      [id],
    )
  const delivered = { status: 'DELIVERED', attempts: 1, kept: 1 }
  await eventually(async () => assert.deepEqual(await counts(), [delivered]))
  await service.database.query('delete from callbacks where payment_id = $1', [id])
  const { ctx } = service.node
  const subject = await findPayment(ctx.db, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(subject !== undefined)
  const at = ctx.clock.now()
  const owed = { subject, state: subject.state, createdAt: at, roundStartedAt: at }
  const begun = {
    owed: { ...owed, tries: 0, attempts: 0, noteEnded: () => {} },
    holder: ctx.node.id(),
    at,
    durationMs: 1,
    url: receiver.url,
  }
  const nextAt = at + 3_600_000
  const attempt: Attempt = { ...begun, httpStatus: 500, status: 'PENDING', nextAt }

  const standby = new EventEmitter()
  const confirmed = once(standby, 'confirmed')
  const written = once(standby, 'written')
  const unconfirmed = ctx.db.inTransaction(async (tx) => {
    await recordAttempts(tx, [attempt], { withOver: (write) => write([]) })
    standby.emit('written')
    await confirmed
  })
  await written
  const again = recordAgain(ctx.db, { ...attempt, nextAt: nextAt + 1 })
  await waitForLock(service, 'insert into callbacks')
  standby.emit('confirmed')
  await unconfirmed
  assert.deepEqual(await again, { resend: false })
  assert.deepEqual(await counts(), [{ status: 'PENDING', attempts: 1, kept: 1 }])
  await recordAgain(ctx.db, { ...begun, at: at + 1, httpStatus: 200, status: 'DELIVERED' })
  assert.deepEqual(await counts(), [{ status: 'DELIVERED', attempts: 2, kept: 2 }])
})

for (const count of [1, 2]) {
  it(
    `of ${count} first attempts one gets its row from elsewhere at that moment`,
    {
      timeout: 240_000,
    },
    () => recordedBesideAnotherRow(count),
  )
}

async function recordedBesideAnotherRow(count: number): Promise<void> {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const deposits = await Promise.all(Array.from({ length: count }, () => service.deposit()))
  const ids = deposits.map(({ id }) => id)
  const rows = () =>
    service.database.query(
      `select status, attempts, due_at is null as settled from callbacks
       where payment_id = any($1::uuid[])`,
      [ids],
    )
  const delivered = ids.map(() => ({ status: 'DELIVERED', attempts: 1, settled: true }))
  await eventually(async () => assert.deepEqual(await rows(), delivered))
  await service.database.query('delete from callbacks where payment_id = any($1::uuid[])', [ids])
  const { ctx } = service.node
  const attemptFor = async (id: string): Promise<Attempt> => {
    const subject = await findPayment(ctx.db, 1 as MerchantId, 'deposit', id as PaymentId)
    assert.ok(subject !== undefined)
    const at = ctx.clock.now()
    const owed = { subject, state: subject.state, createdAt: at, roundStartedAt: at }
    return {
      owed: { ...owed, tries: 0, attempts: 0, noteEnded: () => {} },
      holder: ctx.node.id(),
      at,
      durationMs: 1,
      url: receiver.url,
      httpStatus: 200,
      status: 'DELIVERED',
    }
  }
  const attempts = await Promise.all(ids.map(attemptFor))
  const [
    {
      owed: { subject, state },
    },
  ] = attempts as [Attempt]

  const elsewhere = await connectTo(service.databaseUrl)
  await elsewhere.query('begin')
  await elsewhere.query(
    `insert into callbacks
       (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
        round_started_at, tries, attempts, resend)
     values (1, $1, $2, 'deposit', $3, now(), 'PENDING', 0, now() + interval '1 hour', now(), 0, 0,
       false)`,
    [subject.key, state, subject.id],
  )
  const recorded = Promise.all(attempts.map((attempt) => ctx.writes.attempts.add(attempt)))
  await waitForLock(service, 'insert into callbacks')
  await elsewhere.query('commit')
  await elsewhere.end()
  assert.deepEqual(
    await recorded,
    ids.map(() => ({ resend: false })),
  )
  assert.deepEqual(await rows(), delivered)
}
