import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, reason } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

type CatalogEntry = { country: string; currencies: readonly { currency: string }[] }
const catalog: readonly CatalogEntry[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

const wallet = (country: string, currency: string, balance = '1000000.00', provider = '') => ({
  country,
  balance,
  currency,
  provider,
})

it('a new sandbox account has a funded wallet for each country and currency', async () => {
  const names = catalog.flatMap(({ country, currencies }) =>
    currencies.map(({ currency }) => `${country}:${currency}`),
  )
  const balances = [...new Set(names)].toSorted().map((name) => {
    const [country = '', currency = ''] = name.split(':')
    return wallet(country, currency)
  })
  assert.equal(balances.length, 21)
  assertAnswer(await service.get('/v2/wallet-balances'), 200, { balances })
})

/** The filter, and which wallets it leaves. */
const FILTERS: readonly (readonly [query: string, balances: readonly object[]])[] = [
  ['country=ZMB', [wallet('ZMB', 'ZMW')]],
  ['country=COD', [wallet('COD', 'CDF'), wallet('COD', 'USD')]],
  ['country=ZMB&other=1', [wallet('ZMB', 'ZMW')]],
  ['country=FRA', []],
]

describe('balances of one country:', () => {
  for (const [query, balances] of FILTERS) {
    it(query, async () => {
      assertAnswer(await service.get(`/v2/wallet-balances?${query}`), 200, { balances })
    })
  }

  it('country= is the same as no filter', async () => {
    const { body } = await service.get('/v2/wallet-balances?country=')
    assert.deepEqual(body, (await service.get('/v2/wallet-balances')).body)
  })
})

describe('400 INVALID_PARAMETER names country and nothing else:', () => {
  for (const query of [
    'country=zmb',
    'country=ZM',
    'country=ZMBX',
    'country=Z1B',
    'country=ZMB%00',
    'country=ZMB&country=COD',
  ]) {
    it(query, async () => {
      const answer = await service.get(`/v2/wallet-balances?${query}`)
      assertAnswer(answer, 400, reason('INVALID_PARAMETER', /'country'.*three capital letters/))
    })
  }
})

it('a balance has two decimals, whatever the payments had', async () => {
  const from = payer('233593456789', 'MTN_MOMO_GHA')
  for (const [amount, balance] of [
    ['1', '1000001.00'],
    ['1.5', '1000002.50'],
    ['1.05', '1000003.55'],
    ['1.4500', '1000005.00'],
  ] as const) {
    const { id } = await service.deposit({ amount, currency: 'GHS', payer: from })
    await service.reaches(id, 'COMPLETED')
    const { body } = await service.get('/v2/wallet-balances?country=GHA')
    assert.deepEqual(body.balances, [wallet('GHA', 'GHS', balance)])
  }
})

it('only a completed deposit is in the balance', async () => {
  for (const [phoneNumber, state] of [
    ['265993456049', 'FAILED'],
    ['265993456129', 'PROCESSING'],
  ] as const) {
    const { id } = await service.deposit({
      amount: '50',
      currency: 'MWK',
      payer: payer(phoneNumber, 'AIRTEL_MWI'),
    })
    await service.reaches(id, state)
  }
  const { body } = await service.get('/v2/wallet-balances?country=MWI')
  assert.deepEqual(body.balances, [wallet('MWI', 'MWK')])
})

it('a wallet of one provider is listed beside the one of the country', async () => {
  const entry = { country: 'KEN', currency: 'KES', provider: 'MPESA_KEN', balance: '7.5' }
  await service.put('/sandbox/wallets', entry)
  const { body } = await service.get('/v2/wallet-balances?country=KEN')
  assert.deepEqual(body.balances, [wallet('KEN', 'KES'), wallet('KEN', 'KES', '7.50', 'MPESA_KEN')])
})

it('a balance may have more digits than any one amount', async () => {
  const balance = '999999999999999999.9999'
  await service.put('/sandbox/wallets', { country: 'SLE', currency: 'SLE', balance })
  const { id } = await service.deposit({
    amount: '15',
    currency: 'SLE',
    payer: payer('23276123456', 'ORANGE_SLE'),
  })
  await service.reaches(id, 'COMPLETED')
  const answer = await service.get('/v2/wallet-balances?country=SLE')
  const balances = [wallet('SLE', 'SLE', '1000000000000000014.9999')]
  assertAnswer(answer, 200, { balances })
})

it('each merchant sees wallets of its own', async () => {
  const other = await addMerchant(service, { providers: ['MTN_MOMO_GHA'] })
  const { body } = await other.call('GET', '/v2/wallet-balances')
  assert.deepEqual(body.balances, [wallet('GHA', 'GHS')])
})

it('401 and 403 hold the reason only', async () => {
  const path = '/v2/wallet-balances'
  const nobody = callerWith(service, 'nobody')
  assertAnswer(await nobody.call('GET', path), 401, reason('AUTHENTICATION_ERROR'))
  const merchant = await addMerchant(service)
  const { call } = callerWith(service, await addToken(service, merchant.id, ['deposits']))
  assertAnswer(await call('GET', path), 403, reason('AUTHORISATION_ERROR', /'finances:read'/))
})
