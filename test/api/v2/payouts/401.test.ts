import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { payoutBody } from '../../../../harness/payouts.ts'
import { type Answer, startService } from '../../../../harness/service.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const { payoutId } = payoutBody()

/** Ways to come without a valid token, and what the message says. */
const TOKENS: readonly (readonly [what: string, header: string | undefined, says: RegExp])[] = [
  ['no header', undefined, /has no API token/],
  ['an empty header', '', /not of the form 'Bearer <token>'/],
  ['a scheme without token', 'Bearer', /not of the form/],
  ['another scheme', `Basic ${service.token}`, /not of the form/],
  ['an unknown token', 'Bearer mlp_sbx_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token in other letters', `Bearer ${service.token.toUpperCase()}`, /not valid here/],
]

/** Calls of the payout part, and what stands in their refusal beside the reason. */
const CALLS: readonly (readonly [method: string, path: string, body: unknown, id: object])[] = [
  ['POST', '/v2/payouts', payoutBody({ payoutId }), { payoutId }],
  ['GET', `/v2/payouts/${payoutId}`, undefined, {}],
  ['POST', `/v2/payouts/resend-callback/${payoutId}`, undefined, {}],
  ['POST', `/v2/payouts/fail-enqueued/${payoutId}`, undefined, {}],
  ['POST', '/v2/payouts/bulk', [payoutBody({ payoutId })], {}],
]

describe('401 AUTHENTICATION_ERROR', () => {
  for (const [method, path, body, id] of CALLS) {
    for (const [what, header, says] of TOKENS) {
      it(`${method} ${path.replace(payoutId, '{id}')} with ${what}`, async () => {
        const answer = await callWith(header, method, path, body)
        assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', says, id))
      })
    }
  }
})

/** The identifier stands in the refusal whenever the body could be parsed and holds it as text. */
const BODIES: readonly (readonly [body: string, echoed: object])[] = [
  ['{"payoutId":"ORDER"}', { payoutId: 'ORDER' }],
  [`{"payoutId":"${payoutId.toUpperCase()}","x":1}`, { payoutId: payoutId.toUpperCase() }],
  ['{"payoutId":17}', {}],
  ['{}', {}],
  ['[{"payoutId":"ORDER"}]', {}],
  ['"ORDER"', {}],
  ['null', {}],
  ['{"payoutId":"ORDER"', {}],
  ['{"payoutId":"ORDER","payoutId":"ORDER"}', {}],
]

describe('401 comes before any look at the request, and echoes the identifier of', () => {
  for (const [body, echoed] of BODIES) {
    it(body, async () => {
      const answer = await callWith(undefined, 'POST', '/v2/payouts', body)
      assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', /no API token/, echoed))
    })
  }

  it('nothing, for a status check with an identifier that is none', async () => {
    const answer = await callWith(undefined, 'GET', '/v2/payouts/order-17')
    assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR'))
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
