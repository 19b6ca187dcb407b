import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { payoutBody, recipient } from '../../../../harness/payouts.ts'
import { eventually, startService } from '../../../../harness/service.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { suspendMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const merchant = await addMerchant(service, { slug: 'scoped' })
const payoutId = randomUUID()

/** Each operation of the payout part with the scopes that permit it, and what its refusal names. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  permits: readonly Scope[],
  id: object,
])[] = [
  ['POST', '/v2/payouts', payoutBody({ payoutId, amount: '0' }), ['*', 'payouts'], { payoutId }],
  ['POST', '/v2/payouts/bulk', [payoutBody({ payoutId, amount: '0' })], ['*', 'payouts'], {}],
  ['GET', `/v2/payouts/${payoutId}`, undefined, ['*', 'payouts', 'payouts:read'], {}],
  ['POST', `/v2/payouts/resend-callback/${payoutId}`, undefined, ['*', 'payouts'], {}],
  ['POST', `/v2/payouts/fail-enqueued/${payoutId}`, undefined, ['*', 'payouts'], {}],
]

const SCOPES: readonly Scope[] = [
  '*',
  'payouts',
  'payouts:read',
  'deposits',
  'deposits:read',
  'refunds',
  'remittances',
  'finances',
  'toolkit',
  'sandbox',
]

describe('a token with the scope', () => {
  for (const scope of SCOPES) {
    it(`${scope} may do what it says and nothing else`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
      for (const [method, path, body, permits, id] of CALLS) {
        const answer = await call(method, path, body)
        const says = /may not use this endpoint.*the scope 'payouts(:read)?'/
        if (permits.includes(scope)) assert.equal(answer.status, 200, path)
        else assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', says, id))
      }
    })
  }

  it('payouts may not start a deposit', async () => {
    const { call } = callerWith(service, await addToken(service, merchant.id, ['payouts']))
    assert.equal((await call('POST', '/v2/deposits', {})).status, 403)
  })
})

it('403 comes before any look at the request', async () => {
  const { call } = callerWith(service, await addToken(service, merchant.id, ['toolkit']))
  const says = /lacks the scope 'payouts'/
  const refusal = (id = {}) => refused('AUTHORISATION_ERROR', says, id)
  const odd = await call('POST', '/v2/payouts', '{"payoutId":"ORDER","amnt":1}')
  assertAnswer(odd, 403, refusal({ payoutId: 'ORDER' }))
  assertAnswer(await call('POST', '/v2/payouts', '{'), 403, refusal())
  assertAnswer(await call('POST', '/v2/payouts/bulk', '{'), 403, refusal())
  assertAnswer(await call('POST', '/v2/payouts/bulk', '{"payoutId":"ORDER"}'), 403, refusal())
  assertAnswer(await call('POST', '/v2/payouts/fail-enqueued/order-17'), 403, refusal())
})

it('a suspended account may do nothing', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  await suspendMerchant(service.database, closed.id, Date.now())
  await eventually(async () => {
    assert.equal((await closed.call('GET', '/v2/wallet-balances')).status, 403)
  })
  for (const [method, path, body, , id] of CALLS) {
    const answer = await closed.call(method, path, body)
    assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', /suspended/, id))
  }
})

describe('an account on which the provider takes deposits only', async () => {
  const limited = await addMerchant(service, { slug: 'no-payouts', providers: ['MPESA_KEN'] })
  await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['DEPOSIT', 'REFUND'])
  await announceChange(service.database)
  await eventually(async () => {
    const { body } = await limited.call('POST', '/v2/payouts', payoutBody())
    assert.equal(body.failureReason.failureCode, 'PAYOUTS_NOT_ALLOWED')
  })

  it('is refused a payout: 403 PAYOUTS_NOT_ALLOWED', async () => {
    const body = payoutBody({ payoutId: randomUUID().toUpperCase() })
    assertAnswer(
      await limited.call('POST', '/v2/payouts', body),
      403,
      refused('PAYOUTS_NOT_ALLOWED', /'MTN_MOMO_ZMB'/, { payoutId: body.payoutId }),
    )
    const found = await limited.call('GET', `/v2/payouts/${body.payoutId}`)
    assertAnswer(found, 200, { status: 'NOT_FOUND' })
  })

  it('reads it inside a bulk as one REJECTED entry among others', async () => {
    const refusedOne = payoutBody()
    const kenyan = payoutBody({
      amount: '100',
      currency: 'KES',
      recipient: recipient('254703456789', 'MPESA_KEN'),
    })
    const answer = await limited.call('POST', '/v2/payouts/bulk', [refusedOne, kenyan])
    assertAnswer(answer, 200, [
      refused('PAYOUTS_NOT_ALLOWED', /'MTN_MOMO_ZMB'/, { payoutId: refusedOne.payoutId }),
      { payoutId: kenyan.payoutId, status: 'ACCEPTED', created: /Z$/ },
    ])
  })

  it('may ask for the status of a payout all the same', async () => {
    const answer = await limited.call('GET', `/v2/payouts/${payoutId}`)
    assertAnswer(answer, 200, { status: 'NOT_FOUND' })
  })
})
