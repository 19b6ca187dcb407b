import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { payoutBody, reachesPayout } from '../../../../harness/payouts.ts'
import { startService } from '../../../../harness/service.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const MIB = 1024 * 1024
const LARGER = refused('INVALID_INPUT', /larger than 1 MiB/)
/** Followed by white space, so that the whole has the size. */
const padded = (body: unknown, size: number): string => JSON.stringify(body).padEnd(size)

describe('a body of more than 1 MiB is 413:', () => {
  for (const path of [
    '/v2/payouts',
    '/v2/payouts/bulk',
    `/v2/payouts/resend-callback/${randomUUID()}`,
    `/v2/payouts/fail-enqueued/${randomUUID()}`,
  ]) {
    it(path.replace(/[0-9a-f-]{36}/, '{id}'), async () => {
      assertAnswer(await service.post(path, padded(payoutBody(), MIB + 1)), 413, LARGER)
    })
  }

  it('whoever sends it: the size comes before the token', async () => {
    const headers = { authorization: 'Bearer no' }
    const answer = await service.post('/v2/payouts', padded(payoutBody(), MIB + 1), headers)
    assertAnswer(answer, 413, LARGER)
  })
})

it('a body of exactly 1 MiB is read', async () => {
  const { body } = await service.post('/v2/payouts', padded(payoutBody(), MIB))
  assert.equal(body.status, 'ACCEPTED')
  await reachesPayout(service, body.payoutId, 'COMPLETED')
})

it('a bulk of 20 with everything at its longest is far below', async () => {
  const wide = '😀'
  const metadata = Array.from({ length: 10 }, (_, at) => ({
    [`${at}`.padEnd(64)]: wide.repeat(512),
  }))
  const full = { customerMessage: 'x'.repeat(22), clientReferenceId: wide.repeat(100), metadata }
  const bodies = Array.from({ length: 20 }, () => payoutBody(full))
  const answer = await service.post('/v2/payouts/bulk', bodies)
  assert.deepEqual([answer.status, answer.body.length], [200, 20])
  for (const { payoutId } of bodies) await reachesPayout(service, payoutId, 'COMPLETED')
})

it('of what was too large nothing was stored', async () => {
  const rows = await service.database.query('select id from payments')
  assert.equal(rows.length, 21)
})
