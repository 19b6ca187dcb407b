import type { OperationType } from '../provider.ts'

/** The life of a payment, as tables. Every rule about states is read from here, never restated. */
export const PAYMENT_KINDS = ['deposit', 'payout', 'refund', 'remittance'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** Which operation of a provider a kind is; the two differ only in how they are written. */
export const OPERATION_OF: Readonly<Record<PaymentKind, OperationType>> = {
  deposit: 'DEPOSIT',
  payout: 'PAYOUT',
  refund: 'REFUND',
  remittance: 'REMITTANCE',
}

export const KIND_OF: Readonly<Record<OperationType, PaymentKind>> = {
  DEPOSIT: 'deposit',
  PAYOUT: 'payout',
  REFUND: 'refund',
  REMITTANCE: 'remittance',
}

export const PAYMENT_STATES = [
  'WAITING',
  'ACCEPTED',
  'ENQUEUED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
] as const

export type PaymentState = (typeof PAYMENT_STATES)[number]

/** What can happen to a payment; the operator's words are translated into these by the core. */
export type PaymentEvent =
  | 'begin'
  | 'submit'
  | 'enqueue'
  | 'requeue'
  | 'cancel'
  | 'confirm'
  | 'decline'
  | 'loseTrack'

type Machine = Readonly<
  Partial<Record<PaymentState, Readonly<Partial<Record<PaymentEvent, PaymentState>>>>>
>

const WITH_THE_OPERATOR: Machine = {
  PROCESSING: { confirm: 'COMPLETED', decline: 'FAILED', loseTrack: 'IN_RECONCILIATION' },
  IN_RECONCILIATION: { confirm: 'COMPLETED', decline: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
}

/**
 * The payer is there and waits: it is sent at once or not at all. An operator may give its last word
 * with its first: then the payment ends without having been PROCESSING.
 */
const PAID_IN: Machine = {
  ACCEPTED: { submit: 'PROCESSING', confirm: 'COMPLETED', decline: 'FAILED' },
  ...WITH_THE_OPERATOR,
}

/**
 * Nobody has to be there: it can wait in line until the operator works again, and goes back there
 * when the operator refuses it for a reason that is ours, such as an empty float.
 */
const PAID_OUT: Machine = {
  ACCEPTED: {
    submit: 'PROCESSING',
    enqueue: 'ENQUEUED',
    confirm: 'COMPLETED',
    decline: 'FAILED',
  },
  ENQUEUED: { submit: 'PROCESSING', cancel: 'FAILED' },
  ...WITH_THE_OPERATOR,
  PROCESSING: { ...WITH_THE_OPERATOR.PROCESSING, requeue: 'ENQUEUED' },
}

export const MACHINES: Readonly<Record<PaymentKind, Machine>> = {
  deposit: PAID_IN,
  // A payout of a split payment begins when the deposit completes, as part of that transition.
  payout: { WAITING: { begin: 'ACCEPTED' }, ...PAID_OUT },
  refund: PAID_OUT,
  remittance: PAID_OUT,
}

/** Undefined when the event does not apply, as when an operator repeats its final answer. */
export function nextState(
  kind: PaymentKind,
  state: PaymentState,
  event: PaymentEvent,
): PaymentState | undefined {
  return MACHINES[kind][state]?.[event]
}

/** A final state is one with no way out. There is no second list to keep in step. */
export function isFinal(kind: PaymentKind, state: PaymentState): boolean {
  const ways = MACHINES[kind][state]
  return ways !== undefined && Object.keys(ways).length === 0
}

/** The final states, which are the same for every kind; for statements about all of them. */
export const FINAL_STATES: readonly PaymentState[] = PAYMENT_STATES.filter((state) =>
  PAYMENT_KINDS.some((kind) => isFinal(kind, state)),
)

/**
 * States in which no answer of an operator is stored: what begins or is submitted comes later. A
 * payment that is ACCEPTED with a reference may have been sent by the node that accepted it.
 */
export const UNSENT_STATES: readonly PaymentState[] = PAYMENT_STATES.filter((state) =>
  PAYMENT_KINDS.some(
    (kind) =>
      nextState(kind, state, 'begin') !== undefined ||
      nextState(kind, state, 'submit') !== undefined,
  ),
)

/** In line until the operator works again, or with an outcome that nobody knows. */
export const STUCK_STATES = ['ENQUEUED', 'IN_RECONCILIATION'] as const satisfies PaymentState[]

/** When these were entered, no column of the payment says: they are kept as events. */
export const EVENT_STATES: readonly PaymentState[] = STUCK_STATES
