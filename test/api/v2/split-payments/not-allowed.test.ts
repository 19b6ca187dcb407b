import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { part, splitBody } from '../../../../harness/splits.ts'
import type { OperationType } from '../../../../src/domain/provider.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

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
  for (const [payers, recipients] of RIGHTS) {
    it(`${payers.join()} for the payer, ${recipients.join() || 'nothing'} for the recipient`, async () => {
      const limited = await addMerchant(service)
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
