import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, type Service, startService } from '../../harness/service.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { beginRemoval, removePart } from '../../src/store/archive/removal.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { addMortalNode } from '../support/mortal-node.ts'

const ROUNDS = 5

/** The name of no node. */
const GONE = 1_000_000

/** Callbacks that are owed by a note of their attempt and have no row yet. */

async function start(test: TestContext) {
  const receiver = await startReceiver()
  const service = await startService({ MALIPO_SANDBOX_CALLBACK_URL: receiver.url })
  test.after(async () => {
    await service.stop()
    await receiver.close()
  })
  const callbacks = () =>
    service.database.query<{ status: string; attempts: number }>(
      'select status, attempts from callbacks',
    )
  const callbackOf = async (id: string) => {
    const [row] = await service.database.query<{ status: string; attempts: number }>(
      'select status, attempts from callbacks where payment_id = $1',
      [id],
    )
    return row
  }
  return { receiver, service, callbacks, callbackOf }
}

/** A deposit that has ended without one. */
async function withoutCallback(service: Service): Promise<string> {
  await service.put('/sandbox/callbacks', { deposit: null })
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  return id
}

/** A callback of this deposit that has no row. */
async function owedByNote({ node }: Service, id: string) {
  const { db, clock } = node.ctx
  const subject = await findPayment(db, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(subject !== undefined)
  const at = clock.now()
  const times = { createdAt: at, roundStartedAt: at, tries: 0, attempts: 0 }
  return { subject, state: subject.state, ...times, noteEnded: () => {} }
}

it('a callback that was delivered at once is one row, with its attempt', {
  timeout: 240_000,
}, async (test) => {
  const { receiver, service, callbackOf } = await start(test)
  // A node that a slow machine keeps from acting delivers later: then the next one may be in time.
  let id = ''
  let attempts: readonly unknown[] = []
  for (let round = 1; round <= ROUNDS && (id === '' || attempts.length > 0); round += 1) {
    id = (await service.deposit()).id
    await eventually(async () => assert.equal((await callbackOf(id))?.status, 'DELIVERED'))
    attempts = await service.database.query(
      'select attempt from callback_attempts join payments on key = payment_key where id = $1',
      [id],
    )
  }
  assert.deepEqual(attempts, [])
  assert.deepEqual(await callbackOf(id), { status: 'DELIVERED', attempts: 1 })
  const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
  assert.deepEqual(
    body[0].attempts.map(({ url, httpStatus }: Record<string, unknown>) => [url, httpStatus]),
    [[receiver.url, 200]],
  )
})

it('one whose node dies before it was sent is sent by another', {
  timeout: 540_000,
}, async (test) => {
  const { receiver, service, callbacks } = await start(test)
  const mortal = await addMortalNode(service, test)
  const ended = mortal.link.holdAnswerTo('advance')
  const body = depositBody()
  await mortal.post('/v2/deposits', body)
  await ended.reached
  await service.reaches(body.depositId, 'COMPLETED')
  assert.deepEqual([await callbacks(), receiver.received.length], [[], 0])
  await mortal.kill()
  await eventually(async () => {
    await service.advance(60)
    assert.deepEqual(await callbacks(), [{ status: 'DELIVERED', attempts: 2 }])
  })
  assert.equal(receiver.received.length, 1)
})

it('an attempt that is recorded once more, because a write failed half way, counts once', {
  timeout: 240_000,
}, async (test) => {
  const { service, callbacks } = await start(test)
  const id = await withoutCallback(service)
  const { writes, node } = service.node.ctx
  const owed = await owedByNote(service, id)
  const at = owed.createdAt
  const url = 'http://localhost:9'
  const attempt = { owed, holder: node.id(), at, durationMs: 1, url, status: 'DELIVERED' } as const
  for (let tries = 0; tries < 2; tries += 1) {
    assert.deepEqual(await writes.attempts.add(attempt), { resend: false })
  }
  assert.deepEqual(await callbacks(), [{ status: 'DELIVERED', attempts: 1 }])
})

it('one whose payment is wiped while it is sent leaves nothing behind', {
  timeout: 240_000,
}, async (test) => {
  const { receiver, service, callbacks } = await start(test)
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url })
  test.after(async () => {
    await node.stop()
    await link.close()
  })
  const recording = link.holdRequestOf('record-first')
  await node.deposit()
  await recording.reached
  assert.equal(receiver.received.length, 1)
  assert.equal((await service.post('/sandbox/reset')).status, 204)
  recording.letThrough()
  // By then the record of the first has gone as far as it can.
  const { id } = await node.deposit()
  await eventually(async () => {
    const rows = await service.database.query('select payment_id as id, status from callbacks')
    assert.deepEqual(rows, [{ id, status: 'DELIVERED' }])
  })
  assert.equal((await callbacks()).length, 1)
})

describe('the note of a callback that was delivered', { timeout: 540_000 }, () => {
  const owed = (service: Service) =>
    service.database.query('select payment_id, state from callbacks_in_hand')

  async function delivered(service: Service): Promise<void> {
    await service.deposit()
    await eventually(async () => {
      const rows = await service.database.query('select status from callbacks')
      assert.deepEqual(rows, [{ status: 'DELIVERED' }])
    })
    const notes = await service.database.query('select from sendings')
    assert.ok(notes.length > 0, 'a note stays until its node records another')
  }

  it('owes nothing after a reset of the sandbox', async (test) => {
    const { service } = await start(test)
    await delivered(service)
    assert.equal((await service.post('/sandbox/reset')).status, 204)
    assert.deepEqual(await owed(service), [])
  })

  it('owes nothing after its year was archived, also when its node is gone', async (test) => {
    const { service, callbacks, receiver } = await start(test)
    await delivered(service)
    const sent = receiver.received.length
    const { now } = service.node.ctx.clock
    const name = { merchantId: 1 as MerchantId, year: new Date(now()).getUTCFullYear() }
    await service.database.inTransaction((tx) => beginRemoval(tx, name, '00', now()))
    const part = await removePart(service.database, name, 1000, now())
    assert.deepEqual([part.isEnded, await callbacks(), await owed(service)], [true, [], []])
    await service.database.query('update sendings set node_id = $1', [GONE])
    await eventually(async () => {
      assert.deepEqual(await service.database.query('select from sendings'), [])
    })
    assert.deepEqual([await callbacks(), receiver.received.length], [[], sent])
  })
})

it('one that two notes of dead nodes owe gets one row, and one attempt', {
  timeout: 540_000,
}, async (test) => {
  const { service, callbacks } = await start(test)
  const id = await withoutCallback(service)
  await service.database.query(
    `insert into sendings (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states,
       attempts, url_at, kinds, payment_ids)
     select $2 + n, n, now(), array['http://localhost:9'], array[1], array[key], array['COMPLETED'],
       array[n - 1], array[1], array['deposit'], array[id]
     from payments, generate_series(1, 2) n where id = $1`,
    [id, GONE],
  )
  await eventually(async () => {
    const notes = await service.database.query('select from sendings')
    const kept = await service.database.query('select attempt from callback_attempts')
    assert.deepEqual([notes, kept], [[], [{ attempt: 1 }]])
  })
  const [row] = await callbacks()
  assert.equal(row?.attempts, 1)
})

it('one that its node gave back before it was sent was not attempted, also when the node is gone', {
  timeout: 540_000,
}, async (test) => {
  const { service, callbacks } = await start(test)
  const id = await withoutCallback(service)
  const { writes, node } = service.node.ctx
  // A note with another callback, which is being sent.
  await service.database.query(
    `insert into sendings (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states,
       attempts, url_at, kinds, payment_ids)
     select $2, 1000, now(), array['http://localhost:9'], array[1, 1], array[$3, key],
       array['COMPLETED', 'COMPLETED'], array[0, 0], array[1, 1], array['deposit', 'deposit'],
       array[gen_random_uuid(), id]
     from payments where id = $1`,
    [id, node.id(), randomUUID()],
  )
  const owed = await owedByNote(service, id)
  await writes.release.add({ owed, holder: node.id(), dueAt: owed.createdAt + 3_600_000 })
  const inHand = await service.database.query('select from callbacks_in_hand')
  assert.equal(inHand.length, 1, 'the other one')
  await service.database.query('update sendings set node_id = $1', [GONE])
  await eventually(async () => {
    assert.deepEqual(await service.database.query('select from sendings'), [])
  })
  assert.deepEqual(await callbacks(), [{ status: 'PENDING', attempts: 0 }])
  assert.deepEqual(await service.database.query('select from callback_attempts'), [])
})
