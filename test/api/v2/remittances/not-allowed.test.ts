import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { recipient, remittanceBody } from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { assertAnswer, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const limited = await addMerchant(service, { providers: ['MPESA_KEN'] })
await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['PAYOUT', 'REFUND'])
await announceChange(service.database)
await eventually(async () => {
  const { body } = await limited.call('GET', '/v2/active-conf?country=ZMB')
  assert.equal(body.countries.length, 1)
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
