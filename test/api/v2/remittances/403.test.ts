import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { recipient, remittanceBody } from '../../../../harness/remittances.ts'
import { eventually, startService } from '../../../../harness/service.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { suspendMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { assertAnswer, refused, SECONDS } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const merchant = await addMerchant(service, { slug: 'scoped' })
const limited = await addMerchant(service, { slug: 'payouts-only', providers: ['MPESA_KEN'] })
await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['PAYOUT', 'REFUND'])
await announceChange(service.database)
await eventually(async () => {
  const { body } = await limited.call('GET', '/v2/active-conf?country=ZMB')
  assert.equal(body.countries.length, 1)
})

const remittanceId = randomUUID()
const small = remittanceBody({ remittanceId, amount: '0' })

/** Each operation of the part, with whether a token for reading is enough. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  level: 'read' | 'write',
  id: object,
])[] = [
  ['POST', '/v2/remittances', small, 'write', { remittanceId }],
  ['POST', '/v2/remittances/bulk', [small], 'write', {}],
  ['GET', `/v2/remittances/${remittanceId}`, undefined, 'read', {}],
  ['POST', `/v2/remittances/resend-callback/${remittanceId}`, undefined, 'write', {}],
  ['POST', `/v2/remittances/fail-enqueued/${remittanceId}`, undefined, 'write', {}],
]

const SCOPES: readonly (readonly [scope: Scope, may: readonly ('read' | 'write')[]])[] = [
  ['*', ['read', 'write']],
  ['remittances', ['read', 'write']],
  ['remittances:read', ['read']],
  ['payouts', []],
  ['deposits', []],
  ['sandbox', []],
]

describe('a token with the scope', () => {
  for (const [scope, may] of SCOPES) {
    it(`${scope} may ${may.join(' and ') || 'do nothing'}`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
      for (const [method, path, body, level, id] of CALLS) {
        const answer = await call(method, path, body)
        if (may.includes(level)) {
          assert.equal(answer.status, 200, path)
        } else {
          const says = /may not use this endpoint.*the scope 'remittances(:read)?'/
          assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', says, id))
        }
      }
    })
  }
})

it('403 comes before any look at the request', async () => {
  const { call } = callerWith(service, await addToken(service, merchant.id, ['payouts']))
  const says = /lacks the scope 'remittances'/
  assertAnswer(
    await call('POST', '/v2/remittances', '{"remittanceId":"ORDER","amnt":1}'),
    403,
    refused('AUTHORISATION_ERROR', says, { remittanceId: 'ORDER' }),
  )
  assertAnswer(
    await call('POST', '/v2/remittances/bulk', '{'),
    403,
    refused('AUTHORISATION_ERROR', says),
  )
})

it('a suspended account may do nothing', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  await suspendMerchant(service.database, closed.id, Date.now())
  await eventually(async () => {
    assert.equal((await closed.call('GET', '/v2/wallet-balances')).status, 403)
  })
  for (const [method, path, body, , id] of CALLS) {
    const expected = refused('AUTHORISATION_ERROR', /suspended/, id)
    assertAnswer(await closed.call(method, path, body), 403, expected)
  }
})

describe('REMITTANCES_NOT_ALLOWED, for a provider on which only payouts are enabled:', () => {
  const says = /REMITTANCE is not enabled.*'MTN_MOMO_ZMB'/

  it('403 with the identifier as sent, and nothing is stored', async () => {
    const body = remittanceBody({ remittanceId: randomUUID().toUpperCase() })
    const id = { remittanceId: body.remittanceId }
    const answer = await limited.call('POST', '/v2/remittances', body)
    assertAnswer(answer, 403, refused('REMITTANCES_NOT_ALLOWED', says, id))
    const found = await limited.call('GET', `/v2/remittances/${body.remittanceId}`)
    assertAnswer(found, 200, { status: 'NOT_FOUND' })
  })

  it('in a bulk call it is the answer to that entry alone', async () => {
    const barred = remittanceBody()
    const open = remittanceBody({
      amount: '100',
      currency: 'KES',
      recipient: recipient('254703456789', 'MPESA_KEN'),
    })
    const answer = await limited.call('POST', '/v2/remittances/bulk', [barred, open])
    assertAnswer(answer, 200, [
      refused('REMITTANCES_NOT_ALLOWED', says, { remittanceId: barred.remittanceId }),
      { remittanceId: open.remittanceId, status: 'ACCEPTED', created: SECONDS },
    ])
  })

  it('payouts go on', async () => {
    const { sender: _, remittanceId: payoutId, recipient: to, ...money } = remittanceBody()
    const { recipientDetails: _names, ...account } = to
    const body = { ...money, payoutId, recipient: account }
    assert.equal((await limited.call('POST', '/v2/payouts', body)).body.status, 'ACCEPTED')
  })
})
