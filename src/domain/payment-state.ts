/** The life of a payment, as tables. Every rule about states is read from here, never restated. */
export type PaymentKind = 'deposit'

export const PAYMENT_STATES = [
  'ACCEPTED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
] as const

export type PaymentState = (typeof PAYMENT_STATES)[number]

/** What can happen to a payment; the operator's words are translated into these by the core. */
export type PaymentEvent = 'submit' | 'confirm' | 'decline' | 'loseTrack'

type Machine = Readonly<Record<PaymentState, Readonly<Partial<Record<PaymentEvent, PaymentState>>>>>

const IMMEDIATE: Machine = {
  ACCEPTED: { submit: 'PROCESSING', decline: 'FAILED' },
  PROCESSING: { confirm: 'COMPLETED', decline: 'FAILED', loseTrack: 'IN_RECONCILIATION' },
  IN_RECONCILIATION: { confirm: 'COMPLETED', decline: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
}

export const MACHINES: Readonly<Record<PaymentKind, Machine>> = {
  deposit: IMMEDIATE,
}

/** Undefined when the event does not apply, as when an operator repeats its final answer. */
export function nextState(
  kind: PaymentKind,
  state: PaymentState,
  event: PaymentEvent,
): PaymentState | undefined {
  return MACHINES[kind][state][event]
}

/** A final state is one with no way out. There is no second list to keep in step. */
export function isFinal(kind: PaymentKind, state: PaymentState): boolean {
  return Object.keys(MACHINES[kind][state]).length === 0
}
