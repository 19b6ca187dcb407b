import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { assertEarlier, earlierError } from '../../support/earlier-generation.ts'

const service = await shareService()
after(service.stop)

const PATH = '/v1/wallet-balances'
const SUCCESSOR = '/v2/wallet-balances'
const of = (country: string): string => `${SUCCESSOR}?country=${country}`

const wallet = (country: string, currency: string, balance = '1000000.00', mno = '') => ({
  country,
  balance,
  currency,
  mno,
})

const shop = await addMerchant(service, { providers: ['MTN_MOMO_ZMB', 'AIRTEL_COD', 'MPESA_KEN'] })

it('all balances of the account, and none of others', async () => {
  const balances = [
    wallet('COD', 'CDF'),
    wallet('COD', 'USD'),
    wallet('KEN', 'KES'),
    wallet('ZMB', 'ZMW'),
  ]
  assertEarlier(await shop.call('GET', PATH), 200, { balances }, SUCCESSOR)
})

it('those of one country, one line for each currency and correspondent', async () => {
  const entry = { country: 'KEN', currency: 'KES', provider: 'MPESA_KEN', balance: '7.5' }
  assert.equal((await shop.call('PUT', '/sandbox/wallets', entry)).status, 204)
  for (const [country, balances] of [
    ['COD', [wallet('COD', 'CDF'), wallet('COD', 'USD')]],
    ['KEN', [wallet('KEN', 'KES'), wallet('KEN', 'KES', '7.50', 'MPESA_KEN')]],
    ['ZMB', [wallet('ZMB', 'ZMW')]],
    ['GHA', []],
    ['FRA', []],
  ] as const) {
    const answer = await shop.call('GET', `${PATH}/${country}`)
    assertEarlier(answer, 200, { balances }, of(country))
  }
})

it('says the same as the current generation under the other name', async () => {
  const rename = ({ provider, ...rest }: { provider: string }) => ({ ...rest, mno: provider })
  const { body } = await service.get(SUCCESSOR)
  assert.equal(body.balances.length, 21)
  const { body: earlier } = await service.get(PATH)
  assert.deepEqual(earlier, { balances: body.balances.map(rename) })
})

describe('400 for what is not a country:', () => {
  for (const country of ['zmb', 'ZM', 'ZMBX', 'Z1B', 'ZMB%00', '%20ZMB']) {
    it(country, async () => {
      const answer = await service.get(`${PATH}/${country}`)
      assert.equal(answer.status, 400)
      const { errorId: _, ...rest } = answer.body
      assert.deepEqual(rest, {
        errorCode: 1,
        errorMessage:
          "The parameter 'country' is not valid: it must be a country as three capital letters " +
          '(ISO 3166-1 alpha-3).',
      })
    })
  }
})

it('401 and 403 are errors 2 and 3', async () => {
  const nobody = callerWith(service, 'nobody')
  assertEarlier(await nobody.call('GET', PATH), 401, earlierError(2), SUCCESSOR)
  const country = await nobody.call('GET', `${PATH}/ZMB`)
  assertEarlier(country, 401, earlierError(2), of('ZMB'))
  const other = callerWith(service, await addToken(service, shop.id, ['deposits']))
  const lacks = earlierError(3, /'finances:read'/)
  assertEarlier(await other.call('GET', PATH), 403, lacks, SUCCESSOR)
  const reader = callerWith(service, await addToken(service, shop.id, ['finances:read']))
  assert.equal((await reader.call('GET', PATH)).status, 200)
})
