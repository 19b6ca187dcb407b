import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CHECKOUT_MACHINE,
  CHECKOUT_STATES,
  type CheckoutState,
  isFinalCheckout,
} from '../../src/domain/hosted/checkout.ts'

const waysFrom = (state: CheckoutState): readonly CheckoutState[] =>
  Object.values(CHECKOUT_MACHINE[state])

describe('the machine of a checkout', () => {
  it('has four final states, and no transition leaves them', () => {
    assert.deepEqual(CHECKOUT_STATES.filter(isFinalCheckout), [
      'COMPLETED',
      'FAILED',
      'EXPIRED',
      'CANCELLED',
    ])
  })

  it('reaches every state from WAITING_PAYMENT', () => {
    const reached = new Set<CheckoutState>(['WAITING_PAYMENT'])
    for (const state of reached) for (const next of waysFrom(state)) reached.add(next)
    assert.deepEqual([...reached].toSorted(), [...CHECKOUT_STATES].toSorted())
  })

  it('has one cycle: a failed attempt leads back, and only an attempt leads away again', () => {
    const open = CHECKOUT_STATES.filter((state) => !isFinalCheckout(state))
    assert.deepEqual(open, ['WAITING_PAYMENT', 'PROCESSING'])
    const circles = open.flatMap((state) =>
      waysFrom(state)
        .filter((next) => !isFinalCheckout(next))
        .map((next) => [state, next]),
    )
    assert.deepEqual(circles, [
      ['WAITING_PAYMENT', 'PROCESSING'],
      ['PROCESSING', 'WAITING_PAYMENT'],
    ])
  })

  it('ends during an attempt only by its outcome: nobody cancels PROCESSING', () => {
    assert.ok(!waysFrom('PROCESSING').includes('CANCELLED'))
  })
})
