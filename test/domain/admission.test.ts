import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { availabilityKey, type Merchant } from '../../src/domain/accounts/merchant.ts'
import { parseAmount } from '../../src/domain/amount.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import {
  admit,
  NOT_ALLOWED,
  type Order,
  type Reachable,
} from '../../src/domain/payments/admission.ts'
import {
  type Availability,
  OPERATION_TYPES,
  type OperationLimits,
  type OperationType,
  type Provider,
} from '../../src/domain/provider.ts'

const PROVIDER: Provider = {
  code: 'MTN_MOMO_ZMB',
  country: 'ZMB',
  callingCode: '260',
  displayName: 'MTN',
  currencies: [
    { currency: 'ZMW', operations: { DEPOSIT: limits('1', '20000', 2) } },
    { currency: 'USD', operations: { DEPOSIT: limits('5', '10', 0) } },
    { currency: 'EUR', operations: { PAYOUT: limits('5', '10', 0) } },
  ],
  nationalNumberLengths: [8, 9],
  testNumbers: { PAYOUT: [{ phoneNumber: '12345', status: 'COMPLETED' }] },
}
/** The same with every operation. */
const EVERYTHING: Provider = {
  ...PROVIDER,
  currencies: [
    {
      currency: 'ZMW',
      operations: Object.fromEntries(
        OPERATION_TYPES.map((operation) => [operation, limits('1', '20000', 2)]),
      ),
    },
  ],
}
const MERCHANT = merchantWith(['DEPOSIT'])
const ORDER: Order = {
  operation: 'DEPOSIT',
  amount: '15',
  currency: 'ZMW',
  phoneNumber: '260763456789',
  provider: 'MTN_MOMO_ZMB',
}

/** What is asked, and with which code it is refused; none means that it is admitted. */
const ORDERS: readonly (readonly [what: string, change: Partial<Order>, code?: string])[] = [
  ['what fits', {}],
  ['the smallest amount', { amount: '1' }],
  ['the largest amount', { amount: '20000' }],
  ['the largest amount with zeroes', { amount: '20000.0000' }],
  ['as many decimals as the provider takes', { amount: '1.05' }],
  ['more decimals, all of them zero', { amount: '1.0500' }],
  ['more decimals', { amount: '1.005' }, 'INVALID_AMOUNT'],
  ['decimals where there are none', { amount: '5.5', currency: 'USD' }, 'INVALID_AMOUNT'],
  ['zero decimals where there are none', { amount: '5.00', currency: 'USD' }],
  ['nothing', { amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS'],
  ['less than the smallest amount', { amount: '0.99' }, 'AMOUNT_OUT_OF_BOUNDS'],
  ['more than the largest amount', { amount: '20000.01' }, 'AMOUNT_OUT_OF_BOUNDS'],
  ['the bounds of another currency', { amount: '11', currency: 'USD' }, 'AMOUNT_OUT_OF_BOUNDS'],
  ['a currency the provider does not have', { currency: 'KES' }, 'INVALID_CURRENCY'],
  ['a currency without this operation', { currency: 'EUR' }, 'INVALID_PROVIDER'],
  ['the shorter number', { phoneNumber: '26076345678' }],
  ['a number too short', { phoneNumber: '2607634567' }, 'INVALID_PHONE_NUMBER'],
  ['a number too long', { phoneNumber: '2607634567890' }, 'INVALID_PHONE_NUMBER'],
  ['a number of another country', { phoneNumber: '254703456789' }, 'INVALID_PHONE_NUMBER'],
  ['a number without country', { phoneNumber: '0763456789' }, 'INVALID_PHONE_NUMBER'],
  ['another network of the country', { phoneNumber: '260953456789' }],
]

describe('a deposit of', () => {
  for (const [what, change, code] of ORDERS) {
    it(`${what} is ${code === undefined ? 'admitted' : `refused: ${code}`}`, () => {
      assert.equal(admit({ ...ORDER, ...change }, reach(PROVIDER), MERCHANT).refusal?.code, code)
    })
  }

  it('what fits is admitted with the limits that hold for it', () => {
    const { limits: admitted } = admit(ORDER, reach(PROVIDER), MERCHANT)
    assert.equal(admitted, PROVIDER.currencies[0]?.operations.DEPOSIT)
  })

  it('a test number passes outside the number plan, in the sandbox only', () => {
    const order = { ...ORDER, phoneNumber: '12345' }
    assert.equal(admit(order, reach(PROVIDER), MERCHANT).refusal, undefined)
    assert.equal(
      admit(order, reach(PROVIDER, false), MERCHANT).refusal?.code,
      'INVALID_PHONE_NUMBER',
    )
  })
})

/** Which providers the merchant has, and what holds for them. */
describe('the account', () => {
  it('without the provider is refused: INVALID_PROVIDER', () => {
    assert.equal(codeFor(ORDER, { ...MERCHANT, providers: new Map() }), 'INVALID_PROVIDER')
  })

  it('is refused a provider that does not exist: INVALID_PROVIDER', () => {
    assert.equal(admit(ORDER, reach(undefined), MERCHANT).refusal?.code, 'INVALID_PROVIDER')
  })

  for (const operations of [[], ['PAYOUT'], ['PAYOUT', 'REFUND']] as const) {
    it(`with ${operations.join() || 'no operation'} is refused: DEPOSITS_NOT_ALLOWED`, () => {
      assert.equal(codeFor(ORDER, merchantWith(operations)), 'DEPOSITS_NOT_ALLOWED')
    })
  }

  const unavailable = 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  for (const [status, code] of [
    ['OPERATIONAL', undefined],
    ['DELAYED', unavailable],
    ['CLOSED', unavailable],
  ] as const) {
    it(`with the provider ${status} is ${code === undefined ? 'served' : `refused: ${code}`}`, () => {
      assert.equal(codeFor(ORDER, withAvailability(status)), code)
    })
  }

  it('is not kept from a deposit by closed payouts', () => {
    const availability = new Map([[availabilityKey('MTN_MOMO_ZMB', 'PAYOUT'), 'CLOSED' as const]])
    assert.equal(codeFor(ORDER, { ...MERCHANT, availability }), undefined)
  })
})

/** Only the payer of a deposit is waiting; outgoing payments can be enqueued. */
const WHILE: readonly (readonly [OperationType, Availability, string | undefined])[] = [
  ['DEPOSIT', 'OPERATIONAL', undefined],
  ['DEPOSIT', 'DELAYED', 'PROVIDER_TEMPORARILY_UNAVAILABLE'],
  ['DEPOSIT', 'CLOSED', 'PROVIDER_TEMPORARILY_UNAVAILABLE'],
  ...(['PAYOUT', 'REFUND', 'REMITTANCE'] as const).flatMap(
    (operation): (typeof WHILE)[number][] => [
      [operation, 'OPERATIONAL', undefined],
      [operation, 'DELAYED', undefined],
      [operation, 'CLOSED', 'PROVIDER_TEMPORARILY_UNAVAILABLE'],
    ],
  ),
]

describe('a provider that is', () => {
  for (const [operation, status, code] of WHILE) {
    const what = code === undefined ? 'admits' : 'refuses'
    it(`${status} ${what} a ${operation}`, () => {
      const merchant = {
        ...merchantWith([operation]),
        availability: new Map([[availabilityKey('MTN_MOMO_ZMB', operation), status]]),
      }
      const { refusal } = admit({ ...ORDER, operation }, reach(EVERYTHING), merchant)
      assert.equal(refusal?.code, code)
    })
  }

  for (const operation of OPERATION_TYPES) {
    const code = NOT_ALLOWED[operation]
    it(`not enabled for a ${operation} is refused: ${code}`, () => {
      const others = OPERATION_TYPES.filter((one) => one !== operation)
      const order = { ...ORDER, operation }
      assert.equal(admit(order, reach(EVERYTHING), merchantWith(others)).refusal?.code, code)
    })
  }
})

/** Everything is wrong at first; put right one after the other, the next rule speaks. */
const RULES: readonly (readonly [code: string | undefined, order: Partial<Order>, Merchant])[] = [
  ['INVALID_PROVIDER', wrong('OTHER'), withAvailability('CLOSED', ['PAYOUT'])],
  ['DEPOSITS_NOT_ALLOWED', wrong(), withAvailability('CLOSED', ['PAYOUT'])],
  ['INVALID_CURRENCY', wrong(), withAvailability('CLOSED')],
  ['INVALID_PHONE_NUMBER', { ...wrong(), currency: 'ZMW' }, withAvailability('CLOSED')],
  ['INVALID_AMOUNT', { amount: '0.001' }, withAvailability('CLOSED')],
  ['AMOUNT_OUT_OF_BOUNDS', { amount: '0.01' }, withAvailability('CLOSED')],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', {}, withAvailability('CLOSED')],
  [undefined, {}, withAvailability('OPERATIONAL')],
]

describe('of several faults the first in this order is named', () => {
  for (const [code, change, merchant] of RULES) {
    it(code ?? 'none', () => assert.equal(codeFor({ ...ORDER, ...change }, merchant), code))
  }
})

/** What each message names, so that the reader knows what to change. */
const MESSAGES: readonly (readonly [change: Partial<Order>, names: RegExp])[] = [
  [{ provider: 'OTHER' }, /'OTHER'/],
  [{ currency: 'KES' }, /'KES'.*'MTN_MOMO_ZMB'.*'ZMW', 'USD', 'EUR'/],
  [{ phoneNumber: '0763456789' }, /'0763456789'.*'MTN_MOMO_ZMB'.*'260'.*8 or 9 digits/],
  [{ amount: '1.005' }, /'1.005'.*'MTN_MOMO_ZMB'.*at most 2 decimal places/],
  [{ amount: '5.5', currency: 'USD' }, /'5.5'.*'MTN_MOMO_ZMB'.*whole amounts only/],
  [{ amount: '0' }, /more than '1' and less than '20000'.*'MTN_MOMO_ZMB'/],
]

describe('a refusal names what is wrong', () => {
  for (const [change, names] of MESSAGES) {
    it(JSON.stringify(change), () => {
      const order = { ...ORDER, ...change }
      const found = order.provider === PROVIDER.code ? PROVIDER : undefined
      assert.match(admit(order, reach(found), MERCHANT).refusal?.message ?? '', names)
    })
  }

  it('the provider, and where to look for its state', () => {
    const { refusal } = admit(ORDER, reach(PROVIDER), withAvailability('CLOSED'))
    assert.match(refusal?.message ?? '', /'MTN_MOMO_ZMB'.*availability/)
  })
})

/** One provider alone is within reach. */
function reach(provider: Provider | undefined, withTestNumbers = true): Reachable {
  return { find: (code) => (code === provider?.code ? provider : undefined), withTestNumbers }
}

function codeFor(order: Order, merchant: Merchant): string | undefined {
  const provider = order.provider === PROVIDER.code ? PROVIDER : undefined
  return admit(order, reach(provider), merchant).refusal?.code
}

function wrong(provider = 'MTN_MOMO_ZMB'): Partial<Order> {
  return { provider, currency: 'KES', phoneNumber: '1', amount: '0.001' }
}

function limits(min: string, max: string, decimals: number): OperationLimits {
  const minAmount = parseAmount(min)
  const maxAmount = parseAmount(max)
  assert.ok(minAmount !== undefined && maxAmount !== undefined)
  return { min, max, minAmount, maxAmount, decimals }
}

function merchantWith(operations: readonly OperationType[]): Merchant {
  return {
    id: 1 as MerchantId,
    slug: 'merchant',
    name: 'Merchant',
    suspended: false,
    anyUuid: false,
    callbackUrls: {},
    signedRequestsOnly: false,
    maxSignatureAge: undefined,
    coverAuthority: false,
    publicKeys: new Map(),
    callbackStates: {},
    hasListener: false,
    signedCallbacks: true,
    ecdsaEncoding: 'DER',
    ownKeyId: false,
    returnSchemes: [],
    branding: {},
    providers: new Map([['MTN_MOMO_ZMB', new Set(operations)]]),
    availability: new Map(),
    providerWallets: new Set(),
    customerMessage: 'Merchant',
    phoneStories: new Map(),
    receiverFails: false,
  }
}

function withAvailability(
  status: Availability,
  operations: readonly ('DEPOSIT' | 'PAYOUT')[] = ['DEPOSIT'],
): Merchant {
  const availability = new Map([[availabilityKey('MTN_MOMO_ZMB', 'DEPOSIT'), status]])
  return { ...merchantWith(operations), availability }
}
