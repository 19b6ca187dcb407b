import { randomUUID } from 'node:crypto'
import type { Access, ScopeGroup } from '../../src/domain/accounts/token.ts'
import { legacyDeposit, legacyPayout } from './legacy-payments.ts'

/** Every call of the earlier generation that is about payments, as it is answered with 200. */
type LegacyCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /** The path that takes its place; an identifier that was in the body has only its name there. */
  readonly successor: string
  readonly group: ScopeGroup
  readonly level: Access
}

/** Of a payment that does not exist, so that no call changes anything. */
const NOBODYS = randomUUID()

const cancel = '/v2/payouts/fail-enqueued'

/** The amounts are refused by the provider: nothing is started. */
export const LEGACY_CALLS: readonly LegacyCall[] = [
  starts('/deposits', legacyDeposit({ amount: '0' })),
  { ...starts('/deposits/bulk', [legacyDeposit({ amount: '0' })]), successor: '/v2/deposits' },
  looks('/deposits'),
  resends('/deposits', { depositId: NOBODYS }),
  starts('/payouts', legacyPayout({ amount: '0' })),
  starts('/payouts/bulk', [legacyPayout({ amount: '0' })]),
  looks('/payouts'),
  resends('/payouts', { payoutId: NOBODYS }),
  { ...acts('payouts', `/payouts/fail-enqueued/${NOBODYS}`), successor: `${cancel}/${NOBODYS}` },
  {
    ...acts('payouts', '/payouts/fail-enqueued'),
    body: { payoutId: NOBODYS },
    successor: `${cancel}/%7BpayoutId%7D`,
  },
  {
    ...acts('payment-page', '/v1/widget/sessions'),
    body: { depositId: NOBODYS, returnUrl: 'https://shop.example', country: 'FRA' },
    successor: '/v2/paymentpage',
  },
  starts('/refunds', { refundId: randomUUID(), depositId: NOBODYS }),
  looks('/refunds'),
  resends('/refunds', { refundId: NOBODYS }),
  { ...resends('/refunds', { refundId: NOBODYS }), path: '/refund/resend-callback' },
]

export const nameOf = ({ method, path }: LegacyCall): string =>
  `${method} ${path.replace(NOBODYS, '{id}')}`

function acts(group: ScopeGroup, path: string) {
  return { method: 'POST', path, group, level: 'write' } as const
}

function groupOf(path: string): ScopeGroup {
  return path.split('/')[1] as ScopeGroup
}

function starts(path: string, body: object): LegacyCall {
  return { ...acts(groupOf(path), path), body, successor: `/v2${path}` }
}

function looks(path: string): LegacyCall {
  const successor = `/v2${path}/${NOBODYS}`
  return {
    method: 'GET',
    path: `${path}/${NOBODYS}`,
    successor,
    group: groupOf(path),
    level: 'read',
  }
}

function resends(path: string, body: object): LegacyCall {
  const [idField = ''] = Object.keys(body)
  const successor = `/v2${path}/resend-callback/%7B${idField}%7D`
  return { ...acts(groupOf(path), `${path}/resend-callback`), body, successor }
}
