import { randomUUID } from 'node:crypto'
import { checkoutBody } from '../../harness/hosted.ts'
import { payoutBody } from '../../harness/payouts.ts'
import { refundBody } from '../../harness/refunds.ts'
import { remittanceBody } from '../../harness/remittances.ts'
import { type Answer, depositBody, type Service } from '../../harness/service.ts'
import { splitBody } from '../../harness/splits.ts'
import { statementBody } from '../../harness/statements.ts'
import type { Scope } from '../../src/domain/accounts/token.ts'
import { reason, refused } from './shapes.ts'

/** A call of the current generation or of the sandbox, as it is answered and starts no payment. */
export type EndpointCall = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
  /** The least scope that permits it. */
  readonly scope: Scope
  /** Any of these permits it as well. */
  readonly orAny?: readonly Scope[]
  /** The field that a refusal repeats. */
  readonly idField?: string
  /** Without which table it cannot be answered; absent where it needs none. */
  readonly table?: string
  /** A refusal of who calls says REJECTED. */
  readonly isRejected: boolean
  /** What a permitted call is answered with, where nothing harmless is a success. */
  readonly answers?: 400 | 404
}

/** Of nothing that exists, so that no call changes anything. */
export const NOBODYS = randomUUID()
const PHONE = '260763456789'

const OTHER_KINDS = ['payouts:read', 'refunds:read', 'remittances:read'] as const

/** The amounts are refused by the provider: nothing is started. */
export const CALLS: readonly EndpointCall[] = [
  starts('/v2/deposits', 'depositId', depositBody({ depositId: NOBODYS, amount: '0' })),
  ...acts('/v2/deposits', ['resend-callback']),
  starts('/v2/payouts', 'payoutId', payoutBody({ payoutId: NOBODYS, amount: '0' })),
  startsMany('/v2/payouts/bulk', [payoutBody({ payoutId: NOBODYS, amount: '0' })]),
  ...acts('/v2/payouts', ['resend-callback', 'fail-enqueued']),
  starts('/v2/refunds', 'refundId', refundBody(NOBODYS, { refundId: NOBODYS })),
  ...acts('/v2/refunds', ['resend-callback', 'fail-enqueued']),
  starts('/v2/remittances', 'remittanceId', remittance()),
  startsMany('/v2/remittances/bulk', [remittance()]),
  ...acts('/v2/remittances', ['resend-callback', 'fail-enqueued']),
  starts('/v2/split-payments', 'splitPaymentId', {
    ...splitBody({ splitPaymentId: NOBODYS, amount: '1' }),
  }),
  ...acts('/v2/split-payments', ['resend-callback'], 'split_payments'),
  { ...starts('/v2/checkouts', 'checkoutId', checkoutBody()), table: 'checkouts' },
  ...acts('/v2/checkouts', ['resend-callback'], 'checkouts'),
  {
    ...changes('POST', `/v2/checkouts/${NOBODYS}/expire`, 'checkouts'),
    table: 'checkouts',
    isRejected: true,
    answers: 404,
  },
  {
    ...starts('/v2/paymentpage', 'depositId', {
      depositId: NOBODYS,
      returnUrl: 'https://shop.example',
      country: 'FRA',
    }),
    scope: 'payment-page',
    answers: 400,
  },
  reads('/v2/wallet-balances', 'finances:read', 'accounts'),
  { ...changes('POST', '/v2/statements', 'finances', statementBody()), table: 'statements' },
  { ...reads(`/v2/statements/${NOBODYS}`, 'finances:read', 'statements'), isRejected: true },
  reads('/v2/active-conf', 'toolkit:read'),
  reads('/v2/availability', 'toolkit:read'),
  changes('POST', '/v2/predict-provider', 'toolkit:read', { phoneNumber: PHONE }),
  reads('/v2/public-key/http', 'toolkit:read'),
  reads('/v2/public-keys', 'toolkit:read'),
  { ...reads('/payments', 'deposits:read', 'payments'), orAny: OTHER_KINDS },
  {
    ...reads(`/payments/${NOBODYS}`, 'deposits:read', 'payments'),
    orAny: OTHER_KINDS,
    answers: 404,
  },
  reads('/callbacks', 'callbacks:read', 'callbacks'),
  reads('/callbacks/feed?address=http%3A%2F%2Flocalhost%3A9', 'callbacks:read'),
  {
    ...changes('PUT', '/sandbox/callbacks', 'sandbox', { deposit: 'http://127.0.0.1:9/' }),
    table: 'callback_urls',
  },
  changes('PUT', '/sandbox/receiver', 'sandbox', { fails: false }),
  changes('PUT', '/sandbox/signatures', 'sandbox', {}),
  changes('PUT', '/sandbox/return-schemes', 'sandbox', { schemes: [] }),
  changes('PUT', '/sandbox/identifiers', 'sandbox', { anyUuid: false }),
  changes('PUT', '/sandbox/availability', 'sandbox', {
    provider: 'MTN_MOMO_ZMB',
    operationType: 'DEPOSIT',
    status: 'OPERATIONAL',
  }),
  changes('PUT', '/sandbox/wallets', 'sandbox', {
    country: 'ZMB',
    currency: 'ZMW',
    balance: '1000000',
  }),
  changes('PUT', `/sandbox/phones/${PHONE}`, 'sandbox', {}),
  reads(`/sandbox/phones/${PHONE}`, 'sandbox:read'),
  { ...changes('POST', `/sandbox/phones/${PHONE}/actions`, 'sandbox', {}), answers: 400 },
  reads('/sandbox/clock', 'sandbox:read'),
  changes('POST', '/sandbox/clock/advance', 'sandbox', { seconds: 1 }),
  changes('POST', '/sandbox/clock/reset', 'sandbox'),
  {
    ...reads(`/sandbox/deliveries?paymentId=${NOBODYS}`, 'sandbox:read', 'payments'),
    answers: 404,
  },
  changes('POST', '/sandbox/reset', 'sandbox'),
  reads('/sandbox/migration', 'sandbox:read'),
]

export const nameOf = ({ method, path }: Pick<EndpointCall, 'method' | 'path'>): string =>
  `${method} ${path.replace(NOBODYS, '{id}').replace(/\?.*/, '')}`

/** The same name for an endpoint of the node. */
export const routeName = ({ method, path }: Pick<EndpointCall, 'method' | 'path'>): string =>
  `${method} ${path.replace(':msisdn', PHONE).replace(/:\w+/, '{id}')}`

/** The whole body with which the call is refused for who calls. */
export function refusalOf(call: EndpointCall, code: string, says: RegExp, id = idOf(call)): object {
  return call.isRejected ? refused(code, says, id) : reason(code, says)
}

export const idOf = ({ idField, body }: EndpointCall): object =>
  idField === undefined ? {} : { [idField]: (body as Record<string, unknown>)[idField] }

/** `Authorization` exactly as given, or none at all. */
export async function callWith(
  service: Pick<Service, 'url'>,
  authorization: string | undefined,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

function remittance(): object {
  return remittanceBody({ remittanceId: NOBODYS, amount: '0' })
}

function starts(path: string, idField: string, body: object): EndpointCall {
  const call = { method: 'POST', path, body, scope: scopeOf(path), table: 'payments' } as const
  return { ...call, idField, isRejected: true }
}

/** Its refusal stands for all of them, so no identifier is in it. */
function startsMany(path: string, body: readonly object[]): EndpointCall {
  const call = { method: 'POST', path, body, scope: scopeOf(path), table: 'payments' } as const
  return { ...call, isRejected: true }
}

/** The status check of a kind, and what else is done to one that exists. */
function acts(path: string, actions: readonly string[], table = 'payments'): EndpointCall[] {
  const scope = scopeOf(path)
  return [
    { ...reads(`${path}/${NOBODYS}`, `${scope}:read` as Scope, table), isRejected: true },
    ...actions.map((action) => ({
      ...changes('POST', `${path}/${action}/${NOBODYS}`, scope),
      table,
      isRejected: true,
    })),
  ]
}

function reads(path: string, scope: Scope, table?: string): EndpointCall {
  const call = { method: 'GET', path, scope, isRejected: false } as const
  return table === undefined ? call : { ...call, table }
}

function changes(method: 'POST' | 'PUT', path: string, scope: Scope, body?: object): EndpointCall {
  const call = { method, path, scope, isRejected: false } as const
  return body === undefined ? call : { ...call, body }
}

function scopeOf(path: string): Scope {
  return path.split('/')[2] as Scope
}
