import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { remittanceBody } from '../../../../harness/remittances.ts'
import { type Answer, startService } from '../../../../harness/service.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const { remittanceId } = remittanceBody()

/** Ways to come without a valid token, and what the message says. */
const TOKENS: readonly (readonly [what: string, header: string | undefined, says: RegExp])[] = [
  ['no header', undefined, /has no API token/],
  ['another scheme', `Basic ${service.token}`, /not of the form/],
  ['an unknown token', 'Bearer mlp_sbx_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token of production', 'Bearer mlp_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
]

/** Every call of the part, and what stands in its refusal beside the reason. */
const CALLS: readonly (readonly [method: string, path: string, body: unknown, id: object])[] = [
  ['POST', '/v2/remittances', remittanceBody({ remittanceId }), { remittanceId }],
  ['POST', '/v2/remittances/bulk', [remittanceBody({ remittanceId })], {}],
  ['GET', `/v2/remittances/${remittanceId}`, undefined, {}],
  ['POST', `/v2/remittances/resend-callback/${remittanceId}`, undefined, {}],
  ['POST', `/v2/remittances/fail-enqueued/${remittanceId}`, undefined, {}],
]

describe('401 AUTHENTICATION_ERROR', () => {
  for (const [method, path, body, id] of CALLS) {
    for (const [what, header, says] of TOKENS) {
      it(`${method} ${path.replace(remittanceId, '{id}')} with ${what}`, async () => {
        const answer = await callWith(header, method, path, body)
        assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', says, id))
      })
    }
  }

  it('is tried with every call that there is', () => {
    const paths = service.node.endpoints.filter(({ path }) => path.startsWith('/v2/remittances'))
    assert.deepEqual(
      paths.map(({ method, path }) => `${method} ${path}`).toSorted(),
      CALLS.map(
        ([method, path]) => `${method} ${path.replace(remittanceId, ':remittanceId')}`,
      ).toSorted(),
    )
  })
})

/** The identifier stands in the refusal whenever the body could be parsed and holds it as text. */
const BODIES: readonly (readonly [body: string, echoed: object])[] = [
  ['{"remittanceId":"ORDER"}', { remittanceId: 'ORDER' }],
  [
    `{"remittanceId":"${remittanceId.toUpperCase()}"}`,
    { remittanceId: remittanceId.toUpperCase() },
  ],
  ['{"payoutId":"ORDER"}', {}],
  ['{"remittanceId":17}', {}],
  ['[{"remittanceId":"ORDER"}]', {}],
  ['{"remittanceId":"ORDER"', {}],
]

describe('401 comes before any look at the request, and echoes the identifier of', () => {
  for (const [body, echoed] of BODIES) {
    it(body.replace(remittanceId.toUpperCase(), '{ID}'), async () => {
      const answer = await callWith(undefined, 'POST', '/v2/remittances', body)
      assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', /no API token/, echoed))
    })
  }
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
