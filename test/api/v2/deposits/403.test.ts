import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { depositBody, eventually, startService } from '../../../../harness/service.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { suspendMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { assertAnswer, reason, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const merchant = await addMerchant(service, { slug: 'scoped' })
const depositId = randomUUID()

/** Each operation of the deposit part and beside it, with the scopes that permit it. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  permits: readonly Scope[],
  refusal: (says: RegExp) => object,
])[] = [
  [
    'POST',
    '/v2/deposits',
    depositBody({ depositId, amount: '0' }),
    ['*', 'deposits'],
    (says) => refused('AUTHORISATION_ERROR', says, { depositId }),
  ],
  [
    'GET',
    `/v2/deposits/${depositId}`,
    undefined,
    ['*', 'deposits', 'deposits:read'],
    (says) => refused('AUTHORISATION_ERROR', says),
  ],
  [
    'POST',
    `/v2/deposits/resend-callback/${depositId}`,
    undefined,
    ['*', 'deposits'],
    (says) => refused('AUTHORISATION_ERROR', says),
  ],
  [
    'GET',
    '/v2/wallet-balances',
    undefined,
    ['*', 'finances', 'finances:read'],
    (says) => reason('AUTHORISATION_ERROR', says),
  ],
  [
    'GET',
    '/v2/public-key/http',
    undefined,
    ['*', 'toolkit', 'toolkit:read'],
    (says) => reason('AUTHORISATION_ERROR', says),
  ],
  [
    'GET',
    '/sandbox/clock',
    undefined,
    ['*', 'sandbox', 'sandbox:read'],
    (says) => reason('AUTHORISATION_ERROR', says),
  ],
  [
    'PUT',
    '/sandbox/callbacks',
    {},
    ['*', 'sandbox'],
    (says) => reason('AUTHORISATION_ERROR', says),
  ],
]

const SCOPES: readonly Scope[] = [
  '*',
  'deposits',
  'deposits:read',
  'finances',
  'finances:read',
  'toolkit',
  'toolkit:read',
  'sandbox',
  'sandbox:read',
]

describe('a token with the scope', () => {
  for (const scope of SCOPES) {
    it(`${scope} may do what it says and nothing else`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
      for (const [method, path, body, permits, refusal] of CALLS) {
        const answer = await call(method, path, body)
        if (permits.includes(scope)) assert.ok([200, 204].includes(answer.status), path)
        else assertAnswer(answer, 403, refusal(/may not use this endpoint.*the scope '[a-z:]+'/))
      }
    })
  }

  it('deposits:read and finances may do both, and a token without any may do nothing', async () => {
    const both = callerWith(
      service,
      await addToken(service, merchant.id, ['deposits:read', 'finances']),
    )
    assert.equal((await both.call('GET', `/v2/deposits/${depositId}`)).status, 200)
    assert.equal((await both.call('GET', '/v2/wallet-balances')).status, 200)
    assert.equal((await both.call('POST', '/v2/deposits', depositBody())).status, 403)
    const none = callerWith(service, await addToken(service, merchant.id, []))
    for (const [method, path, body] of CALLS) {
      assert.equal((await none.call(method, path, body)).status, 403)
    }
  })
})

it('403 comes before any look at the request', async () => {
  const { call } = callerWith(service, await addToken(service, merchant.id, ['toolkit']))
  const says = /lacks the scope 'deposits'/
  assertAnswer(
    await call('POST', '/v2/deposits', '{"depositId":"ORDER","amnt":1}'),
    403,
    refused('AUTHORISATION_ERROR', says, { depositId: 'ORDER' }),
  )
  assertAnswer(await call('POST', '/v2/deposits', '{'), 403, refused('AUTHORISATION_ERROR', says))
  assertAnswer(
    await call('GET', '/v2/deposits/order-17'),
    403,
    refused('AUTHORISATION_ERROR', /lacks the scope 'deposits:read'/),
  )
})

it('a suspended account may do nothing, and everything when it is open again', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  const first = depositBody()
  assert.equal((await closed.call('POST', '/v2/deposits', first)).body.status, 'ACCEPTED')
  await suspendMerchant(service.database, closed.id, Date.now())
  await eventually(async () => {
    assert.equal((await closed.call('GET', '/v2/wallet-balances')).status, 403)
  })
  for (const [method, path, body, , refusal] of CALLS) {
    assertAnswer(await closed.call(method, path, body), 403, refusal(/suspended/))
  }
  await suspendMerchant(service.database, closed.id, undefined)
  await eventually(async () => {
    const { body } = await closed.call('GET', `/v2/deposits/${first.depositId}`)
    assert.equal(body.data?.status, 'COMPLETED')
  })
})

it('403 DEPOSITS_NOT_ALLOWED for a provider on which deposits are not enabled', async () => {
  const limited = await addMerchant(service, { slug: 'payouts-only', providers: ['MPESA_KEN'] })
  await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['PAYOUT', 'REFUND'])
  await announceChange(service.database)
  const body = depositBody({ depositId: randomUUID().toUpperCase() })
  await eventually(async () => {
    assertAnswer(
      await limited.call('POST', '/v2/deposits', body),
      403,
      refused('DEPOSITS_NOT_ALLOWED', /'MTN_MOMO_ZMB'/, { depositId: body.depositId }),
    )
  })
  const found = await limited.call('GET', `/v2/deposits/${body.depositId}`)
  assertAnswer(found, 200, { status: 'NOT_FOUND' })
})
