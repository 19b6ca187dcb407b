import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { payoutBody, recipient } from '../../../../harness/payouts.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

describe('an account on which the provider takes deposits only', async () => {
  const limited = await addMerchant(service, { providers: ['MPESA_KEN'] })
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
    const answer = await limited.call('GET', `/v2/payouts/${randomUUID()}`)
    assertAnswer(answer, 200, { status: 'NOT_FOUND' })
  })
})
