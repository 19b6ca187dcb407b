import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { type Answer, depositBody, startService } from '../../../../harness/service.ts'
import { assertAnswer, refused, UUID } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const MIB = 1024 * 1024
const LARGER = refused('INVALID_INPUT', /larger than 1 MiB/)

it('a body of exactly 1 MiB is read', async () => {
  const body = padded(MIB)
  const answer = await send('/v2/deposits', 'POST', body)
  assert.deepEqual([answer.status, answer.body.status], [200, 'ACCEPTED'])
  await service.reaches(answer.body.depositId, 'COMPLETED')
})

it('one byte more is 413', async () => {
  assertAnswer(await send('/v2/deposits', 'POST', padded(MIB + 1)), 413, LARGER)
})

it('a body that does not say its length is 413 as well', async () => {
  assertAnswer(await send('/v2/deposits', 'POST', chunks(padded(MIB + 1))), 413, LARGER)
  const answer = await send('/v2/deposits', 'POST', chunks(padded(MIB)))
  assert.equal(answer.body.status, 'ACCEPTED')
  await service.reaches(answer.body.depositId, 'COMPLETED')
})

it('whoever sends it: the size comes before the token', async () => {
  const answer = await send('/v2/deposits', 'POST', padded(MIB + 1), { authorization: 'Bearer no' })
  assertAnswer(answer, 413, LARGER)
})

/** Paths of each generation with a body that is too large. */
const PATHS: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', `/v2/deposits/resend-callback/${randomUUID()}`, LARGER],
  ['PUT', '/sandbox/callbacks', LARGER],
  ['POST', '/sandbox/clock/advance', LARGER],
  ['POST', '/v2/nothing', LARGER],
  ['POST', '/nothing', { errorId: UUID, errorCode: 1, errorMessage: /larger than 1 MiB/ }],
]

describe('413 speaks the generation of its path:', () => {
  for (const [method, path, body] of PATHS) {
    it(`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}`, async () => {
      assertAnswer(await send(path, method, padded(MIB + 1)), 413, body)
    })
  }
})

it('of what was too large nothing was stored', async () => {
  const rows = await service.database.query('select id from payments')
  assert.equal(rows.length, 2)
})

/** A deposit followed by white space, so that the whole has the size. */
function padded(size: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(depositBody()).padEnd(size))
}

function chunks(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= body.length) return controller.close()
      controller.enqueue(body.subarray(at, at + 65_536))
      at += 65_536
    },
  })
}

async function send(
  path: string,
  method: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const request: RequestInit & { duplex: 'half' } = {
    method,
    headers: { authorization: `Bearer ${service.token}`, ...headers },
    body,
    duplex: 'half',
  }
  const response = await fetch(service.url + path, request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
