import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertAllWorkEnds,
  assertNothingLost,
  callAt,
  connectTo,
  type Flow,
  hasSent,
  newAnswerBook,
  newSeed,
  type Place,
  seededRandom,
  settleDoubts,
  startLoad,
  startProcess,
} from '../../harness/process.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, depositBody, eventually, payer } from '../../harness/service.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const seed = newSeed()
const random = seededRandom(seed)
const PHONE = '221781000001'
const LOCK = 4711

const redirecting = (changes: Record<string, unknown> = {}) =>
  depositBody({ amount: '100', currency: 'XOF', payer: payer(PHONE, 'WAVE_SEN'), ...changes })

const toldOf = (receiver: Receiver, id: string) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.depositId === id)

const recordAt = async (place: Place, id: string) =>
  (await callAt(place, 'GET', `/v2/deposits/${id}`))?.body.data

/** Whoever stores the address of a page waits for the lock that the test holds. */
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

describe('a node killed between asking the operator and storing the address', {
  timeout: 540_000,
}, () => {
  for (const [what, isLost] of [
    ['the write is lost with it', true],
    ['the write takes effect after all', false],
  ] as const) {
    it(`${what}: the address is found again, and told once`, async (test) => {
      const databaseUrl = await cloneDatabase()
      const database = openDatabase({ connectionString: databaseUrl }, 4)
      const holder = await connectTo(databaseUrl)
      const receiver = await startReceiver()
      const settings = {
        DATABASE_URL: databaseUrl,
        MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
        MALIPO_SANDBOX_DELAY_MS: '0',
      }
      const first = await startProcess(settings)
      const second = await startProcess(settings)
      test.after(async () => {
        await first.kill()
        await second.kill()
        await holder.end()
        await database.close()
        await receiver.close()
      })
      const mode = { mode: 'interactive' }
      assert.equal((await callAt(first, 'PUT', `/sandbox/phones/${PHONE}`, mode))?.status, 204)
      await holder.query(HOLD_UP)
      await holder.query('select pg_advisory_lock($1)', [LOCK])

      const body = redirecting()
      const answer = await callAt(first, 'POST', '/v2/deposits', body)
      assert.deepEqual([answer?.body.status, answer?.body.nextStep], ['ACCEPTED', 'GET_AUTH_URL'])
      const backend = await waitsForLock(database)
      await first.kill()
      if (isLost) await database.query('select pg_terminate_backend($1)', [backend])
      await holder.query('select pg_advisory_unlock($1)', [LOCK])

      const page = await eventually(async () => {
        const { nextStep, authorizationUrl } = await recordAt(second, body.depositId)
        assert.equal(nextStep, 'REDIRECT_TO_AUTH_URL')
        return authorizationUrl
      })
      await eventually(() => assert.equal(toldOf(receiver, body.depositId).length, 1))
      const path = new URL(page).pathname
      const { status } = await fetch(`${second.url}${path}/approve`, {
        method: 'POST',
        redirect: 'manual',
      })
      assert.equal(status, 303)
      await eventually(async () => {
        assert.equal((await recordAt(second, body.depositId)).status, 'COMPLETED')
        assert.equal(toldOf(receiver, body.depositId).length, 2)
      })
      assert.deepEqual(
        toldOf(receiver, body.depositId).map((one) => one.status),
        ['PROCESSING', 'COMPLETED'],
      )
      assert.equal(toldOf(receiver, body.depositId)[0].authorizationUrl, page)
    })
  }
})

it('a node killed after it told the end, before it noted that, leaves the end the last word', {
  timeout: 540_000,
}, async (test) => {
  const databaseUrl = await cloneDatabase()
  const database = openDatabase({ connectionString: databaseUrl }, 4)
  const link = await startDatabaseLink(databaseUrl)
  const receiver = await startReceiver()
  const start = (url: string) =>
    startProcess({
      DATABASE_URL: url,
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '0',
    })
  const killed = await start(link.url)
  test.after(async () => {
    await database.close()
    await receiver.close()
  })
  const mode = { mode: 'interactive' }
  assert.equal((await callAt(killed, 'PUT', `/sandbox/phones/${PHONE}`, mode))?.status, 204)

  receiver.answer((response) => response.writeHead(503, { 'retry-after': '3600' }).end())
  const body = redirecting()
  await callAt(killed, 'POST', '/v2/deposits', body)
  await eventually(async () => {
    const [callback] = await database.query('select attempts, holder from callbacks')
    assert.deepEqual(callback, { attempts: 1, holder: 0 })
  })
  receiver.answer(200)
  const note = link.holdRequestOf('record-attempts')
  const { authorizationUrl } = await recordAt(killed, body.depositId)
  const path = new URL(authorizationUrl).pathname
  await fetch(`${killed.url}${path}/approve`, { method: 'POST', redirect: 'manual' })
  await note.reached
  await killed.kill()
  await link.close()
  // As when it was held up by a crash of its own: it is due, and for longer than the end.
  await database.query(`update callbacks set due_at = created_at where state = 'PROCESSING'`)

  const living = await start(databaseUrl)
  test.after(() => living.kill())
  await assertAllWorkEnds(database)
  assert.deepEqual(
    toldOf(receiver, body.depositId).map((one) => one.status),
    ['PROCESSING', 'COMPLETED', 'COMPLETED'],
  )
})

const REDIRECTS: Flow = {
  path: '/v2/deposits',
  idField: 'depositId',
  body: (depositId) => redirecting(depositId === undefined ? {} : { depositId }),
}

it('a node killed again and again owes the callback with the address once for each deposit', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const databaseUrl = await cloneDatabase()
  const database = openDatabase({ connectionString: databaseUrl }, 4)
  const receiver = await startReceiver()
  const start = () =>
    startProcess({
      DATABASE_URL: databaseUrl,
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '30',
    })
  let node = await start()
  test.after(async () => {
    await node.kill()
    await database.close()
    await receiver.close()
  })
  const book = newAnswerBook(REDIRECTS)
  const load = startLoad(() => node, book)
  try {
    for (let kills = 0; kills < 3; kills += 1) {
      await sleep(random(100, 900))
      await hasSent(book, 12 * (kills + 1))
      await node.kill()
      node = await start()
    }
  } finally {
    await load.stop()
  }
  await settleDoubts(node, book)
  assert.ok(book.accepted.size > 30)
  await assertNothingLost(database, book, receiver)
  const rows = await database.query<{ told: number; stored: number }>(
    `select count(c.state)::int as told, count(p.authorization_url)::int as stored
     from payments p left join callbacks c
       on c.merchant_id = p.merchant_id and c.payment_key = p.key and c.state = 'PROCESSING'`,
  )
  const [payment] = await database.query<{ count: number }>(
    'select count(*)::int as count from payments',
  )
  assert.deepEqual(rows, [{ told: payment?.count, stored: payment?.count }])
})
