import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { type Answer, depositBody, eventually, startService } from '../../../../harness/service.ts'
import { revokeToken } from '../../../../src/usecases/accounts/manage-tokens.ts'
import { assertAnswer, reason, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const { depositId } = depositBody()

/** Ways to come without a valid token, and what the message says. */
const TOKENS: readonly (readonly [what: string, header: string | undefined, says: RegExp])[] = [
  ['no header', undefined, /has no API token/],
  ['an empty header', '', /not of the form 'Bearer <token>'/],
  ['a scheme without token', 'Bearer', /not of the form/],
  ['a scheme and a space', 'Bearer ', /not of the form/],
  ['a token without scheme', service.token, /not of the form/],
  ['another scheme', `Basic ${service.token}`, /not of the form/],
  ['two tokens', `Bearer ${service.token} ${service.token}`, /not of the form/],
  ['an unknown token', 'Bearer mlp_sbx_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token of production', 'Bearer mlp_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token cut short', `Bearer ${service.token.slice(0, -1)}`, /not valid here/],
  ['a token with more', `Bearer ${service.token}x`, /not valid here/],
  ['a token in other letters', `Bearer ${service.token.toUpperCase()}`, /not valid here/],
  ['a token in quotes', `Bearer "${service.token}"`, /not valid here/],
  ['bytes beyond ASCII', 'Bearer \u00e9\u00ff', /not valid here/],
  ['a very long token', `Bearer ${'x'.repeat(8000)}`, /not valid here/],
]

/** Calls of the deposit part, and what stands in their refusal beside the reason. */
const CALLS: readonly (readonly [method: string, path: string, body: unknown, id: object])[] = [
  ['POST', '/v2/deposits', depositBody({ depositId }), { depositId }],
  ['GET', `/v2/deposits/${depositId}`, undefined, {}],
  ['POST', `/v2/deposits/resend-callback/${depositId}`, undefined, {}],
]

describe('401 AUTHENTICATION_ERROR', () => {
  for (const [method, path, body, id] of CALLS) {
    for (const [what, header, says] of TOKENS) {
      it(`${method} ${path.replace(depositId, '{id}')} with ${what}`, async () => {
        const answer = await callWith(header, method, path, body)
        assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', says, id))
      })
    }
  }
})

it('a token in the address or in a cookie is no token', async () => {
  const path = `/v2/deposits/${depositId}?access_token=${service.token}&token=${service.token}`
  const response = await fetch(service.url + path, {
    headers: { cookie: `token=${service.token}; malipo_sandbox=${service.token}` },
  })
  assert.equal(response.status, 401)
  await response.arrayBuffer()
})

/** The identifier stands in the refusal whenever the body could be parsed and holds it as text. */
const BODIES: readonly (readonly [body: string, echoed: object])[] = [
  ['{"depositId":"ORDER"}', { depositId: 'ORDER' }],
  [`{"depositId":"${depositId.toUpperCase()}","x":1}`, { depositId: depositId.toUpperCase() }],
  ['{"depositId":17}', {}],
  ['{}', {}],
  ['[{"depositId":"ORDER"}]', {}],
  ['"ORDER"', {}],
  ['null', {}],
  ['{"depositId":"ORDER"', {}],
  ['{"depositId":"ORDER","depositId":"ORDER"}', {}],
]

describe('401 comes before any look at the request, and echoes the identifier of', () => {
  for (const [body, echoed] of BODIES) {
    it(body, async () => {
      const answer = await callWith(undefined, 'POST', '/v2/deposits', body)
      assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', /no API token/, echoed))
    })
  }

  it('nothing, for a status check with an identifier that is none', async () => {
    const answer = await callWith(undefined, 'GET', '/v2/deposits/order-17')
    assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR'))
  })
})

describe('every operation of today that asks for a token answers 401 without one:', () => {
  const current = service.node.endpoints.filter((one) => one.replacement === undefined)
  for (const endpoint of current.filter((one) => one.access !== undefined)) {
    it(`${endpoint.method} ${endpoint.path}`, async () => {
      const path = endpoint.path.replace(/:\w+/g, depositId)
      const body = endpoint.method === 'GET' ? undefined : '{}'
      const answer = await callWith(undefined, endpoint.method, path, body)
      const isResource = endpoint.failureShape.kind === 'resource'
      const expected = isResource ? reason('AUTHENTICATION_ERROR') : refused('AUTHENTICATION_ERROR')
      assertAnswer(answer, 401, expected)
    })
  }
})

/** Spellings of the header that mean the same. */
describe('a valid token is taken with', () => {
  for (const header of [
    `Bearer ${service.token}`,
    `bearer ${service.token}`,
    `BEARER ${service.token}`,
    `Bearer   ${service.token}`,
  ]) {
    it(header.replace(service.token, '<token>'), async () => {
      assert.equal((await callWith(header, 'GET', '/v2/wallet-balances')).status, 200)
    })
  }
})

it('a token works from the moment it is made until it is revoked', async () => {
  const merchant = await addMerchant(service, { slug: 'revoking' })
  const { call } = callerWith(service, await addToken(service, merchant.id, ['*']))
  const path = `/v2/deposits/${randomUUID()}`
  assert.equal((await call('GET', path)).status, 200)
  const rows = await service.database.query<{ token_id: string }>(
    'select token_id from api_tokens where merchant_id = $1',
    [merchant.id],
  )
  for (const { token_id } of rows) await revokeToken(service.database, token_id, Date.now())
  await eventually(async () => {
    const answer = await call('GET', path)
    assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', /revoked/))
  })
})

it('of all these requests nothing was stored', async () => {
  assert.deepEqual(await service.database.query('select id from payments'), [])
})

/** The header exactly as given; none at all when it is undefined. */
async function callWith(
  header: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method,
    ...(header === undefined ? {} : { headers: { authorization: header } }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
