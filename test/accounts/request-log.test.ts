import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { shareService } from '../../harness/share.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createRequestLog, type ServedRequest } from '../../src/usecases/accounts/request-log.ts'

const service = await shareService()
after(() => service.stop())
const { ctx } = service.node
const caller = await ctx.merchants.byToken(service.token)
assert.ok(caller !== undefined)

let count = 0
const request = (changes: Partial<ServedRequest> = {}): ServedRequest => {
  count += 1
  return {
    at: Date.now(),
    caller,
    requestId: `log-${count}`,
    method: 'POST',
    url: '/v2/deposits',
    status: 200,
    durationMs: 1,
    body: { amount: '1' },
    bodyBytes: 14,
    answer: { status: 'ACCEPTED' },
    answerBytes: 21,
    ...changes,
  }
}

function openLog(db: Pick<Database, 'query'> = ctx.db) {
  let dropped = 0
  const warnings: string[] = []
  const silent = () => {}
  const log = createRequestLog({
    db,
    realNow: Date.now,
    catalog: ctx.providers.catalog,
    log: { debug: silent, info: silent, error: silent, warn: (_, text) => warnings.push(text) },
    dropped: () => {
      dropped += 1
    },
  })
  return { log, warnings, dropped: () => dropped }
}

it('holds a bounded number of requests of one merchant, and counts what it drops', () => {
  const { log, dropped } = openLog()
  for (let at = 0; at < 5000; at += 1) log.note(request())
  assert.equal(dropped(), 5000 - 450)
  for (let at = 0; at < 500; at += 1) log.note(request({ status: 401 }))
  assert.equal(dropped(), 5000 - 450 + 500 - 150)
})

it('holds a bounded number of bytes', () => {
  const { log, dropped } = openLog()
  for (let at = 0; at < 500; at += 1) log.note(request({ bodyBytes: 16 * 1024 }))
  assert.equal(500 - dropped(), Math.floor((4 * 1024 * 1024) / (16 * 1024 + 21)))
})

it('keeps room for what was refused', () => {
  const { log, dropped } = openLog()
  const of = (id: number): Partial<ServedRequest> => ({
    caller: { ...caller, merchant: { ...caller.merchant, id: id as typeof caller.merchant.id } },
  })
  for (let at = 0; at < 2000; at += 1) log.note(request(of(1000 + (at % 20))))
  assert.equal(dropped(), 2000 - 900)
  log.note(request({ status: 401 }))
  log.note(request({ answer: { status: 'REJECTED' } }))
  assert.equal(dropped(), 2000 - 900)
})

it('writes some of them at a time, in their order, until none waits', async () => {
  const { log } = openLog()
  for (let at = 0; at < 250; at += 1) log.note(request({ url: '/v2/waiting' }))
  const written = async (): Promise<unknown> => {
    const rows = await ctx.db.query<{ count: number }>(
      `select count(*)::int as count from api_requests where merchant_id = $1 and path = '/v2/waiting'`,
      [caller.merchant.id],
    )
    return rows[0]?.count
  }
  await log.flush()
  assert.equal(await written(), 200)
  await log.flush()
  assert.equal(await written(), 250)
})

it('loses requests, and nothing else, where they cannot be written', async () => {
  const { log, dropped, warnings } = openLog({
    query: async () => {
      throw new Error('no room on the disk')
    },
  })
  log.note(request())
  await log.flush()
  assert.equal(dropped(), 1)
  assert.equal(warnings.length, 1)
})
