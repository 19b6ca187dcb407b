import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { depositBody, eventually, startService } from '../../../../harness/service.ts'
import { assertAnswer, reason } from '../../../support/shapes.ts'

const service = await startService()
const merchant = await addMerchant(service, { slug: 'unlucky' })
after(service.stop)

const UNKNOWN = reason('UNKNOWN_ERROR', /went wrong on our side.*status/)
const depositId = randomUUID().toUpperCase()

/** Without which table each call breaks, and its whole body then: no status is claimed. */
const CALLS: readonly (readonly [
  table: string,
  method: string,
  path: string,
  body: object | undefined,
  answer: object,
])[] = [
  ['payments', 'POST', '/v2/deposits', depositBody({ depositId }), { depositId, ...UNKNOWN }],
  ['payments', 'GET', `/v2/deposits/${depositId}`, undefined, UNKNOWN],
  ['payments', 'POST', `/v2/deposits/resend-callback/${depositId}`, undefined, UNKNOWN],
  ['payments', 'GET', `/sandbox/deliveries?paymentId=${depositId}`, undefined, UNKNOWN],
  ['accounts', 'GET', '/v2/wallet-balances', undefined, UNKNOWN],
  ['callback_urls', 'PUT', '/sandbox/callbacks', { deposit: 'http://127.0.0.1:9/' }, UNKNOWN],
]

describe('500 UNKNOWN_ERROR claims no status and tells nothing of the inside:', () => {
  for (const [table, method, path, body, expected] of CALLS) {
    it(`${method} ${path.replace(depositId, '{id}')}`, async () => {
      const answer = await without(table, () => service.call(method, path, body))
      assertAnswer(answer, 500, expected)
    })
  }

  it('a token that cannot be looked up is no wrong token', async () => {
    const token = await addToken(service, merchant.id, ['*'])
    const { call } = callerWith(service, token)
    const body = depositBody()
    const answer = await without('api_tokens', () => call('POST', '/v2/deposits', body))
    assertAnswer(answer, 500, { depositId: body.depositId, ...UNKNOWN })
    assert.equal((await call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
  })

  it('a body that cannot be parsed stays a 400', async () => {
    const answer = await without('payments', () => service.post('/v2/deposits', '{'))
    assert.equal(answer.status, 400)
  })
})

it('after a 500 that stored nothing the same identifier is accepted', async () => {
  const answer = await eventually(async () => {
    const found = await service.deposit({ depositId })
    assert.equal(found.status, 200)
    return found
  })
  assert.equal(answer.body.status, 'ACCEPTED')
  await service.reaches(depositId, 'COMPLETED')
})

it('without any database calls answer 500, and go on when it is back', async () => {
  const body = depositBody()
  const path = `/v2/deposits/${body.depositId}`
  await whileUnreachable(async () => {
    const answer = await service.post('/v2/deposits', body)
    assertAnswer(answer, 500, { depositId: body.depositId, ...UNKNOWN })
    assertAnswer(await service.get(path), 500, UNKNOWN)
    assert.equal((await service.post('/v2/deposits', { ...body, amount: 'x' })).status, 400)
  })
  await eventually(async () => {
    const { status } = (await service.post('/v2/deposits', body)).body
    assert.ok(['ACCEPTED', 'DUPLICATE_IGNORED'].includes(status))
  })
  await service.reaches(body.depositId, 'COMPLETED')
})

it('every 500 is found in the log by the id of its request', async () => {
  const answer = await without('accounts', () => service.get('/v2/wallet-balances'))
  const id = answer.headers.get('x-request-id') ?? ''
  const line = service.logLines.find((one) => one.includes(`"requestId":"${id}"`)) ?? ''
  assert.match(line, /call failed.*accounts/)
})

/** Takes a table away for the time of one call. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await service.database.query(`alter table ${table} rename to ${table}_away`)
  try {
    return await work()
  } finally {
    await service.database.query(`alter table ${table}_away rename to ${table}`)
  }
}

/** Ends every connection to the database and lets none in. */
async function whileUnreachable(work: () => Promise<void>): Promise<void> {
  const url = new URL(service.databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`alter database ${name} allow_connections false`)
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  try {
    await work()
  } finally {
    await client.query(`alter database ${name} allow_connections true`)
    await client.end()
  }
}
