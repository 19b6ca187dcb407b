import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, reason } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const PATH = '/v2/availability'

const operational = (...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, 'OPERATIONAL']))
const ALL = operational('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE')

const shop = await addMerchant(service, { providers: ['MTN_MOMO_ZMB', 'ZAMTEL_ZMB', 'AIRTEL_COD'] })
const COD = { country: 'COD', providers: [{ provider: 'AIRTEL_COD', operationTypes: ALL }] }
const zambia = (operationTypes: object) => ({
  country: 'ZMB',
  providers: [
    { provider: 'MTN_MOMO_ZMB', operationTypes },
    { provider: 'ZAMTEL_ZMB', operationTypes },
  ],
})

it('an account sees each operation of its own providers once, by country', async () => {
  assertAnswer(await shop.call('GET', PATH), 200, [COD, zambia(ALL)])
})

it('the demo account sees every provider, all of them working', async () => {
  const { body } = await service.get(PATH)
  assert.equal(body.length, 20)
  const providers: { operationTypes: object }[] = body.flatMap(
    (country: { providers: [] }) => country.providers,
  )
  assert.equal(providers.length, 42)
  for (const { operationTypes } of providers) assert.deepEqual(operationTypes, ALL)
})

it('what is switched shows at once, for this account and this operation alone', async () => {
  for (const [provider, operationType, status] of [
    ['MTN_MOMO_ZMB', 'DEPOSIT', 'CLOSED'],
    ['MTN_MOMO_ZMB', 'PAYOUT', 'DELAYED'],
    ['ZAMTEL_ZMB', 'REFUND', 'DELAYED'],
    ['AIRTEL_OAPI_ZMB', 'REMITTANCE', 'CLOSED'],
  ]) {
    await service.put('/sandbox/availability', { provider, operationType, status })
  }
  const expected = [
    {
      country: 'ZMB',
      providers: [
        { provider: 'AIRTEL_OAPI_ZMB', operationTypes: { ...ALL, REMITTANCE: 'CLOSED' } },
        {
          provider: 'MTN_MOMO_ZMB',
          operationTypes: { ...ALL, DEPOSIT: 'CLOSED', PAYOUT: 'DELAYED' },
        },
        { provider: 'ZAMTEL_ZMB', operationTypes: { ...ALL, REFUND: 'DELAYED' } },
      ],
    },
  ]
  assertAnswer(await service.get(`${PATH}?country=ZMB`), 200, expected)
  assertAnswer(await shop.call('GET', `${PATH}?country=ZMB`), 200, [zambia(ALL)])
  await service.put('/sandbox/availability', {
    provider: 'MTN_MOMO_ZMB',
    operationType: 'DEPOSIT',
    status: 'OPERATIONAL',
  })
  const { body } = await service.get(`${PATH}?country=ZMB`)
  assert.deepEqual(body[0].providers[1].operationTypes, { ...ALL, PAYOUT: 'DELAYED' })
})

describe('filters:', () => {
  for (const [query, expected] of [
    ['?country=COD', [COD]],
    ['?country=ZMB&operationType=PAYOUT', [zambia(operational('PAYOUT'))]],
    ['?country=ZMB&operationType=REMITTANCE', [zambia(operational('REMITTANCE'))]],
    ['?country=&operationType=', [COD, zambia(ALL)]],
    ['?country=KEN', []],
    ['?operationType=NAME_LOOKUP', []],
    ['?operationType=USSD_DEPOSIT', []],
    ['?operationType=PUSH_DEPOSIT', []],
  ] as const) {
    it(query, async () => {
      assertAnswer(await shop.call('GET', PATH + query), 200, expected)
    })
  }
})

describe('400 INVALID_PARAMETER names the filter:', () => {
  for (const [query, message] of [
    ['?country=zmb', /'country'.*three capital letters/],
    ['?country=ZMB%20', /'country'/],
    ['?country=ZMB&country=COD', /'country'/],
    ['?operationType=Deposit', /'operationType'.*DEPOSIT, PAYOUT, REFUND, REMITTANCE/],
    ['?operationType=LOAN', /'operationType'/],
    ['?operationType=PAYOUT&operationType=PAYOUT', /'operationType'/],
  ] as const) {
    it(query, async () => {
      assertAnswer(await service.get(PATH + query), 400, reason('INVALID_PARAMETER', message))
    })
  }
})

it('401 and 403 hold the reason only', async () => {
  const nobody = callerWith(service, 'nobody')
  assertAnswer(await nobody.call('GET', PATH), 401, reason('AUTHENTICATION_ERROR'))
  const { call } = callerWith(service, await addToken(service, shop.id, ['finances']))
  assertAnswer(await call('GET', PATH), 403, reason('AUTHORISATION_ERROR', /'toolkit:read'/))
})
