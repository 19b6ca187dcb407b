import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { eventually, startService } from '../../../../harness/service.ts'
import { part, splitBody } from '../../../../harness/splits.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'
import type { OperationType } from '../../../../src/domain/provider.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { suspendMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const merchant = await addMerchant(service, { slug: 'scoped' })
const body = splitBody({ amount: '1' })
const { splitPaymentId } = body

/** Each operation of the split payment part, with the scopes that permit it. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  sent: object | undefined,
  permits: readonly Scope[],
  id: object,
])[] = [
  ['POST', '/v2/split-payments', body, ['*', 'split-payments'], { splitPaymentId }],
  [
    'GET',
    `/v2/split-payments/${splitPaymentId}`,
    undefined,
    ['*', 'split-payments', 'split-payments:read'],
    {},
  ],
]
const SCOPES: readonly Scope[] = [
  '*',
  'split-payments',
  'split-payments:read',
  'deposits',
  'payouts',
  'refunds',
]

describe('a token with the scope', () => {
  for (const scope of SCOPES) {
    it(`${scope} may do with split payments what it says and nothing else`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
      for (const [method, path, sent, permits, id] of CALLS) {
        const answer = await call(method, path, sent)
        const says = /may not use this endpoint.*the scope 'split-payments(:read)?'/
        if (permits.includes(scope)) assert.equal(answer.status, 200, path)
        else assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', says, id))
      }
    })
  }
})

it('a suspended account may do nothing', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  await suspendMerchant(service.database, closed.id, Date.now())
  for (const [method, path, sent, , id] of CALLS) {
    await eventually(async () => {
      const answer = await closed.call(method, path, sent)
      assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', /suspended/, id))
    })
  }
})

/** What is enabled for the payer's provider and for the recipient's. */
const RIGHTS: readonly (readonly [payer: readonly OperationType[], recipient: OperationType[]])[] =
  [
    [
      ['PAYOUT', 'REFUND'],
      ['DEPOSIT', 'PAYOUT'],
    ],
    [
      ['DEPOSIT', 'PAYOUT'],
      ['DEPOSIT', 'REFUND'],
    ],
    [['DEPOSIT'], []],
  ]

describe('403 SPLIT_PAYMENTS_NOT_ALLOWED where a part is not enabled:', async () => {
  for (const [index, [payers, recipients]] of RIGHTS.entries()) {
    it(`${payers.join()} for the payer, ${recipients.join() || 'nothing'} for the recipient`, async () => {
      const limited = await addMerchant(service, { slug: `limited-${index}` })
      await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', payers)
      await enableProvider(service.database, limited.id, 'AIRTEL_OAPI_ZMB', recipients)
      await announceChange(service.database)
      const sent = splitBody({ splits: [part('1', '260973456789', 'AIRTEL_OAPI_ZMB')] })
      const id = { splitPaymentId: sent.splitPaymentId }
      await eventually(async () => {
        const answer = await limited.call('POST', '/v2/split-payments', sent)
        const says = /(DEPOSIT|PAYOUT) is not enabled.*'(MTN_MOMO|AIRTEL_OAPI)_ZMB'/
        assertAnswer(answer, 403, refused('SPLIT_PAYMENTS_NOT_ALLOWED', says, id))
      })
      const rows = await service.database.query('select from payments where merchant_id = $1', [
        limited.id,
      ])
      assert.equal(rows.length, 0)
    })
  }
})
