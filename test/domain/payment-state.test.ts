import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AccountType, LEDGER_EFFECTS } from '../../src/domain/payments/ledger.ts'
import {
  isFinal,
  MACHINES,
  nextState,
  PAYMENT_STATES,
  type PaymentEvent,
  type PaymentKind,
  type PaymentState,
} from '../../src/domain/payments/payment-state.ts'

const kinds = Object.keys(MACHINES) as PaymentKind[]

/** The way of a deposit, each step on its own; what is not listed cannot happen. */
const DEPOSIT_STEPS: readonly (readonly [PaymentState, PaymentEvent, PaymentState])[] = [
  ['ACCEPTED', 'submit', 'PROCESSING'],
  ['ACCEPTED', 'confirm', 'COMPLETED'],
  ['ACCEPTED', 'decline', 'FAILED'],
  ['PROCESSING', 'confirm', 'COMPLETED'],
  ['PROCESSING', 'decline', 'FAILED'],
  ['PROCESSING', 'loseTrack', 'IN_RECONCILIATION'],
  ['IN_RECONCILIATION', 'confirm', 'COMPLETED'],
  ['IN_RECONCILIATION', 'decline', 'FAILED'],
]

/** An outgoing payment can be enqueued, also after it was sent and refused for a reason of ours. */
const PAID_OUT_STEPS: typeof DEPOSIT_STEPS = [
  ...DEPOSIT_STEPS,
  ['ACCEPTED', 'enqueue', 'ENQUEUED'],
  ['ENQUEUED', 'submit', 'PROCESSING'],
  ['ENQUEUED', 'cancel', 'FAILED'],
  ['PROCESSING', 'requeue', 'ENQUEUED'],
]
const STEPS: Readonly<Record<PaymentKind, typeof DEPOSIT_STEPS>> = {
  deposit: DEPOSIT_STEPS,
  payout: [...PAID_OUT_STEPS, ['WAITING', 'begin', 'ACCEPTED']],
  refund: PAID_OUT_STEPS,
  remittance: PAID_OUT_STEPS,
}
const EVENTS: readonly PaymentEvent[] = [
  'begin',
  'submit',
  'enqueue',
  'requeue',
  'cancel',
  'confirm',
  'decline',
  'loseTrack',
]

for (const kind of kinds) {
  describe(`a ${kind}`, () => {
    for (const state of PAYMENT_STATES) {
      for (const event of EVENTS) {
        const to = STEPS[kind].find((step) => step[0] === state && step[1] === event)?.[2]
        it(`${state} on ${event} ${to === undefined ? 'stays' : `becomes ${to}`}`, () => {
          assert.equal(nextState(kind, state, event), to)
        })
      }
    }
  })
}

describe('the money of a payment', () => {
  it('that comes in moves once: on COMPLETED, from the operator to the wallet', () => {
    assert.deepEqual(LEDGER_EFFECTS.deposit, { COMPLETED: { debit: 'float', credit: 'wallet' } })
  })

  for (const kind of ['payout', 'refund', 'remittance'] as const) {
    it(`that goes out as a ${kind} is held first, then leaves or comes back`, () => {
      assert.deepEqual(LEDGER_EFFECTS[kind], {
        ACCEPTED: { debit: 'wallet', credit: 'reserve' },
        COMPLETED: { debit: 'reserve', credit: 'float' },
        FAILED: { debit: 'reserve', credit: 'wallet' },
      })
    })
  }
})

describe('every payment machine', () => {
  for (const kind of kinds) {
    it(`${kind}: enters a state that moves money at most once`, () => {
      for (const path of pathsOf(kind)) {
        const moving = path.filter((state) => LEDGER_EFFECTS[kind][state] !== undefined)
        assert.equal(new Set(moving).size, moving.length, path.join())
      }
    })

    it(`${kind}: ends in COMPLETED or FAILED and nowhere else`, () => {
      const states = Object.keys(MACHINES[kind]) as PaymentState[]
      assert.deepEqual(
        states.filter((state) => isFinal(kind, state)),
        ['COMPLETED', 'FAILED'],
      )
      const ends = new Set(wholePathsOf(kind).map((path) => path.at(-1)))
      assert.deepEqual([...ends].toSorted(), ['COMPLETED', 'FAILED'])
      // Nowhere does a payment get stuck: from every state there is a way to an end.
      for (const state of states) {
        assert.ok(
          wholePathsOf(kind).some((path) => path.includes(state)),
          state,
        )
      }
    })

    it(`${kind}: knows every state and reaches it from ${beginningOf(kind)}`, () => {
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
      for (const path of wholePathsOf(kind)) {
        const moved = [...netOf(kind, path).values()].filter((change) => change !== 0)
        assert.equal(moved.length, path.at(-1) === 'COMPLETED' ? 2 : 0, path.join(' -> '))
      }
    })
  }
})

/** A payout of a split payment waits for its deposit; everything else begins ACCEPTED. */
function beginningOf(kind: PaymentKind): PaymentState {
  return kind === 'payout' ? 'WAITING' : 'ACCEPTED'
}

/** Every way through the machine; a circle ends it with the state entered twice. */
function pathsOf(kind: PaymentKind): PaymentState[][] {
  const visit = (path: readonly PaymentState[]): PaymentState[][] => {
    const state = path.at(-1) ?? beginningOf(kind)
    const next = new Set(Object.values(MACHINES[kind][state] ?? {}))
    if (next.size === 0 || path.indexOf(state) < path.length - 1) return [[...path]]
    return [...next].flatMap((to) => visit([...path, to]))
  }
  return visit([beginningOf(kind)])
}

/** Those that come to an end; the others go round in a circle, and on from there. */
const wholePathsOf = (kind: PaymentKind): PaymentState[][] =>
  pathsOf(kind).filter((path) => new Set(path).size === path.length)

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
