/** Which permissions somebody needs to give a scope to a token. People grant only what they hold. */
import {
  type Access,
  type Environment,
  SCOPES,
  type Scope,
  type ScopeGroup,
} from '../accounts/token.ts'
import { may, type Permission, type Role } from './roles.ts'

/** The API answers with whole phone numbers and all metadata. */
const SEES_PAYMENTS = ['payments:view', 'pii:reveal'] as const
/** A program sends payouts by itself: nobody else approves them. */
const PAYS_OUT = ['bulk:create', 'payouts:approve'] as const

/** To write, both lists are needed. */
const NEEDED: Readonly<Record<ScopeGroup, Readonly<Record<Access, readonly Permission[]>>>> = {
  deposits: { read: SEES_PAYMENTS, write: ['links:create'] },
  payouts: { read: SEES_PAYMENTS, write: PAYS_OUT },
  refunds: { read: SEES_PAYMENTS, write: ['payments:refund'] },
  remittances: { read: SEES_PAYMENTS, write: PAYS_OUT },
  'split-payments': { read: SEES_PAYMENTS, write: ['links:create', ...PAYS_OUT] },
  checkouts: { read: SEES_PAYMENTS, write: ['links:create', 'payments:refund'] },
  'payment-page': { read: SEES_PAYMENTS, write: ['links:create'] },
  toolkit: { read: ['developers:manage'], write: [] },
  finances: { read: ['money:view'], write: [] },
  callbacks: { read: ['callbacks:view', 'pii:reveal'], write: [] },
  sandbox: { read: ['developers:manage'], write: [] },
}

/** No money moves in a sandbox, and its numbers are invented: only `pii` is kept back there. */
export function neededFor(scope: Scope, environment: Environment): readonly Permission[] {
  if (scope === 'pii') return ['pii:reveal']
  if (environment === 'sandbox') return ['developers:manage']
  if (scope === '*') return Object.values(NEEDED).flatMap(({ read, write }) => [...read, ...write])
  const [group, access] = scope.split(':') as [ScopeGroup, 'read' | undefined]
  const { read, write } = NEEDED[group]
  return access === 'read' ? read : [...read, ...write]
}

export const mayGrantScope = (role: Role, scope: Scope, environment: Environment): boolean =>
  neededFor(scope, environment).every((permission) => may(role, permission))

export const grantableScopes = (role: Role, environment: Environment): readonly Scope[] =>
  SCOPES.filter((scope) => mayGrantScope(role, scope, environment))
