import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AccountType, LEDGER_EFFECTS } from '../../src/domain/ledger.ts'
import {
  isFinal,
  MACHINES,
  nextState,
  PAYMENT_STATES,
  type PaymentEvent,
  type PaymentKind,
  type PaymentState,
} from '../../src/domain/payment-state.ts'

const kinds = Object.keys(MACHINES) as PaymentKind[]

/** The way of a deposit, each step on its own; what is not listed cannot happen. */
const DEPOSIT_STEPS: readonly (readonly [PaymentState, PaymentEvent, PaymentState])[] = [
  ['ACCEPTED', 'submit', 'PROCESSING'],
  ['ACCEPTED', 'decline', 'FAILED'],
  ['PROCESSING', 'confirm', 'COMPLETED'],
  ['PROCESSING', 'decline', 'FAILED'],
  ['PROCESSING', 'loseTrack', 'IN_RECONCILIATION'],
  ['IN_RECONCILIATION', 'confirm', 'COMPLETED'],
  ['IN_RECONCILIATION', 'decline', 'FAILED'],
]
const EVENTS: readonly PaymentEvent[] = ['submit', 'confirm', 'decline', 'loseTrack']

describe('a deposit', () => {
  for (const state of PAYMENT_STATES) {
    for (const event of EVENTS) {
      const to = DEPOSIT_STEPS.find((step) => step[0] === state && step[1] === event)?.[2]
      it(`${state} on ${event} ${to === undefined ? 'stays' : `becomes ${to}`}`, () => {
        assert.equal(nextState('deposit', state, event), to)
      })
    }
  }

  it('moves money once: on COMPLETED, from the operator to the wallet', () => {
    assert.deepEqual(LEDGER_EFFECTS.deposit, { COMPLETED: { debit: 'float', credit: 'wallet' } })
  })
})

describe('every payment machine', () => {
  for (const kind of kinds) {
    it(`${kind}: enters each state at most once, so no ledger effect happens twice`, () => {
      for (const path of pathsOf(kind)) assert.equal(new Set(path).size, path.length, path.join())
    })

    it(`${kind}: ends in COMPLETED or FAILED and nowhere else`, () => {
      const states = Object.keys(MACHINES[kind]) as PaymentState[]
      assert.deepEqual(
        states.filter((state) => isFinal(kind, state)),
        ['COMPLETED', 'FAILED'],
      )
      const ends = new Set(pathsOf(kind).map((path) => path.at(-1)))
      assert.deepEqual([...ends].toSorted(), ['COMPLETED', 'FAILED'])
    })

    it(`${kind}: knows every state and reaches it from ACCEPTED`, () => {
      const reached = new Set(pathsOf(kind).flat())
      assert.deepEqual([...reached].toSorted(), Object.keys(MACHINES[kind]).toSorted())
      assert.ok([...reached].every((state) => PAYMENT_STATES.includes(state)))
    })

    it(`${kind}: takes from one account what it gives to another`, () => {
      for (const effect of Object.values(LEDGER_EFFECTS[kind])) {
        assert.notEqual(effect.debit, effect.credit)
      }
    })

    it(`${kind}: has moved money when it is COMPLETED and none when it is FAILED`, () => {
      for (const path of pathsOf(kind)) {
        const moved = [...netOf(kind, path).values()].filter((change) => change !== 0)
        assert.equal(moved.length, path.at(-1) === 'COMPLETED' ? 2 : 0, path.join(' -> '))
      }
    })
  }
})

/** Every way through the machine; a circle ends it with the state entered twice. */
function pathsOf(kind: PaymentKind): PaymentState[][] {
  const visit = (path: readonly PaymentState[]): PaymentState[][] => {
    const state = path.at(-1) ?? 'ACCEPTED'
    const next = new Set(Object.values(MACHINES[kind][state] ?? {}))
    if (next.size === 0 || path.indexOf(state) < path.length - 1) return [[...path]]
    return [...next].flatMap((to) => visit([...path, to]))
  }
  return visit(['ACCEPTED'])
}

function netOf(kind: PaymentKind, path: readonly PaymentState[]): Map<AccountType, number> {
  const net = new Map<AccountType, number>()
  for (const state of path) {
    const effect = LEDGER_EFFECTS[kind][state]
    if (effect === undefined) continue
    net.set(effect.debit, (net.get(effect.debit) ?? 0) - 1)
    net.set(effect.credit, (net.get(effect.credit) ?? 0) + 1)
  }
  return net
}
