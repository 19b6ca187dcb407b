import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { assertAllWorkEnds, connectTo } from '../../harness/process.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { itInProofs } from '../../harness/scale.ts'
import {
  depositBody,
  eventually,
  payer,
  type Service,
  startService,
} from '../../harness/service.ts'
import type { CallbackFilter } from '../../src/domain/callbacks/replay.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { listReplays } from '../../src/store/callbacks/replays.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { planReplay, startReplay } from '../../src/usecases/callbacks/replay-callbacks.ts'
import { addMortalNode } from '../support/mortal-node.ts'

/**
 * Nodes that die at a chosen point of their work; `storm.proof.ts` kills at any. In `npm test` once
 * while a payment is stored and once while a callback is sent.
 */

const PHONE = '221781000001'
const LOCK = 4711

const redirecting = () =>
  depositBody({ amount: '100', currency: 'XOF', payer: payer(PHONE, 'WAVE_SEN') })

const receivedOf = (receiver: Receiver, id: string) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.depositId === id)

const recordAt = async (service: Service, id: string) =>
  (await service.get(`/v2/deposits/${id}`)).body.data

const approve = async (service: Service, page: string): Promise<number> => {
  const url = `${service.url}${new URL(page).pathname}/approve`
  return (await fetch(url, { method: 'POST', redirect: 'manual' })).status
}

async function startBoth(test: TestContext) {
  const receiver = await startReceiver()
  const service = await startService({ MALIPO_SANDBOX_CALLBACK_URL: receiver.url })
  test.after(async () => {
    await service.stop()
    await receiver.close()
  })
  const mortal = await addMortalNode(service, test)
  return { receiver, service, mortal, database: service.database }
}

/** As `startBoth`, but the mortal node is alone until `startNext`. */
async function startAlone(test: TestContext) {
  const both = await startBoth(test)
  await both.service.node.stop()
  const startNext = async (): Promise<Service> => {
    const next = await both.service.addNode()
    test.after(() => next.stop())
    return next
  }
  return { ...both, startNext }
}

/** Moves the clock on until neither payments nor callbacks are left. */
const endAllWork = (service: Service, database: Database) =>
  eventually(async () => {
    await service.advance(600)
    await assertAllWorkEnds(database, 1000)
  })

/** A write that stores the address of a page waits for the lock that the test holds. */
const HOLD_UP = `
  create function hold_up() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
  create trigger hold_up before update on payments for each row
  when (new.authorization_url is not null and old.authorization_url is null)
  execute function hold_up()`

const waitsForLock = (database: Database) =>
  eventually(async () => {
    const rows = await database.query<{ pid: number }>(
      `select l.pid from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and not l.granted
         and d.datname = current_database() and l.objid = $1`,
      [LOCK],
    )
    assert.equal(rows.length, 1)
    return rows[0]?.pid ?? 0
  })

describe('a node that dies between asking the operator and storing the address', {
  timeout: 540_000,
}, () => {
  for (const [what, isLost] of [
    ['the write is lost with it', true],
    ['the write takes effect after all', false],
  ] as const) {
    const test = isLost ? it : itInProofs
    test(`${what}: the address is found again, and sent once`, async (test) => {
      const { receiver, service, mortal, database } = await startBoth(test)
      const holder = await connectTo(service.databaseUrl)
      test.after(() => holder.end())
      const mode = { mode: 'interactive' }
      assert.equal((await mortal.put(`/sandbox/phones/${PHONE}`, mode)).status, 204)
      await holder.query(HOLD_UP)
      await holder.query('select pg_advisory_lock($1)', [LOCK])

      const body = redirecting()
      const answer = await mortal.post('/v2/deposits', body)
      assert.deepEqual([answer.body.status, answer.body.nextStep], ['ACCEPTED', 'GET_AUTH_URL'])
      const backend = await waitsForLock(database)
      await mortal.kill()
      if (isLost) await database.query('select pg_terminate_backend($1)', [backend])
      await holder.query('select pg_advisory_unlock($1)', [LOCK])

      const page = await eventually(async () => {
        const { nextStep, authorizationUrl } = await recordAt(service, body.depositId)
        assert.equal(nextStep, 'REDIRECT_TO_AUTH_URL')
        return authorizationUrl
      })
      await eventually(() => assert.equal(receivedOf(receiver, body.depositId).length, 1))
      assert.equal(await approve(service, page), 303)
      await eventually(async () => {
        assert.equal((await recordAt(service, body.depositId)).status, 'COMPLETED')
        assert.equal(receivedOf(receiver, body.depositId).length, 2)
      })
      const received = receivedOf(receiver, body.depositId)
      assert.deepEqual(
        received.map((one) => one.status),
        ['PROCESSING', 'COMPLETED'],
      )
      assert.equal(received[0].authorizationUrl, page)
    })
  }
})

itInProofs(
  'a node that dies after it sent the final state, before it recorded that, sends nothing else last',
  {
    timeout: 540_000,
  },
  async (test) => {
    const { receiver, mortal, database, startNext } = await startAlone(test)
    const mode = { mode: 'interactive' }
    assert.equal((await mortal.put(`/sandbox/phones/${PHONE}`, mode)).status, 204)

    receiver.answer((response) => response.writeHead(503, { 'retry-after': '3600' }).end())
    const body = redirecting()
    await mortal.post('/v2/deposits', body)
    await eventually(async () => {
      const [callback] = await database.query('select attempts, holder from callbacks')
      assert.deepEqual(callback, { attempts: 1, holder: 0 })
    })
    receiver.answer(200)
    const noting = mortal.link.holdRequestOf('record-attempts')
    const { authorizationUrl } = await recordAt(mortal, body.depositId)
    await approve(mortal, authorizationUrl)
    await noting.reached
    await mortal.kill()
    // As when it was held up by a crash of its own: it is due, and for longer than the end.
    await database.query(`update callbacks set due_at = created_at where state = 'PROCESSING'`)

    const next = await startNext()
    await endAllWork(next, database)
    assert.deepEqual(
      receivedOf(receiver, body.depositId).map((one) => one.status),
      ['PROCESSING', 'COMPLETED', 'COMPLETED'],
    )
  },
)

it('an attempt that a death cuts off leaves a record, and the callback goes out again', {
  timeout: 540_000,
}, async (test) => {
  const { receiver, mortal, database, startNext } = await startAlone(test)
  receiver.answer(() => {})
  const body = depositBody()
  await mortal.post('/v2/deposits', body)
  await eventually(() => assert.equal(receiver.received.length, 1))
  // From the next one on; this one goes on hanging.
  receiver.answer(200)
  await mortal.kill()
  const next = await startNext()
  const attempts = async () => {
    const found = await next.get(`/sandbox/deliveries?paymentId=${body.depositId}`)
    return found.body[0].attempts
  }
  const cutOff = await eventually(async () => {
    const [first] = await attempts()
    assert.ok(first !== undefined)
    return first
  })
  assert.equal(cutOff.url, receiver.url)
  assert.match(cutOff.reason, /ended before it recorded the result/)
  await endAllWork(next, database)
  assert.deepEqual(
    (await attempts()).map((one: { answer?: unknown }) => one.answer !== undefined),
    [false, true],
  )
  assert.equal(receiver.received.length, 2)
})

itInProofs(
  'a replay whose node dies half way is finished by the next, each callback once',
  {
    timeout: 540_000,
  },
  async (test) => {
    const { receiver, mortal, database, startNext } = await startAlone(test)
    const bodies = Array.from({ length: 40 }, () => depositBody())
    await Promise.all(bodies.map((body) => mortal.post('/v2/deposits', body)))
    await assertAllWorkEnds(database)
    const before = receiver.received.length
    const merchantId = 1 as MerchantId
    const filter: CallbackFilter = { statuses: ['DELIVERED'], kinds: ['deposit'] }
    const now = Date.now()
    assert.equal(await planReplay(database, merchantId, filter, now), bodies.length)
    // One a second: so slow that it is not over before the death, however long that takes.
    const { id, matched } = await startReplay(database, { merchantId, filter, perSecond: 1, now })
    const replay = async () => (await listReplays(database, [id]))[0]
    await eventually(async () => assert.ok(((await replay())?.sent ?? 0) >= 1))
    await mortal.kill()
    const half = await replay()
    assert.ok(half !== undefined && half.state === 'RUNNING' && half.sent < matched)
    const next = await startNext()
    await eventually(async () => {
      await next.advance(2)
      assert.equal((await replay())?.state, 'DONE')
    })
    assert.equal((await replay())?.sent, matched)
    await endAllWork(next, database)
    const again = receiver.received.slice(before).map(({ body }) => JSON.parse(body).depositId)
    assert.equal(new Set(again).size, matched)
    // What was on its way when the node died goes out twice, and nothing else.
    assert.ok(again.length <= matched + half.sent, `${again.length} for ${matched}`)
  },
)
