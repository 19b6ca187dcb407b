import { servedOperations } from '../../domain/operators/account.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type {
  Look,
  OpenAccount,
  Operator,
  OperatorKind,
  OperatorRequest,
  Step,
} from '../operator.ts'
import { refused } from '../wire-kit.ts'
import {
  readLookUp,
  readNewPayout,
  readNewSession,
  readPayout,
  readRefund,
  readSession,
} from './answers.ts'
import { readCallback } from './callbacks.ts'
import { FORM, PROFILE } from './profile.ts'
import {
  payoutLookUp,
  payoutRequest,
  refundRequest,
  sessionLookUp,
  sessionRequest,
  wayOf,
} from './requests.ts'

/** Wave in Senegal and Ivory Coast: a page on which the customer pays, payouts and refunds. */
export const WAVE: OperatorKind = {
  name: 'wave',
  form: FORM,
  authType: 'REDIRECT_AUTH',
  open,
}

function open(account: OpenAccount): Operator {
  return {
    profile: PROFILE,
    prepare: (order) => ({ reference: account.referenceOf(order) }),
    submit: (order, reference) => submit(account, order, reference),
    query: (order, reference) => query(account, order, reference),
    tokens: {},
    isTokenRefused: () => false,
    readCallback: (request) => readCallback(account, request),
    probe: probeOf(account),
  }
}

function submit(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const { now } = account
  switch (wayOf(account, order)) {
    case 'checkout':
      return step(
        () => sessionRequest(account, order, reference),
        (answer) => readNewSession(answer, order, now()),
      )
    case 'refund':
      return step(
        () => refundRequest(account, order),
        (answer) => readRefund(answer, order),
      )
    case 'payout':
      if (!mayPayOut(account, order)) return refused('UNSPECIFIED_FAILURE', WHOLE_ONLY)
      return step(
        () => payoutRequest(account, order, reference),
        (answer) => readNewPayout(answer, order, now()),
      )
  }
}

const WHOLE_ONLY =
  'Wave gives back whole deposits of this account only; to refund by payout, list PAYOUT as well'

const mayPayOut = ({ providers }: OpenAccount, { operation, provider }: ProviderOrder): boolean =>
  operation === 'PAYOUT' || providers[provider]?.includes('PAYOUT') === true

function query(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const { now } = account
  switch (wayOf(account, order)) {
    case 'checkout':
      return step(
        () => sessionLookUp(account, reference, order.ids),
        (answer) => readLookUp(answer, reference, (one) => readSession(one, order, now())),
      )
    case 'refund':
      // Wave cannot be asked about a refund; where its answer was lost, the refund is repeated.
      return order.ids?.refunded === undefined
        ? { kind: 'UNKNOWN', why: 'NOT_FOUND' }
        : { kind: 'DONE' }
    case 'payout':
      return step(
        () => payoutLookUp(account, reference, order.ids),
        (answer) => readLookUp(answer, reference, (one) => readPayout(one, order, now())),
      )
  }
}

const step = (request: () => OperatorRequest, read: Step['read']): Step => ({
  tokens: [],
  request,
  read,
})

/** A key may be good for some calls only, so the look is one that the account needs. */
function probeOf(account: OpenAccount): Look<string> {
  const hasDeposits = servedOperations(account.providers).includes('DEPOSIT')
  const lookUp = hasDeposits ? sessionLookUp : payoutLookUp
  return {
    name: `look-up (${hasDeposits ? 'checkout' : 'payout'})`,
    tokens: [],
    request: () => lookUp(account, 'malipo-operator-test'),
    read: ({ status }) => (status === 200 ? 'the key is taken; Wave has no sign-in' : undefined),
  }
}
