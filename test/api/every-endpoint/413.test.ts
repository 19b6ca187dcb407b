import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { payoutBody, reachesPayout } from '../../../harness/payouts.ts'
import { type Answer, depositBody } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { CALLS, nameOf, refusalOf } from '../../support/every-endpoint.ts'
import { LEGACY_CALLS, nameOf as legacyName } from '../../support/legacy-calls.ts'
import { assertLegacyError, legacyDeposit, legacyReaches } from '../../support/legacy-payments.ts'
import { assertAnswer, refused, UUID } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const MIB = 1024 * 1024
const LARGER = refused('INVALID_INPUT', /larger than 1 MiB/)
/** Followed by white space, so that the whole has the size. */
const padded = (body: unknown, size: number): string => JSON.stringify(body).padEnd(size)
const tooLarge = padded({}, MIB + 1)
const NOBODY = { authorization: 'Bearer nobody' }

describe('one byte more than 1 MiB is 413, and 401 without a valid token:', () => {
  for (const call of CALLS.filter(({ method }) => method !== 'GET')) {
    it(nameOf(call), async () => {
      const { method, path } = call
      assertAnswer(await service.call(method, path, tooLarge), 413, LARGER)
      const stranger = await service.call(method, path, tooLarge, NOBODY)
      assertAnswer(stranger, 401, refusalOf(call, 'AUTHENTICATION_ERROR', /not valid here/, {}))
    })
  }

  for (const call of LEGACY_CALLS.filter(({ method }) => method === 'POST')) {
    it(legacyName(call), async () => {
      const answer = await service.post(call.path, tooLarge)
      assertLegacyError(service, answer, 413, /larger than 1 MiB/)
      const stranger = await service.post(call.path, tooLarge, NOBODY)
      assertLegacyError(service, stranger, 401, /not valid here/)
    })
  }

  it('and 404 on a path that does not exist, in its generation', async () => {
    const current = refused('NOT_FOUND', /nothing at POST/)
    assertAnswer(await service.post('/v2/nothing', tooLarge), 404, current)
    const earlier = { errorId: UUID, errorCode: 1, errorMessage: /nothing at POST/ }
    assertAnswer(await service.post('/nothing', tooLarge), 404, earlier)
  })
})

describe('a body of exactly 1 MiB is read:', () => {
  it('a deposit', async () => {
    const { status, body } = await service.post('/v2/deposits', padded(depositBody(), MIB))
    assert.deepEqual([status, body.status], [200, 'ACCEPTED'])
    await service.reaches(body.depositId, 'COMPLETED')
  })

  it('a payout', async () => {
    const { body } = await service.post('/v2/payouts', padded(payoutBody(), MIB))
    assert.equal(body.status, 'ACCEPTED')
    await reachesPayout(service, body.payoutId, 'COMPLETED')
  })

  it('a deposit of the earlier generation', async () => {
    const { status, body } = await service.post('/deposits', padded(legacyDeposit(), MIB))
    assert.deepEqual([status, body.status], [200, 'ACCEPTED'])
    await legacyReaches(service, 'deposit', body.depositId, 'COMPLETED')
  })
})

it('a body that does not say its length is measured as well', async () => {
  assertAnswer(await sendInChunks(padded(depositBody(), MIB + 1)), 413, LARGER)
  const answer = await sendInChunks(padded(depositBody(), MIB))
  assert.equal(answer.body.status, 'ACCEPTED')
  await service.reaches(answer.body.depositId, 'COMPLETED')
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

it('no request that was too large stored anything', async () => {
  const rows = await service.database.query('select id from payments where merchant_id = $1', [
    service.merchantId,
  ])
  assert.equal(rows.length, 24)
})

async function sendInChunks(text: string): Promise<Answer> {
  const body = new TextEncoder().encode(text)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= body.length) return controller.close()
      controller.enqueue(body.subarray(at, at + 65_536))
      at += 65_536
    },
  })
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}` },
    body: stream,
    duplex: 'half',
  }
  const response = await fetch(`${service.url}/v2/deposits`, request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
