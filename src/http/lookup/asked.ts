import { permits, type ScopeGroup } from '../../domain/accounts/token.ts'
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import type { Caller } from '../../usecases/accounts/merchant-directory.ts'
import { invalid } from '../../wire/fault.ts'
import { Type } from '../../wire/schema.ts'
import { queryText } from '../query-text.ts'

/** Parameters that the look-ups have in common. */

type Query = Readonly<Record<string, unknown>>

/** The scopes of payments, by kind. */
const GROUPS: Readonly<Record<PaymentKind, ScopeGroup>> = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
}

/** One of the kinds is enough to ask; only of those that the token may read something is shown. */
export const ANY_KIND = {
  group: 'deposits',
  orAny: ['payouts', 'refunds', 'remittances'],
  level: 'read',
} as const

export const readableKinds = ({ scopes }: Caller): readonly PaymentKind[] =>
  PAYMENT_KINDS.filter((kind) => permits(scopes, GROUPS[kind], 'read'))

export const PAGE = {
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'accepted at this time or later' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'accepted before this time' })),
  after: Type.Optional(Type.String({ description: '`next` of the page before' })),
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 by default' })),
}

const LIMIT_WORDS = 'it must be a whole number from 1 to 100'

export function limitIn(query: Query): number {
  const limit = Number(queryText(query, 'limit', /^\d{1,3}$/, LIMIT_WORDS) ?? 20)
  if (limit < 1 || limit > 100) throw invalid('limit', LIMIT_WORDS)
  return limit
}

export function spanIn(query: Query): { readonly fromMs?: number; readonly toMs?: number } {
  const [fromMs, toMs] = [timeIn(query, 'from'), timeIn(query, 'to')]
  return present({ fromMs, toMs })
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/
const TIME_WORDS = 'it must be a time such as 2026-01-31T14:00:00Z'

function timeIn(query: Query, name: string): number | undefined {
  const text = queryText(query, name, TIME, TIME_WORDS)
  const ms = text === undefined ? undefined : Date.parse(text)
  if (Number.isNaN(ms)) throw invalid(name, TIME_WORDS)
  return ms
}

/** One of a list of words. */
export function choiceIn<T extends string>(
  query: Query,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = queryText(query, name, /./, 'it must be given once')
  const choice = words.find((one) => one === text)
  if (text !== undefined && choice === undefined) {
    throw invalid(name, `it must be one of ${words.join(', ')}`)
  }
  return choice
}

export const isoText = (ms: number): string => new Date(Math.round(ms)).toISOString()
