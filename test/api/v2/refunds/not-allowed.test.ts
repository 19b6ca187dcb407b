import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, type TestMerchant } from '../../../../harness/merchant.ts'
import { refundBody } from '../../../../harness/refunds.ts'
import { depositBody, eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

describe('403 REFUNDS_NOT_ALLOWED for a provider on which refunds are not enabled:', async () => {
  const limited = await addMerchant(service, { providers: ['MTN_MOMO_ZMB'] })
  const allow = async (operations: readonly ('DEPOSIT' | 'PAYOUT' | 'REFUND')[]) => {
    await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', operations)
    await announceChange(service.database)
    // The node learns of it in a moment; a request before that would be accepted.
    service.node.ctx.merchants.forget()
  }

  it('nothing is stored, and it is accepted once it is enabled', async () => {
    const depositId = await completed(limited)
    await allow(['DEPOSIT', 'PAYOUT'])
    const sent = refundBody(depositId, { refundId: randomUUID().toUpperCase() })
    const id = { refundId: sent.refundId }
    await eventually(async () => {
      const answer = await limited.call('POST', '/v2/refunds', sent)
      assertAnswer(answer, 403, refused('REFUNDS_NOT_ALLOWED', /'MTN_MOMO_ZMB'/, id))
    })
    const found = await limited.call('GET', `/v2/refunds/${sent.refundId}`)
    assertAnswer(found, 200, { status: 'NOT_FOUND' })
    await allow(['DEPOSIT', 'PAYOUT', 'REFUND'])
    await eventually(async () => {
      const answer = await limited.call('POST', '/v2/refunds', sent)
      assert.equal(answer.body.status, 'ACCEPTED')
    })
  })

  it('a repeat of what was accepted before is a duplicate all the same', async () => {
    const sent = refundBody(await completed(limited))
    const { created } = (await limited.call('POST', '/v2/refunds', sent)).body
    await allow(['DEPOSIT'])
    await eventually(async () => {
      const fresh = refundBody(await completed(limited))
      assert.equal((await limited.call('POST', '/v2/refunds', fresh)).status, 403)
    })
    assertAnswer(await limited.call('POST', '/v2/refunds', sent), 200, {
      refundId: sent.refundId,
      status: 'DUPLICATE_IGNORED',
      created,
    })
  })
})

async function completed({ call }: TestMerchant): Promise<string> {
  const deposit = depositBody()
  await call('POST', '/v2/deposits', deposit)
  await eventually(async () => {
    const { data } = (await call('GET', `/v2/deposits/${deposit.depositId}`)).body
    assert.equal(data?.status, 'COMPLETED')
  })
  return deposit.depositId
}
