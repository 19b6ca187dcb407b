import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import type { Answer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { enableProvider } from '../../../src/store/accounts/merchants.ts'
import { assertEarlier, earlierError } from '../../support/earlier-generation.ts'

const service = await shareService()
after(service.stop)

const PATH = '/availability'
const SUCCESSOR = '/v2/availability'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any

const states = (changes: Readonly<Record<string, string>> = {}) =>
  ['DEPOSIT', 'PAYOUT'].map((operationType) => ({
    operationType,
    status: changes[operationType] ?? 'OPERATIONAL',
  }))

async function withoutToken(): Promise<Answer> {
  const response = await fetch(service.url + PATH)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const shop = await addMerchant(service, { providers: ['MTN_MOMO_ZMB', 'ZAMTEL_ZMB', 'AIRTEL_COD'] })
const switchTo = async (provider: string, operationType: string, status: string) => {
  const control = { provider, operationType, status }
  assert.equal((await shop.call('PUT', '/sandbox/availability', control)).status, 204)
}

it('with a token: the correspondents of the account, with what it switched', async () => {
  const expected = (mtn: Json) => [
    {
      country: 'COD',
      correspondents: [{ correspondent: 'AIRTEL_COD', operationTypes: states() }],
    },
    {
      country: 'ZMB',
      correspondents: [
        { correspondent: 'MTN_MOMO_ZMB', operationTypes: states(mtn) },
        { correspondent: 'ZAMTEL_ZMB', operationTypes: states() },
      ],
    },
  ]
  assertEarlier(await shop.call('GET', PATH), 200, expected({}), SUCCESSOR)
  await switchTo('MTN_MOMO_ZMB', 'DEPOSIT', 'CLOSED')
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'DELAYED')
  await switchTo('ZAMTEL_ZMB', 'REMITTANCE', 'CLOSED')
  const switched = expected({ DEPOSIT: 'CLOSED', PAYOUT: 'DELAYED' })
  assertEarlier(await shop.call('GET', PATH), 200, switched, SUCCESSOR)
})

it('without a token: every correspondent of the platform, whatever an account switched', async () => {
  await switchTo('MTN_MOMO_ZMB', 'DEPOSIT', 'CLOSED')
  const answer = await withoutToken()
  const { body } = await service.get(PATH)
  assertEarlier(answer, 200, body, SUCCESSOR)
  assert.equal(body.length, 20)
  const correspondents = body.flatMap((country: Json) => country.correspondents)
  assert.equal(correspondents.length, 42)
  for (const { operationTypes } of correspondents) assert.deepEqual(operationTypes, states())
})

it('a correspondent without deposits and payouts is not listed', async () => {
  const few = await addMerchant(service, { providers: ['MTN_MOMO_ZMB', 'MPESA_KEN', 'TNM_MWI'] })
  await enableProvider(service.database, few.id, 'MPESA_KEN', ['REMITTANCE'])
  await enableProvider(service.database, few.id, 'TNM_MWI', ['REFUND'])
  const { body } = await few.call('GET', PATH)
  const zambia = [{ correspondent: 'MTN_MOMO_ZMB', operationTypes: states() }]
  assert.deepEqual(body, [{ country: 'ZMB', correspondents: zambia }])
})

it('a token that is sent must be valid', async () => {
  for (const authorization of ['Bearer nobody', 'nobody', 'Basic YTpi', '']) {
    const answer = await service.get(PATH, { authorization })
    assertEarlier(answer, 401, earlierError(2), SUCCESSOR)
  }
  const other = callerWith(service, await addToken(service, shop.id, ['finances']))
  const lacks = earlierError(3, /'toolkit:read'/)
  assertEarlier(await other.call('GET', PATH), 403, lacks, SUCCESSOR)
})

it('the reference says that a token may be left out', async () => {
  const { body } = await service.get('/openapi.json')
  assert.deepEqual(body.paths[PATH].get.security, [{}, { bearer: ['toolkit:read'] }])
  assert.deepEqual(body.paths['/public-key/http'].get.security, [])
})
