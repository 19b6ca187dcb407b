import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf, payout, payoutBody, reachesPayout } from '../../../../harness/payouts.ts'
import { eventually, startService } from '../../../../harness/service.ts'
import { assertAnswer, reason } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const UNKNOWN = reason('UNKNOWN_ERROR', /went wrong on our side.*status/)
const payoutId = randomUUID().toUpperCase()

/** Without which table each call breaks, and its whole body then: no status is claimed. */
const CALLS: readonly (readonly [
  table: string,
  method: string,
  path: string,
  body: unknown,
  answer: object,
])[] = [
  ['payments', 'POST', '/v2/payouts', payoutBody({ payoutId }), { payoutId, ...UNKNOWN }],
  ['accounts', 'POST', '/v2/payouts', payoutBody({ payoutId }), { payoutId, ...UNKNOWN }],
  ['transfers', 'POST', '/v2/payouts', payoutBody({ payoutId }), { payoutId, ...UNKNOWN }],
  // A refusal is only final after a look at what exists.
  [
    'payments',
    'POST',
    '/v2/payouts',
    payoutBody({ payoutId, amount: '0' }),
    { payoutId, ...UNKNOWN },
  ],
  ['payments', 'POST', '/v2/payouts/bulk', [payoutBody({ payoutId })], UNKNOWN],
  ['payments', 'GET', `/v2/payouts/${payoutId}`, undefined, UNKNOWN],
  ['payments', 'POST', `/v2/payouts/resend-callback/${payoutId}`, undefined, UNKNOWN],
  ['payments', 'POST', `/v2/payouts/fail-enqueued/${payoutId}`, undefined, UNKNOWN],
]

describe('500 UNKNOWN_ERROR claims no status and tells nothing of the inside:', () => {
  for (const [table, method, path, body, expected] of CALLS) {
    it(`${method} ${path.replace(payoutId, '{id}')} without ${table}`, async () => {
      const answer = await without(table, () => service.call(method, path, body))
      assertAnswer(answer, 500, expected)
    })
  }

  it('a body that cannot be parsed stays a 400', async () => {
    for (const path of ['/v2/payouts', '/v2/payouts/bulk']) {
      const answer = await without('payments', () => service.post(path, '{'))
      assert.equal(answer.status, 400)
    }
  })
})

it('after a 500 that stored nothing no money is held and the same identifier is accepted', async () => {
  assert.equal(await balanceOf(service), '1000000.00')
  const answer = await eventually(async () => {
    const found = await payout(service, { payoutId })
    assert.equal(found.status, 200)
    return found
  })
  assert.equal(answer.body.status, 'ACCEPTED')
  await reachesPayout(service, payoutId, 'COMPLETED')
  assert.equal(await balanceOf(service), '999985.00')
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
