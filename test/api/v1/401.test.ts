import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Answer, startService } from '../../../harness/service.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import { LEGACY_CALLS, nameOf } from '../../support/legacy-calls.ts'
import { assertLegacyError } from '../../support/legacy-payments.ts'

const service = await startService()
after(service.stop)

/** Ways to come without a valid token, and what the message says. */
const TOKENS: readonly (readonly [what: string, header: string | undefined, says: RegExp])[] = [
  ['no header', undefined, /has no API token/],
  ['an empty header', '', /not of the form 'Bearer <token>'/],
  ['a token without scheme', service.token, /not of the form/],
  ['another scheme', `Basic ${service.token}`, /not of the form/],
  ['an unknown token', 'Bearer mlp_sbx_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token of production', 'Bearer mlp_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token cut short', `Bearer ${service.token.slice(0, -1)}`, /not valid here/],
]

for (const call of LEGACY_CALLS) {
  describe(`401 with error code 2 for ${nameOf(call)}`, () => {
    for (const [what, header, says] of TOKENS) {
      it(`with ${what}`, async () => {
        const answer = await callWith(header, call.method, call.path, call.body)
        assertLegacyError(service, answer, 401, says)
        assertDeprecated(answer, call.successor)
      })
    }

    it('before any look at the request', async () => {
      const body = call.method === 'GET' ? undefined : '{'
      const answer = await callWith(undefined, call.method, call.path, body)
      assertLegacyError(service, answer, 401, /has no API token/)
    })
  })
}

describe('a valid token is taken', () => {
  for (const call of LEGACY_CALLS) {
    it(nameOf(call), async () => {
      const header = `bearer ${service.token}`
      const answer = await callWith(header, call.method, call.path, call.body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertDeprecated(answer, call.successor)
    })
  }
})

it('of all these requests nothing was stored', async () => {
  assert.deepEqual(await service.database.query('select id from payments'), [])
})

/** `Authorization` exactly as given, or not at all. */
async function callWith(
  header: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method,
    headers: header === undefined ? {} : { authorization: header },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
