import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { depositBody, eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

it('403 DEPOSITS_NOT_ALLOWED for a provider on which deposits are not enabled', async () => {
  const limited = await addMerchant(service, { providers: ['MPESA_KEN'] })
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
