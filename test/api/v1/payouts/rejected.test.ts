import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { balanceOf, setBalance, switchPayouts } from '../../../../harness/payouts.ts'
import { eventually } from '../../../../harness/service.ts'
import { assertNoWorkLeft, counted, shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import {
  assertLegacy,
  legacyPayout,
  legacyReaches,
  msisdn,
  rejected,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

const to = (value: string) => ({ recipient: msisdn(value) })
const rwandan = (amount: unknown) => ({
  amount,
  currency: 'RWF',
  correspondent: 'MTN_MOMO_RWA',
  recipient: msisdn('250783456789'),
})
const congolese = {
  amount: '999',
  currency: 'CDF',
  correspondent: 'VODACOM_MPESA_COD',
  recipient: msisdn('243813456789'),
}
const LIMITS = /more than '1' and less than '20000'.*correspondent 'MTN_MOMO_ZMB'/

/** A request, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['another country', to('254703456789'), 'INVALID_RECIPIENT_FORMAT', /'254703456789'/],
  ['a short number', to('26076345678'), 'INVALID_RECIPIENT_FORMAT', /'26076345678'/],
  ['a national number', to('0763456789'), 'INVALID_RECIPIENT_FORMAT', /'0763456789'/],
  ['nobody', { correspondent: 'NOBODY' }, 'INVALID_CORRESPONDENT', /correspondent 'NOBODY'/],
  ['three decimals', { amount: '5.555' }, 'INVALID_AMOUNT', /'5.555'.*at most 2 decimal/],
  ['three decimals, a number', { amount: 5.555 }, 'INVALID_AMOUNT', /'5.555'/],
  ['decimals', rwandan('5.50'), 'INVALID_AMOUNT', /'5.50'.*'MTN_MOMO_RWA'.*whole amounts/],
  ['zero', { amount: '0' }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['less than the least', { amount: 0.99 }, 'AMOUNT_TOO_SMALL', LIMITS],
  // Deposits of this one begin elsewhere: the limits are those of the operation.
  ['less than is paid out', congolese, 'AMOUNT_TOO_SMALL', /more than '1000' and less/],
  ['more than the most', { amount: '20000.01' }, 'AMOUNT_TOO_LARGE', LIMITS],
  ['all digits', { amount: '999999999999999999' }, 'AMOUNT_TOO_LARGE', LIMITS],
  ['a currency', { currency: 'KES' }, 'INVALID_CURRENCY', /'KES'.*correspondent 'MTN_MOMO_ZMB'/],
  ['a country', { country: 'KEN' }, 'INVALID_COUNTRY', /'KEN'.*correspondent.*'ZMB'/],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => {
      const { id: payoutId, ...answer } = await startLegacy(service, 'payout', { ...change })
      assertLegacy(answer, 200, rejected({ payoutId }, code, says))
      assertLegacy(await service.get(`/payouts/${payoutId}`), 200, [])
    })
  }
})

it('CORRESPONDENT_TEMPORARILY_UNAVAILABLE while it is CLOSED, and accepted when open', async () => {
  await switchPayouts(service, 'CLOSED')
  const body = legacyPayout()
  const { payoutId } = body
  const answer = await service.post('/payouts', body)
  await switchPayouts(service, 'OPERATIONAL')
  const says = /correspondent 'MTN_MOMO_ZMB'.*availability/
  const code = 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE'
  assertLegacy(answer, 200, rejected({ payoutId }, code, says))
  assert.equal((await service.post('/payouts', body)).body.status, 'ACCEPTED')
  await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
})

describe('a wallet that holds too little', () => {
  const BALANCE = '14.99'

  it('refuses with BALANCE_INSUFFICIENT, stores nothing and moves no money', async () => {
    const full = await balanceOf(service)
    await setBalance(service, BALANCE)
    const body = legacyPayout()
    const { payoutId } = body
    const before = await counted(service)
    for (let times = 0; times < 2; times += 1) {
      const answer = await service.post('/payouts', body)
      assertLegacy(answer, 200, rejected({ payoutId }, 'BALANCE_INSUFFICIENT', /wallet/))
    }
    assertLegacy(await service.get(`/payouts/${payoutId}`), 200, [])
    assert.deepEqual(await counted(service), before)
    assert.equal(await balanceOf(service), BALANCE)
    await setBalance(service, full)
    assert.equal((await service.post('/payouts', body)).body.status, 'ACCEPTED')
    await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
  })

  it('of one correspondent alone refuses, while the common one is full', async () => {
    await setBalance(service, '10', 'AIRTEL_OAPI_ZMB')
    const own = { correspondent: 'AIRTEL_OAPI_ZMB', recipient: msisdn('260973456789') }
    const { id: payoutId, ...answer } = await startLegacy(service, 'payout', own)
    assertLegacy(answer, 200, rejected({ payoutId }, 'BALANCE_INSUFFICIENT', /wallet/))
    assert.equal((await startLegacy(service, 'payout')).body.status, 'ACCEPTED')
  })

  it('gives to simultaneous payouts what it holds and refuses the rest', async () => {
    const full = await balanceOf(service)
    await setBalance(service, '100')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => startLegacy(service, 'payout', { amount: '30' })),
    )
    const accepted = answers.filter(({ body }) => body.status === 'ACCEPTED')
    const codes = answers.flatMap(({ body }) => body.rejectionReason?.rejectionCode ?? [])
    assert.deepEqual([accepted.length, codes], [3, Array(7).fill('BALANCE_INSUFFICIENT')])
    for (const { id } of accepted) await legacyReaches(service, 'payout', id, 'COMPLETED')
    assert.equal(await balanceOf(service), '10.00')
    await setBalance(service, full)
  })
})

describe('an account', () => {
  it('that does not have the correspondent: INVALID_CORRESPONDENT', async () => {
    const merchant = await addMerchant(service, { providers: ['MPESA_KEN'] })
    const body = legacyPayout()
    const { payoutId } = body
    assertLegacy(
      await merchant.call('POST', '/payouts', body),
      200,
      rejected({ payoutId }, 'INVALID_CORRESPONDENT', /'MTN_MOMO_ZMB'/),
    )
  })

  it('on which payouts are not enabled: 200 and PAYOUTS_NOT_ALLOWED', async () => {
    const limited = await addMerchant(service, { providers: ['MPESA_KEN'] })
    await enableProvider(service.database, limited.id, 'MTN_MOMO_ZMB', ['DEPOSIT', 'REFUND'])
    await announceChange(service.database)
    const body = legacyPayout()
    const { payoutId } = body
    await eventually(async () => {
      assertLegacy(
        await limited.call('POST', '/payouts', body),
        200,
        rejected({ payoutId }, 'PAYOUTS_NOT_ALLOWED', /correspondent 'MTN_MOMO_ZMB'/),
      )
    })
    assertLegacy(await limited.call('GET', `/payouts/${payoutId}`), 200, [])
  })
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const payoutId = randomUUID().toUpperCase()
  const first = await startLegacy(service, 'payout', { payoutId, amount: '0' })
  assert.deepEqual([first.body.payoutId, first.body.status], [payoutId, 'REJECTED'])
  const second = await startLegacy(service, 'payout', { payoutId })
  assert.deepEqual([second.body.payoutId, second.body.status], [payoutId, 'ACCEPTED'])
  await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
})

it('refused requests store, hold, send and post nothing', async () => {
  const { id } = await startLegacy(service, 'payout')
  await legacyReaches(service, 'payout', id, 'COMPLETED')
  // What an earlier test left under way would be counted.
  await assertNoWorkLeft(service)
  const before = [await counted(service), await balanceOf(service)]
  await Promise.all(REFUSALS.map(([, change]) => startLegacy(service, 'payout', { ...change })))
  assert.deepEqual([await counted(service), await balanceOf(service)], before)
})
