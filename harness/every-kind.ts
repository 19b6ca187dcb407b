import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { remittanceBody } from './remittances.ts'
import { eventually, payer, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
type Caller = Pick<Service, 'call'>

/** Every kind of payment, with its paths and the name of its identifier. */
export const KINDS = {
  deposit: { path: '/v2/deposits', idField: 'depositId' },
  payout: { path: '/v2/payouts', idField: 'payoutId' },
  refund: { path: '/v2/refunds', idField: 'refundId' },
  remittance: { path: '/v2/remittances', idField: 'remittanceId' },
  splitPayment: { path: '/v2/split-payments', idField: 'splitPaymentId' },
} as const
export type Kind = keyof typeof KINDS
export const ALL_KINDS = Object.keys(KINDS) as Kind[]

export const statusPath = (kind: Kind, id: string): string => `${KINDS[kind].path}/${id}`

const MTN = (phoneNumber: string) => payer(phoneNumber, 'MTN_MOMO_ZMB')
const AIRTEL = payer('260973456789', 'AIRTEL_OAPI_ZMB')

/** The wallet with which a payment of the kind ends so, or stays open. */
const WALLETS = {
  deposit: {
    COMPLETED: MTN('260763456789'),
    FAILED: MTN('260763456039'),
    OPEN: MTN('260763456129'),
  },
  payout: { COMPLETED: MTN('260763456789'), FAILED: MTN('260763450099'), OPEN: AIRTEL },
  refund: { COMPLETED: MTN('260763456789'), FAILED: MTN('260763450099'), OPEN: AIRTEL },
  remittance: { COMPLETED: MTN('260763456789'), FAILED: MTN('260763450099'), OPEN: AIRTEL },
  splitPayment: {
    COMPLETED: MTN('260763456789'),
    FAILED: MTN('260763456039'),
    OPEN: MTN('260763456129'),
  },
} satisfies Record<Kind, Record<Ending, Json>>

/** OPEN: a deposit stays PROCESSING, what is paid out stays ENQUEUED, see `delayPayingOut`. */
export type Ending = 'COMPLETED' | 'FAILED' | 'OPEN'
export const ENDINGS: readonly Ending[] = ['COMPLETED', 'FAILED', 'OPEN']
const PAID_IN: readonly Kind[] = ['deposit', 'splitPayment']

export function stateOf(kind: Kind, ending: Ending): string {
  if (ending !== 'OPEN') return ending
  return PAID_IN.includes(kind) ? 'PROCESSING' : 'ENQUEUED'
}

/** Delays the provider of the wallet that stays OPEN, so that payouts through it wait. */
export async function delayPayingOut(caller: Caller): Promise<void> {
  for (const operationType of ['PAYOUT', 'REFUND', 'REMITTANCE']) {
    const control = { provider: 'AIRTEL_OAPI_ZMB', operationType, status: 'DELAYED' }
    assert.equal((await caller.call('PUT', '/sandbox/availability', control)).status, 204)
  }
}

/** One address for the callbacks of every kind. */
export async function setAllCallbacks(caller: Caller, url: string): Promise<void> {
  const urls = Object.fromEntries(ALL_KINDS.map((kind) => [kind, url]))
  assert.equal((await caller.call('PUT', '/sandbox/callbacks', urls)).status, 204)
}

/** A request that is accepted. A refund needs a deposit, see `start`. */
export function bodyOf(kind: Kind, ending: Ending, changes: Json = {}): Json {
  const id = { [KINDS[kind].idField]: randomUUID() }
  const money = { amount: '15', currency: 'ZMW' }
  const wallet = WALLETS[kind][ending]
  switch (kind) {
    case 'deposit':
      return { ...id, ...money, payer: wallet, ...changes }
    case 'payout':
      return { ...id, ...money, recipient: wallet, ...changes }
    case 'refund':
      return { ...id, ...changes }
    case 'remittance': {
      const { recipientDetails } = remittanceBody().recipient
      return remittanceBody({ recipient: { ...wallet, recipientDetails }, ...changes })
    }
    case 'splitPayment': {
      const splits = [{ payoutId: randomUUID(), amount: '5', recipient: MTN('260763456789') }]
      return { ...id, ...money, payer: wallet, splits, ...changes }
    }
  }
}

/** Starts a payment and waits for its expected state; returns its identifier and record. */
export async function start(
  caller: Caller,
  kind: Kind,
  ending: Ending = 'COMPLETED',
  changes: Json = {},
): Promise<{ readonly id: string; readonly record: Json }> {
  const body = bodyOf(kind, ending, changes)
  if (kind === 'refund' && body.depositId === undefined) {
    body.depositId = (
      await start(caller, 'deposit', 'COMPLETED', { payer: WALLETS.refund[ending] })
    ).id
  }
  const answer = await caller.call('POST', KINDS[kind].path, body)
  assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
  const id = body[KINDS[kind].idField]
  return { id, record: await reachesState(caller, kind, id, stateOf(kind, ending)) }
}

export function reachesState(caller: Caller, kind: Kind, id: string, state: string): Promise<Json> {
  return eventually(async () => {
    const { body } = await caller.call('GET', statusPath(kind, id))
    assert.equal(body.data?.status, state)
    return body.data
  })
}
