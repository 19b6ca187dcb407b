import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { enableProvider } from '../../../src/store/accounts/merchants.ts'
import { assertEarlier, earlierError } from '../../support/earlier-generation.ts'

const service = await shareService()
after(service.stop)

const PATH = '/active-conf'
const SUCCESSOR = '/v2/active-conf'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
const catalog: readonly Json[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

const limits = (operationType: string, min: string, max: string) => ({
  operationType,
  minTransactionLimit: min,
  maxTransactionLimit: max,
})
const all = (min: string, max: string) =>
  ['DEPOSIT', 'PAYOUT', 'REFUND'].map((type) => limits(type, min, max))

const shop = await addMerchant(service, {
  slug: 'corner-shop',
  name: 'Corner Shop & Co',
  providers: ['MTN_MOMO_ZMB', 'AIRTEL_COD'],
})

it('an account sees its own correspondents, one with two currencies once for each', async () => {
  const ownerName = 'Corner Shop & Co'
  const airtel = { correspondent: 'AIRTEL_COD', ownerName }
  assertEarlier(
    await shop.call('GET', PATH),
    200,
    {
      merchantId: 'corner-shop',
      merchantName: ownerName,
      countries: [
        {
          country: 'COD',
          correspondents: [
            { ...airtel, currency: 'CDF', operationTypes: all('100', '6250000') },
            { ...airtel, currency: 'USD', operationTypes: all('1', '2500') },
          ],
        },
        {
          country: 'ZMB',
          correspondents: [
            {
              correspondent: 'MTN_MOMO_ZMB',
              currency: 'ZMW',
              ownerName,
              operationTypes: all('1', '20000'),
            },
          ],
        },
      ],
    },
    SUCCESSOR,
  )
})

it('the demo account has every correspondent of the catalogue with its own limits', async () => {
  const { body } = await service.get(PATH)
  const listed = body.countries.flatMap(({ country, correspondents }: Json) =>
    correspondents.map(({ correspondent, currency, operationTypes }: Json) => ({
      country,
      correspondent,
      currency,
      operationTypes,
    })),
  )
  const known = catalog.flatMap(({ country, provider, currencies }) =>
    currencies.map(({ currency, operations }: Json) => ({
      country,
      correspondent: provider,
      currency,
      operationTypes: ['DEPOSIT', 'PAYOUT', 'REFUND'].map((type) =>
        limits(type, operations[type].min, operations[type].max),
      ),
    })),
  )
  const byName = (a: Json, b: Json): number =>
    `${a.correspondent} ${a.currency}` < `${b.correspondent} ${b.currency}` ? -1 : 1
  assert.equal(listed.length, 45)
  assert.deepEqual(listed.toSorted(byName), known.toSorted(byName))
})

it('an operation that is not enabled is not listed, nor a correspondent without any', async () => {
  const few = await addMerchant(service, { providers: ['MTN_MOMO_ZMB', 'ZAMTEL_ZMB', 'MPESA_KEN'] })
  await enableProvider(service.database, few.id, 'MTN_MOMO_ZMB', ['REFUND', 'DEPOSIT'])
  // The earlier generation has no remittances, so it has no use for these two.
  await enableProvider(service.database, few.id, 'ZAMTEL_ZMB', ['REMITTANCE'])
  await enableProvider(service.database, few.id, 'MPESA_KEN', ['REMITTANCE'])
  const { body } = await few.call('GET', PATH)
  assert.deepEqual(
    body.countries.map(({ country, correspondents }: Json) => [
      country,
      correspondents.map(({ correspondent, operationTypes }: Json) => [
        correspondent,
        operationTypes.map((one: Json) => one.operationType),
      ]),
    ]),
    [['ZMB', [['MTN_MOMO_ZMB', ['DEPOSIT', 'REFUND']]]]],
  )
})

it('401 and 403 are errors 2 and 3, and name the way out as well', async () => {
  const nobody = callerWith(service, 'nobody')
  assertEarlier(await nobody.call('GET', PATH), 401, earlierError(2), SUCCESSOR)
  const response = await fetch(service.url + PATH)
  assert.equal(response.status, 401)
  const other = callerWith(service, await addToken(service, shop.id, ['deposits']))
  const lacks = earlierError(3, /'toolkit:read'/)
  assertEarlier(await other.call('GET', PATH), 403, lacks, SUCCESSOR)
  const reader = callerWith(service, await addToken(service, shop.id, ['toolkit:read']))
  assert.equal((await reader.call('GET', PATH)).status, 200)
})
