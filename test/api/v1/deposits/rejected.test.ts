import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { eventually } from '../../../../harness/service.ts'
import { assertNoWorkLeft, counted, shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import {
  assertLegacy,
  legacyDeposit,
  legacyReaches,
  msisdn,
  rejected,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

const from = (value: string) => ({ payer: msisdn(value) })
const rwandan = (amount: unknown) => ({
  amount,
  currency: 'RWF',
  correspondent: 'MTN_MOMO_RWA',
  payer: msisdn('250783456789'),
})
const burkinabe = {
  amount: '100',
  currency: 'XOF',
  correspondent: 'ORANGE_BFA',
  payer: msisdn('22607345678'),
}
const wave = { ...burkinabe, correspondent: 'WAVE_SEN', payer: msisdn('221773456789') }
const LIMITS = /more than '1' and less than '20000'.*correspondent 'MTN_MOMO_ZMB'/

/** A request, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['another country', from('254703456789'), 'INVALID_PAYER_FORMAT', /'254703456789'.*MTN_MOMO_ZMB/],
  ['a short number', from('26076345678'), 'INVALID_PAYER_FORMAT', /'26076345678'/],
  ['a long number', from('2607634567890'), 'INVALID_PAYER_FORMAT', /'2607634567890'/],
  ['a national number', from('0763456789'), 'INVALID_PAYER_FORMAT', /'0763456789'/],
  ['nobody', { correspondent: 'NOBODY' }, 'INVALID_CORRESPONDENT', /correspondent 'NOBODY'/],
  ['a page of its own', wave, 'INVALID_CORRESPONDENT', /correspondent 'WAVE_SEN'.*page/],
  ['three decimals', { amount: '5.555' }, 'INVALID_AMOUNT', /'5.555'.*at most 2 decimal/],
  ['three decimals, a number', { amount: 5.555 }, 'INVALID_AMOUNT', /'5.555'/],
  ['four decimals', { amount: '5.0001' }, 'INVALID_AMOUNT', /'5.0001'/],
  ['decimals', rwandan('5.50'), 'INVALID_AMOUNT', /'5.50'.*'MTN_MOMO_RWA'.*whole amounts/],
  ['decimals, a number', rwandan(5.5), 'INVALID_AMOUNT', /'5.5'/],
  ['less than the least', { amount: '0.5' }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['zero', { amount: '0' }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['zero, a number', { amount: 0 }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['less than the least elsewhere', rwandan('4'), 'AMOUNT_TOO_SMALL', /'5' and less than/],
  ['more than the most', { amount: '20000.01' }, 'AMOUNT_TOO_LARGE', LIMITS],
  ['more than the most, a number', { amount: 20000.01 }, 'AMOUNT_TOO_LARGE', LIMITS],
  ['all digits', { amount: '999999999999999999' }, 'AMOUNT_TOO_LARGE', LIMITS],
  ['a currency', { currency: 'KES' }, 'INVALID_CURRENCY', /'KES'.*correspondent 'MTN_MOMO_ZMB'/],
  ['a currency of nowhere', { currency: 'XXX' }, 'INVALID_CURRENCY', /'XXX'/],
  ['a country', { country: 'KEN' }, 'INVALID_COUNTRY', /'KEN'.*correspondent.*'ZMB'/],
  ['a country of nowhere', { country: 'XXX' }, 'INVALID_COUNTRY', /'XXX'/],
  ['no one-time code', burkinabe, 'PARAMETER_INVALID', /'preAuthorisationCode'/],
  [
    'an empty one-time code',
    { ...burkinabe, preAuthorisationCode: '' },
    'PARAMETER_INVALID',
    /'preAuthorisationCode'/,
  ],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => {
      const { id: depositId, ...answer } = await startLegacy(service, 'deposit', { ...change })
      assertLegacy(answer, 200, rejected({ depositId }, code, says))
      assertLegacy(await service.get(`/deposits/${depositId}`), 200, [])
    })
  }
})

describe('CORRESPONDENT_TEMPORARILY_UNAVAILABLE while deposits of the correspondent are', () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  for (const status of ['CLOSED', 'DELAYED']) {
    it(`${status}, and accepted when it is open again`, async () => {
      await service.put('/sandbox/availability', { ...control, status })
      const body = legacyDeposit()
      const { depositId } = body
      const answer = await service.post('/deposits', body)
      await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
      const says = /correspondent 'MTN_MOMO_ZMB'.*availability/
      const code = 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE'
      assertLegacy(answer, 200, rejected({ depositId }, code, says))
      assert.equal((await service.post('/deposits', body)).body.status, 'ACCEPTED')
    })
  }
})

describe('an account', () => {
  it('that does not have the correspondent: INVALID_CORRESPONDENT', async () => {
    const merchant = await addMerchant(service, { providers: ['MPESA_KEN'] })
    const body = legacyDeposit()
    const { depositId } = body
    assertLegacy(
      await merchant.call('POST', '/deposits', body),
      200,
      rejected({ depositId }, 'INVALID_CORRESPONDENT', /'MTN_MOMO_ZMB'/),
    )
  })

  it('on which deposits are not enabled: 200 and DEPOSITS_NOT_ALLOWED', async () => {
    const limited = await addMerchant(service, { providers: ['MPESA_KEN'] })
    await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['PAYOUT', 'REFUND'])
    await announceChange(service.database)
    const body = legacyDeposit()
    const { depositId } = body
    await eventually(async () => {
      assertLegacy(
        await limited.call('POST', '/deposits', body),
        200,
        rejected({ depositId }, 'DEPOSITS_NOT_ALLOWED', /correspondent 'MTN_MOMO_ZMB'/),
      )
    })
    assertLegacy(await limited.call('GET', `/deposits/${depositId}`), 200, [])
  })
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const depositId = randomUUID().toUpperCase()
  for (let times = 0; times < 2; times += 1) {
    const { body } = await startLegacy(service, 'deposit', { depositId, amount: '0' })
    assert.deepEqual([body.depositId, body.status], [depositId, 'REJECTED'])
  }
  const { body } = await startLegacy(service, 'deposit', { depositId })
  assert.deepEqual([body.depositId, body.status], [depositId, 'ACCEPTED'])
  await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
})

it('refused requests store, send and post nothing', async () => {
  const { id } = await startLegacy(service, 'deposit')
  await legacyReaches(service, 'deposit', id, 'COMPLETED')
  // What an earlier test left under way would be counted.
  await assertNoWorkLeft(service)
  const before = await counted(service)
  await Promise.all(REFUSALS.map(([, change]) => startLegacy(service, 'deposit', { ...change })))
  assert.deepEqual(await counted(service), before)
})

it('no line of the log holds the number of a payer', () => {
  const lines = service.logLines.filter((line) => /260763456|254703456|221773456/.test(line))
  assert.deepEqual(lines, [])
})
