import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../../harness/operator.ts'
import { payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, assertEmpty, reason } from '../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

const MTN = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
const change = (body: object) => service.put('/sandbox/availability', body)
const depositVia = async (phoneNumber: string, provider: string) => {
  const { body } = await service.deposit({ payer: payer(phoneNumber, provider) })
  return body.failureReason?.failureCode ?? body.status
}

/** One step after the other: what is switched, and what becomes of deposits then. */
const STEPS: readonly (readonly [body: object, mtn: string, airtel: string])[] = [
  [{ ...MTN, status: 'CLOSED' }, 'PROVIDER_TEMPORARILY_UNAVAILABLE', 'ACCEPTED'],
  [{ ...MTN, status: 'DELAYED' }, 'PROVIDER_TEMPORARILY_UNAVAILABLE', 'ACCEPTED'],
  [
    { ...MTN, operationType: 'PAYOUT', status: 'OPERATIONAL' },
    'PROVIDER_TEMPORARILY_UNAVAILABLE',
    'ACCEPTED',
  ],
  [{ ...MTN, status: 'OPERATIONAL' }, 'ACCEPTED', 'ACCEPTED'],
  [{ ...MTN, operationType: 'PAYOUT', status: 'CLOSED' }, 'ACCEPTED', 'ACCEPTED'],
  [{ ...MTN, operationType: 'REFUND', status: 'CLOSED' }, 'ACCEPTED', 'ACCEPTED'],
]

describe('a provider is switched for one operation, at once:', () => {
  for (const [body, mtn, airtel] of STEPS) {
    it(JSON.stringify(body), async () => {
      assertEmpty(await change(body))
      assert.equal(await depositVia('260763456789', 'MTN_MOMO_ZMB'), mtn)
      assert.equal(await depositVia('260973456789', 'AIRTEL_OAPI_ZMB'), airtel)
    })
  }
})

it('a payment that was accepted before goes on', async () => {
  await service.put('/sandbox/phones/260763450001', {
    script: [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 60, answer: 'done' },
    ],
  })
  const { id } = await service.deposit({ payer: payer('260763450001', 'MTN_MOMO_ZMB') })
  await reachesOperator(service, id)
  await change({ ...MTN, status: 'CLOSED' })
  await service.advance(60)
  await service.reaches(id, 'COMPLETED')
  await change({ ...MTN, status: 'OPERATIONAL' })
})

/** What cannot be switched, with the code and the field that the message names. */
const REFUSED: readonly (readonly [body: object, code: string, says: RegExp])[] = [
  [{}, 'MISSING_PARAMETER', /'provider'/],
  [{ ...MTN }, 'MISSING_PARAMETER', /'status'/],
  [{ provider: 'MTN_MOMO_ZMB', status: 'CLOSED' }, 'MISSING_PARAMETER', /'operationType'/],
  [
    { ...MTN, status: 'BROKEN' },
    'INVALID_PARAMETER',
    /'status'.*'OPERATIONAL', 'DELAYED', 'CLOSED'/,
  ],
  [{ ...MTN, status: 'closed' }, 'INVALID_PARAMETER', /'status'/],
  [{ ...MTN, status: 1 }, 'INVALID_PARAMETER', /'status'/],
  [{ ...MTN, operationType: 'GIFT', status: 'CLOSED' }, 'INVALID_PARAMETER', /'operationType'/],
  [{ ...MTN, provider: 'NOBODY', status: 'CLOSED' }, 'INVALID_PARAMETER', /'provider'.*'NOBODY'/],
  [{ ...MTN, provider: '', status: 'CLOSED' }, 'INVALID_PARAMETER', /'provider'/],
  [{ ...MTN, status: 'CLOSED', country: 'ZMB' }, 'UNSUPPORTED_PARAMETER', /'country'/],
]

describe('400 for what cannot be switched:', () => {
  for (const [body, code, says] of REFUSED) {
    it(JSON.stringify(body), async () => {
      assertAnswer(await change(body), 400, reason(code, says))
      assert.equal(await depositVia('260763456789', 'MTN_MOMO_ZMB'), 'ACCEPTED')
    })
  }
})
