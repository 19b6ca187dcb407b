import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertAllWorkEnds,
  callAt,
  hasSent,
  newAnswerBook,
  newSeed,
  seededRandom,
  settleDoubts,
  startLoad,
  startProcess,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { assertBooks, cloneDatabase, depositBody, eventually } from '../../harness/service.ts'
import type { CallbackFilter } from '../../src/domain/callbacks/replay.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { listReplays } from '../../src/store/callbacks/replays.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { planReplay, startReplay } from '../../src/usecases/callbacks/replay-callbacks.ts'

const KILLS = 4
const seed = newSeed()
const random = seededRandom(seed)

const databaseUrl = await cloneDatabase()
const database = openDatabase({ connectionString: databaseUrl }, 4)
const receiver = await startReceiver()
const start = () =>
  startProcess({
    DATABASE_URL: databaseUrl,
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
    MALIPO_SANDBOX_DELAY_MS: '0',
  })
let node = await start()
after(async () => {
  await node.kill()
  await database.close()
  await receiver.close()
})

/** Payments that the receiver is being told about at this moment, and those it was told in doubles. */
const underWay = new Set<string>()
const overlaps: string[] = []

/** Now and then it fails, now and then it takes its time. */
function moody(response: ServerResponse): void {
  const id = JSON.parse(receiver.received.at(-1)?.body ?? '{}').depositId
  if (underWay.has(id)) overlaps.push(id)
  underWay.add(id)
  response.on('close', () => underWay.delete(id))
  const status = random(0, 3) === 0 ? 500 : 200
  setTimeout(() => response.writeHead(status).end(), random(0, 40))
}

const atOnce = async (withinMs = 60_000) => {
  receiver.answer(200)
  await eventually(async () => {
    await callAt(node, 'POST', '/sandbox/clock/advance', { seconds: 600 })
    await assertAllWorkEnds(database, 1000)
  }, withinMs)
}

it('a node killed again and again in a storm of callbacks: each is told, in order, none at once', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  receiver.answer(moody)
  const book = newAnswerBook()
  const load = startLoad(() => node, book)
  try {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(random(300, 1200))
      await hasSent(book, 15 * (kills + 1))
      await node.kill()
      node = await start()
    }
  } finally {
    await load.stop()
  }
  await settleDoubts(node, book)
  await atOnce()
  assert.deepEqual(overlaps, [])

  const told = new Map<string, string[]>()
  for (const { body, headers } of receiver.received) {
    const { depositId } = JSON.parse(body)
    told.set(depositId, [...(told.get(depositId) ?? []), String(headers['signature-date'])])
  }
  const rows = await database.query<Kept>(KEPT)
  assert.ok(rows.length > 50, `${rows.length} callbacks`)
  for (const { id, status, attempts, numbers, answered, ok } of rows) {
    const times = told.get(id) ?? []
    assert.equal(status, 'DELIVERED')
    assert.ok(ok >= 1, `${id} is delivered and no attempt says so`)
    // Numbered without a gap: nothing that was recorded is lost or recorded over.
    assert.deepEqual(
      numbers,
      Array.from({ length: attempts }, (_, at) => at + 1),
    )
    // Each attempt has a record, also those that a kill cut off, before or after they came in.
    assert.ok(times.length >= answered, `${id}: ${times.length} told, ${answered} answered`)
    assert.ok(times.length <= attempts, `${id}: ${times.length} told, ${attempts} recorded`)
    assert.deepEqual(times, times.toSorted(), `${id} was told out of order`)
  }
  await assertBooks(database)
})

it('an attempt that a kill cuts off leaves a record, and the callback goes out again', {
  timeout: 540_000,
}, async () => {
  receiver.answer(() => {})
  const before = receiver.received.length
  const body = depositBody()
  await callAt(node, 'POST', '/v2/deposits', body)
  await eventually(() => assert.equal(receiver.received.length, before + 1))
  // From the next one on; this one goes on hanging.
  receiver.answer(200)
  await node.kill()
  node = await start()
  const attempts = async () => {
    const found = await callAt(node, 'GET', `/sandbox/deliveries?paymentId=${body.depositId}`)
    return found?.body[0].attempts
  }
  const cutOff = await eventually(async () => {
    const [first] = await attempts()
    assert.ok(first !== undefined)
    return first
  })
  assert.equal(cutOff.url, receiver.url)
  assert.match(cutOff.reason, /ended before it could tell what came of it/)
  await atOnce()
  assert.deepEqual(
    (await attempts()).map((one: { answer?: unknown }) => one.answer !== undefined),
    [false, true],
  )
  assert.equal(receiver.received.length, before + 2)
  await assertBooks(database)
})

it('a replay whose node is killed half way is finished by the next, each callback once', {
  timeout: 540_000,
}, async () => {
  const [clock] = await database.query<{ now: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 + clock_offset_ms as now
     from service_state`,
  )
  const now = clock?.now ?? 0
  const merchantId = 1 as MerchantId
  const filter: CallbackFilter = { statuses: ['DELIVERED'], kinds: ['deposit'] }
  // So slow that it is not over before the kill, however long that takes.
  const perSecond = Math.ceil((await planReplay(database, merchantId, filter, now)) / 40)
  const before = receiver.received.length
  const { id, matched } = await startReplay(database, { merchantId, filter, perSecond, now })
  const replay = async () => (await listReplays(database, [id]))[0]
  await eventually(async () => assert.ok(((await replay())?.sent ?? 0) >= perSecond))
  await node.kill()
  const half = await replay()
  assert.ok(half !== undefined && half.state === 'RUNNING' && half.sent < matched)
  node = await start()
  await eventually(async () => {
    await callAt(node, 'POST', '/sandbox/clock/advance', { seconds: 2 })
    assert.equal((await replay())?.state, 'DONE')
  }, 120_000)
  assert.equal((await replay())?.sent, matched)
  await atOnce()
  const again = receiver.received.slice(before).map(({ body }) => JSON.parse(body).depositId)
  assert.equal(new Set(again).size, matched)
  // What was on its way when the node was killed goes out twice, and nothing else.
  assert.ok(again.length <= matched + half.sent, `${again.length} for ${matched}`)
})

type Kept = {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly numbers: readonly number[]
  readonly answered: number
  readonly ok: number
}

const KEPT = `
  select c.payment_id as id, c.status, c.attempts,
    array_agg(a.attempt order by a.attempt) as numbers,
    count(a.http_status)::int as answered,
    (count(*) filter (where a.http_status between 200 and 299))::int as ok
  from callbacks c
  join callback_attempts a on a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
    and a.state = c.state
  group by c.merchant_id, c.payment_key, c.state`
