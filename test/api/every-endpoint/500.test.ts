import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { balanceOf, payout, payoutBody, reachesPayout } from '../../../harness/payouts.ts'
import { depositBody, eventually, startService } from '../../../harness/service.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import { CALLS, idOf, nameOf } from '../../support/every-endpoint.ts'
import { LEGACY_CALLS, nameOf as legacyName } from '../../support/legacy-calls.ts'
import { assertLegacyError, legacyBody, legacyReaches } from '../../support/legacy-payments.ts'
import { assertAnswer, reason } from '../../support/shapes.ts'

// It takes tables away, and at the end the whole database.
const service = await startService()
const merchant = await addMerchant(service)
after(service.stop)

const UNKNOWN = reason('UNKNOWN_ERROR', /went wrong on our side.*status/)
const depositId = randomUUID().toUpperCase()
const payoutId = randomUUID().toUpperCase()

/** Payments that would be accepted, with each table that they need. */
const PAYMENTS = [
  { path: '/v2/deposits', body: depositBody({ depositId }), idField: 'depositId' },
  { path: '/v2/payouts', body: payoutBody({ payoutId }), idField: 'payoutId' },
].flatMap((one) => ['payments', 'accounts', 'transfers'].map((table) => ({ ...one, table })))

describe('500 UNKNOWN_ERROR claims no status and reveals no internals:', () => {
  for (const call of CALLS) {
    const { table, method, path, body } = call
    if (table === undefined) continue
    // A refusal is only final after a look at what exists.
    it(`${nameOf(call)} without ${table}`, async () => {
      const answer = await without(table, () => service.call(method, path, body))
      assertAnswer(answer, 500, { ...idOf(call), ...UNKNOWN })
    })
  }

  for (const { path, body, idField, table } of PAYMENTS.filter(needsTable)) {
    it(`POST ${path} of what would be accepted, without ${table}`, async () => {
      const answer = await without(table, () => service.post(path, body))
      const id = idField === 'depositId' ? { depositId } : { payoutId }
      assertAnswer(answer, 500, { ...id, ...UNKNOWN })
    })
  }

  it('a token that cannot be looked up is not reported as wrong', async () => {
    const token = await addToken(service, merchant.id, ['*'])
    const { call } = callerWith(service, token)
    const body = depositBody()
    const answer = await without('api_tokens', () => call('POST', '/v2/deposits', body))
    assertAnswer(answer, 500, { depositId: body.depositId, ...UNKNOWN })
    assert.equal((await call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
  })

  it('a body that cannot be parsed stays a 400', async () => {
    for (const path of ['/v2/deposits', '/v2/payouts', '/v2/payouts/bulk']) {
      const answer = await without('payments', () => service.post(path, '{'))
      assert.equal(answer.status, 400)
    }
  })
})

/** A deposit moves money only when it completes. */
function needsTable({ path, table }: { path: string; table: string }): boolean {
  return path === '/v2/payouts' || table === 'payments'
}

describe('500 with error code 0 in the earlier generation, and its id is in the log:', () => {
  for (const call of LEGACY_CALLS) {
    it(legacyName(call), async () => {
      const { method, path, body } = call
      const answer = await without('payments', () => service.call(method, path, body))
      assertLegacyError(service, answer, 500, /^Something went wrong on our side\..*status/)
      assertDeprecated(answer, call.successor)
    })
  }
})

describe('after a 500 that stored nothing the same identifier is accepted:', () => {
  it('a deposit', async () => {
    const answer = await eventually(async () => {
      const found = await service.deposit({ depositId })
      assert.equal(found.status, 200)
      return found
    })
    assert.equal(answer.body.status, 'ACCEPTED')
    await service.reaches(depositId, 'COMPLETED')
  })

  it('a payout, for which no money was held', async () => {
    const before = Number(await balanceOf(service))
    assert.equal(before, 1_000_015)
    const answer = await eventually(async () => {
      const found = await payout(service, { payoutId })
      assert.equal(found.status, 200)
      return found
    })
    assert.equal(answer.body.status, 'ACCEPTED')
    await reachesPayout(service, payoutId, 'COMPLETED')
    assert.equal(Number(await balanceOf(service)), before - 15)
  })

  for (const kind of ['deposit', 'payout', 'refund'] as const) {
    it(`a ${kind} of the earlier generation`, async () => {
      const body = await legacyBody(service, kind)
      const answer = await without('payments', () => service.post(`/${kind}s`, body))
      assertLegacyError(service, answer, 500, /went wrong/)
      await eventually(async () => {
        const { status } = (await service.post(`/${kind}s`, body)).body
        assert.equal(status, 'ACCEPTED')
      })
      await legacyReaches(service, kind, body[`${kind}Id`], 'COMPLETED')
    })
  }
})

it('every 500 is found in the log by the id of its request', async () => {
  const answer = await without('accounts', () => service.get('/v2/wallet-balances'))
  const id = answer.headers.get('x-request-id') ?? ''
  const line = service.logLines.find((one) => one.includes(`"requestId":"${id}"`)) ?? ''
  assert.match(line, /call failed.*accounts/)
})

it('without a database calls are answered 500, and work again when it is back', async () => {
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
