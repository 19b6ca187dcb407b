import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { callAt } from '../../harness/process.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../../src/usecases/accounts/manage-tokens.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const [hanging, healthy] = await Promise.all([startReceiver(), startReceiver()])
after(async () => {
  await Promise.all([hanging.close(), healthy.close()])
  await service.stop()
})

/** As long as the node keeps it, it has lost nothing. */
const name = service.node.ctx.node.id()

/** More than a lane delivers at once. */
const MANY = 100
const WITHIN_MS = 180_000

describe('a receiver that hangs', { timeout: 540_000 }, () => {
  it('delays its own callbacks and no others', async () => {
    const open: ServerResponse[] = []
    hanging.answer((response) => void open.push(response))
    await service.put('/sandbox/callbacks', { deposit: hanging.url })
    const other = await anotherMerchant()
    await callAt(other, 'PUT', '/sandbox/callbacks', { deposit: healthy.url })

    const stuck = await Promise.all(Array.from({ length: MANY }, () => service.deposit()))
    await eventually(() => assert.ok(open.length >= 64), WITHIN_MS)
    const bodies = Array.from({ length: MANY }, () => depositBody())
    const answers = await Promise.all(
      bodies.map((body) => callAt(other, 'POST', '/v2/deposits', body)),
    )
    assert.ok(answers.every((answer) => answer?.body.status === 'ACCEPTED'))
    await eventually(() => assert.equal(new Set(idsAt(healthy)).size, MANY), WITHIN_MS)
    // All the while not one of the others has come through.
    const [first] = await service.database.query(
      `select count(*)::int as delivered from callbacks c join payments p on p.key = c.payment_key
       where c.status = 'DELIVERED' and p.id = any($1)`,
      [stuck.map(({ id }) => id)],
    )
    assert.deepEqual(first, { delivered: 0 })

    hanging.answer(200)
    for (const response of open.splice(0)) response.writeHead(200).end()
    await areAcknowledgedOnce(
      hanging,
      stuck.map(({ id }) => id),
    )
    await areAcknowledgedOnce(
      healthy,
      bodies.map(({ depositId }) => depositId),
    )
  })
})

describe('a record that takes long to be written', { timeout: 540_000 }, () => {
  it('delays no receiver that has acknowledged', async () => {
    await service.put('/sandbox/callbacks', { deposit: healthy.url })
    const link = await startDatabaseLink(service.databaseUrl)
    const node = await service.addNode({ DATABASE_URL: link.url })
    const records = link.holdAnswersTo('record-first')
    const deposits = await Promise.all(Array.from({ length: MANY }, () => node.deposit()))
    const ids = deposits.map(({ id }) => id).toSorted()
    try {
      await eventually(() => {
        const ours = idsAt(healthy).filter((id) => ids.includes(id))
        assert.deepEqual(ours.toSorted(), ids)
      }, WITHIN_MS)
    } finally {
      records.letThrough()
    }
    await eventually(async () => {
      const [row] = await service.database.query(
        `select count(*)::int as attempts, count(distinct a.payment_key)::int as delivered
         from kept_attempts a join payments p on p.key = a.payment_key where p.id = any($1)`,
        [ids],
      )
      assert.deepEqual(row, { attempts: MANY, delivered: MANY })
    }, WITHIN_MS)
    await node.stop()
    await link.close()
  })
})

const idsAt = (receiver: Receiver): string[] =>
  receiver.received.map(({ body }) => JSON.parse(body).depositId)

/** Each of them once; earlier attempts failed because time ran out, and for nothing else. */
async function areAcknowledgedOnce(receiver: Receiver, ids: readonly string[]): Promise<void> {
  type Row = Record<'attempts' | 'acknowledged' | 'delivered' | 'late', number>
  const row = await eventually(async () => {
    await service.advance(60)
    const [found] = await service.database.query<Row>(
      `select count(*)::int as attempts,
         count(*) filter (where a.http_status = 200)::int as acknowledged,
         count(distinct a.payment_key) filter (where a.http_status = 200)::int as delivered,
         count(*) filter (where ${IS_LATE})::int as late
       from kept_attempts a join payments p on p.key = a.payment_key where p.id = any($1)`,
      [ids],
    )
    assert.equal(found?.delivered, MANY)
    return found
  }, WITHIN_MS)
  // A node that lost its connection sends again what it could not record.
  if (service.node.ctx.node.id() === name) {
    assert.equal(row.acknowledged, MANY, await attemptsOf(ids))
    assert.equal(row.late, row.attempts - MANY, await attemptsOf(ids))
  }
  const ours = idsAt(receiver).filter((id) => ids.includes(id))
  assert.equal(new Set(ours).size, MANY)
  assert.ok(ours.length <= row.attempts, `${ours.length} requests, ${row.attempts} attempts`)
}

/** For as long as its limit says: for an answer, or on a slow machine already for a connection. */
const IS_LATE = `(a.http_status is null and (a.duration_ms > 9900
  or a.reason = 'no connection within 5 s' and a.duration_ms > 4900))`

/** What is known about those that were acknowledged twice, or failed for another reason. */
async function attemptsOf(ids: readonly string[]): Promise<string> {
  const attempts = await service.database.query(
    `select a.payment_key, a.attempt, a.at, a.duration_ms, a.http_status, a.reason
     from kept_attempts a join payments p on p.key = a.payment_key
     where p.id = any($1) and (a.http_status is null and not ${IS_LATE}
       or 1 < (select count(*) from kept_attempts b
               where b.payment_key = a.payment_key and b.http_status = 200))
     order by 1, 2`,
    [ids],
  )
  const log = service.logLines.filter((line) => /joined|database|dead/.test(line))
  return JSON.stringify({ attempts, log }, undefined, 1)
}

async function anotherMerchant() {
  const providers = readCatalog(CATALOG_FILE).all
  const merchantId = await createMerchant(service.database, {
    slug: 'other',
    name: 'Another Shop',
    providers,
    now: Date.now(),
  })
  assert.ok(merchantId !== undefined)
  const { token } = await createToken(service.database, {
    environment: 'sandbox',
    merchantId,
    label: 'test',
    scopes: ['*'],
    now: Date.now(),
  })
  return { url: service.url, token }
}
