import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { createReferences } from '../../src/providers/reference.ts'

const order = {
  merchantId: 7 as MerchantId,
  operation: 'DEPOSIT',
  paymentId: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639' as PaymentId,
} as const

it('the reference of an order follows from key, merchant, operation and identifier', () => {
  const referenceOf = createReferences(Buffer.alloc(32, 1))
  // Stored with operators: another one for the same order would let it be paid twice.
  assert.equal(referenceOf(order), '57d30eed-a1f6-41ea-83a3-0583b0659eae')
  const others = [
    referenceOf({ ...order, merchantId: 8 as MerchantId }),
    referenceOf({ ...order, operation: 'PAYOUT' }),
    referenceOf({ ...order, paymentId: '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff' as PaymentId }),
    createReferences(Buffer.alloc(32, 2))(order),
  ]
  assert.equal(new Set([referenceOf(order), ...others]).size, 5)
  for (const reference of others) {
    assert.match(reference, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
