import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, assertEmpty, reason } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const ZAMBIA = { country: 'ZMB', currency: 'ZMW' }
const set = (body: object) => service.put('/sandbox/wallets', body)

async function balancesOf(country: string): Promise<Record<string, string>> {
  const { body } = await service.get(`/v2/wallet-balances?country=${country}`)
  type Wallet = { currency: string; provider: string; balance: string }
  const named = (body.balances as readonly Wallet[]).map(
    ({ currency, provider, balance }) => [currency + provider, balance] as const,
  )
  return Object.fromEntries(named)
}

/** One after the other: the balance that is set, and what is shown then. */
const BALANCES: readonly (readonly [balance: string, shown: string])[] = [
  ['250', '250.00'],
  ['250.5', '250.50'],
  ['250.50', '250.50'],
  ['0', '0.00'],
  ['0.01', '0.01'],
  ['0.0001', '0.0001'],
  ['999999999999999999', '999999999999999999.00'],
  ['1000000', '1000000.00'],
]

describe('a wallet is brought to a balance, up or down:', () => {
  for (const [balance, shown] of BALANCES) {
    it(balance, async () => {
      assertEmpty(await set({ ...ZAMBIA, balance }))
      assert.deepEqual(await balancesOf('ZMB'), { ZMW: shown })
    })
  }

  it('one currency of a country with two, and no other wallet', async () => {
    assertEmpty(await set({ country: 'COD', currency: 'USD', balance: '7' }))
    assert.deepEqual(await balancesOf('COD'), { CDF: '1000000.00', USD: '7.00' })
    assert.deepEqual(await balancesOf('ZMB'), { ZMW: '1000000.00' })
  })
})

it('what was set is posted, so that a deposit adds to it', async () => {
  await set({ ...ZAMBIA, balance: '10' })
  const { id } = await service.deposit({ amount: '2.5' })
  await service.reaches(id, 'COMPLETED')
  assert.deepEqual(await balancesOf('ZMB'), { ZMW: '12.50' })
})

it('a wallet of one provider takes what comes through that provider from then on', async () => {
  await set({ ...ZAMBIA, balance: '10' })
  assertEmpty(await set({ ...ZAMBIA, provider: 'MTN_MOMO_ZMB', balance: '5' }))
  assert.deepEqual(await balancesOf('ZMB'), { ZMW: '10.00', ZMWMTN_MOMO_ZMB: '5.00' })
  for (const from of [
    payer('260763456789', 'MTN_MOMO_ZMB'),
    payer('260973456789', 'AIRTEL_OAPI_ZMB'),
  ]) {
    const { id } = await service.deposit({ amount: '1', payer: from })
    await service.reaches(id, 'COMPLETED')
  }
  assert.deepEqual(await balancesOf('ZMB'), { ZMW: '11.00', ZMWMTN_MOMO_ZMB: '6.00' })
})

it('null and empty text for the provider mean the wallet of the country', async () => {
  for (const [provider, balance] of [
    [null, '3'],
    ['', '4'],
  ] as const) {
    assertEmpty(await set({ country: 'KEN', currency: 'KES', provider, balance }))
    assert.deepEqual(await balancesOf('KEN'), { KES: `${balance}.00` })
  }
})

/** What cannot be set, with the code and the field that the message names. */
const REFUSED: readonly (readonly [change: object, code: string, says: RegExp])[] = [
  [{ balance: undefined }, 'MISSING_PARAMETER', /'balance'/],
  [{ country: null }, 'MISSING_PARAMETER', /'country'/],
  [{ currency: undefined }, 'MISSING_PARAMETER', /'currency'/],
  [{ balance: '-1' }, 'INVALID_PARAMETER', /'balance'/],
  [{ balance: 5 }, 'INVALID_PARAMETER', /'balance'/],
  [{ balance: '' }, 'INVALID_PARAMETER', /'balance'/],
  [{ balance: '1.00001' }, 'INVALID_PARAMETER', /'balance'/],
  [{ country: 'zmb' }, 'INVALID_PARAMETER', /'country'/],
  [{ country: 'FRA' }, 'INVALID_PARAMETER', /'currency'.*'ZMW' in 'FRA'/],
  [{ currency: 'KES' }, 'INVALID_PARAMETER', /'currency'.*'KES' in 'ZMB'/],
  [{ provider: 'MPESA_KEN' }, 'INVALID_PARAMETER', /'provider'.*'MPESA_KEN'/],
  [{ provider: 'NOBODY' }, 'INVALID_PARAMETER', /'provider'.*'NOBODY'/],
  [{ amount: '5' }, 'UNSUPPORTED_PARAMETER', /'amount'/],
]

describe('400 for a wallet that cannot be set, and nothing is posted:', () => {
  for (const [change, code, says] of REFUSED) {
    it(JSON.stringify(change), async () => {
      const before = await service.get('/v2/wallet-balances')
      assertAnswer(await set({ ...ZAMBIA, balance: '99', ...change }), 400, reason(code, says))
      assert.deepEqual((await service.get('/v2/wallet-balances')).body, before.body)
    })
  }
})
