import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { eventually } from '../../../harness/service.ts'
import { counted, shareService } from '../../../harness/share.ts'
import { revokeToken } from '../../../src/usecases/accounts/manage-tokens.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import {
  CALLS,
  callWith,
  type EndpointCall,
  NOBODYS,
  nameOf,
  refusalOf,
  routeName,
} from '../../support/every-endpoint.ts'
import { LEGACY_CALLS, nameOf as legacyName } from '../../support/legacy-calls.ts'
import { assertLegacyError } from '../../support/legacy-payments.ts'
import { assertAnswer, refused } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const before = await counted(service)

/** A way to come without a valid token, and what the message says. */
type Wrong = readonly [what: string, header: string | undefined, says: RegExp]
const TOKENS: readonly Wrong[] = [
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

const PLAIN = ['no header', 'an empty header', 'another scheme', 'an unknown token']

/** How a header is read does not depend on the path: the other paths get one of each kind. */
const tokensFor = (path: string) =>
  path.includes('/deposits') ? TOKENS : TOKENS.filter(([what]) => PLAIN.includes(what))

it('the tables have every operation that asks for a token', () => {
  const asking = service.node.endpoints.filter(({ access }) => access !== undefined)
  const current = asking.filter(({ replacement }) => replacement === undefined)
  assert.deepEqual(CALLS.map(nameOf).toSorted(), current.map(routeName).toSorted())
})

describe('401 AUTHENTICATION_ERROR with any header without a valid token:', () => {
  for (const call of CALLS) {
    it(nameOf(call), async () => {
      for (const [what, header, says] of tokensFor(call.path)) {
        const answer = await callWith(service, header, call)
        assert.equal(answer.status, 401, what)
        assertAnswer(answer, 401, refusalOf(call, 'AUTHENTICATION_ERROR', says))
      }
    })
  }
})

describe('401 with error code 2 in the earlier generation:', () => {
  for (const call of LEGACY_CALLS) {
    it(legacyName(call), async () => {
      for (const [, header, says] of tokensFor(call.path)) {
        const answer = await callWith(service, header, call)
        assertLegacyError(service, answer, 401, says)
        assertDeprecated(answer, call.successor)
      }
    })
  }
})

it('a token in the address or in a cookie does not count', async () => {
  const path = `/v2/deposits/${NOBODYS}?access_token=${service.token}&token=${service.token}`
  const response = await fetch(service.url + path, {
    headers: { cookie: `token=${service.token}; malipo_sandbox=${service.token}` },
  })
  assert.equal(response.status, 401)
  await response.arrayBuffer()
})

/** The identifier stands in the refusal whenever the body could be parsed and holds it as text. */
const bodiesFor = (idField: string): readonly (readonly [body: string, echoed: object])[] => [
  [`{"${idField}":"ORDER"}`, { [idField]: 'ORDER' }],
  [`{"${idField}":"ORDER","amnt":1}`, { [idField]: 'ORDER' }],
  [`{"${idField}":"${NOBODYS.toUpperCase()}","x":1}`, { [idField]: NOBODYS.toUpperCase() }],
  [`{"${idField}":17}`, {}],
  ['{"otherId":"ORDER"}', {}],
  ['{}', {}],
  [`[{"${idField}":"ORDER"}]`, {}],
  ['"ORDER"', {}],
  ['null', {}],
  [`{"${idField}":"ORDER"`, {}],
  [`{"${idField}":"ORDER","${idField}":"ORDER"}`, {}],
]

describe('401 comes before any look at the body, and repeats only its identifier:', () => {
  for (const call of CALLS.filter(({ method }) => method !== 'GET')) {
    const { idField = 'depositId' } = call
    it(nameOf(call), async () => {
      for (const [body, echoed] of bodiesFor(idField)) {
        const answer = await callWith(service, undefined, { ...call, body })
        const id = call.idField === undefined ? {} : echoed
        assertAnswer(answer, 401, refusalOf(call, 'AUTHENTICATION_ERROR', /no API token/, id))
      }
    })
  }

  for (const call of LEGACY_CALLS.filter(({ method }) => method === 'POST')) {
    it(legacyName(call), async () => {
      const answer = await callWith(service, undefined, { ...call, body: '{' })
      assertLegacyError(service, answer, 401, /has no API token/)
    })
  }

  it('and at an identifier in the address that is none', async () => {
    for (const call of CALLS.filter(isAboutOne)) {
      const path = call.path.replace(NOBODYS, 'order-17')
      const answer = await callWith(service, undefined, { ...call, path })
      assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR'))
    }
  })
})

describe('a valid token is accepted', () => {
  for (const header of [
    `Bearer ${service.token}`,
    `bearer ${service.token}`,
    `BEARER ${service.token}`,
    `Bearer   ${service.token}`,
  ]) {
    it(`as ${header.replace(service.token, '<token>')}`, async () => {
      const call = { method: 'GET', path: '/v2/wallet-balances' }
      assert.equal((await callWith(service, header, call)).status, 200)
    })
  }

  for (const call of LEGACY_CALLS) {
    it(`by ${legacyName(call)}`, async () => {
      const answer = await callWith(service, `bearer ${service.token}`, call)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertDeprecated(answer, call.successor)
    })
  }
})

it('a token works from the moment it is made until it is revoked', async () => {
  const merchant = await addMerchant(service)
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

it('none of these requests stored anything', async () => {
  assert.deepEqual(await counted(service), before)
  const statements = 'select id from statements where merchant_id = $1'
  assert.deepEqual(await service.database.query(statements, [service.merchantId]), [])
})

function isAboutOne({ path, isRejected }: EndpointCall): boolean {
  return isRejected && path.includes(NOBODYS)
}
