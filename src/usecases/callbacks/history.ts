import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import {
  type CallbackSubject,
  countriesOf,
  type SubjectKind,
} from '../../domain/callbacks/callback-subject.ts'
import {
  maskedSubject,
  personalTexts,
  withoutTexts,
} from '../../domain/callbacks/masked-subject.ts'
import { may } from '../../domain/people/roles.ts'
import { findSubject } from '../../store/callbacks/callback-subjects.ts'
import {
  findCallbackSubject,
  type HistoryFilter,
  type HistoryPage,
  type HistoryPlace,
  type HistoryRow,
  readHistory,
} from '../../store/callbacks/history.ts'
import type { LinkContext } from '../hosted/context.ts'
import { changeAs } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import { type Delivery, deliveriesOf } from './list-deliveries.ts'

export type { HistoryPage, HistoryPlace, HistoryRow }
export type HistoryResult = CallbackStatus | 'FAILED'

/** The callbacks that a person may see, newest first. */
export function listHistory(
  ctx: PeopleContext,
  { merchant, countries }: Person,
  filter: Omit<HistoryFilter, 'merchantId' | 'countries'>,
  page: { readonly after: HistoryPlace | undefined; readonly limit: number },
): Promise<HistoryPage> {
  return readHistory(ctx.db, { ...filter, merchantId: merchant.id, countries }, page)
}

/** Of the whole account, for its programs. */
export function callbacksOf(
  { db }: LinkContext,
  { id: merchantId }: Merchant,
  filter: Omit<HistoryFilter, 'merchantId' | 'countries'>,
  page: { readonly after: HistoryPlace | undefined; readonly limit: number },
): Promise<HistoryPage> {
  return readHistory(db, { ...filter, merchantId, countries: [] }, page)
}

/** Something outside the countries of a person is not there for them. */
export function isSeenBy({ countries }: Person, subject: CallbackSubject): boolean {
  const places = countriesOf(subject)
  if (countries.length === 0) return true
  return places.length > 0 && places.every((one) => countries.includes(one))
}

export type CallbackDetail = {
  readonly kind: SubjectKind
  readonly subject: CallbackSubject
  readonly deliveries: readonly Delivery[]
  /** Names of persons and numbers are hidden. */
  readonly isMasked: boolean
}

/** Every callback of one payment with every attempt; undefined where there is nothing to see. */
export async function readCallbacks(
  ctx: PeopleContext & LinkContext,
  person: Person,
  key: string,
  isRevealed: boolean,
): Promise<CallbackDetail | undefined> {
  const { merchant } = person
  const found = await findCallbackSubject(ctx.db, merchant.id, key)
  if (found === undefined) return undefined
  const subject = await findSubject(ctx.db, merchant.id, found.kind, found.paymentId)
  if (subject === undefined || subject.key !== key || !isSeenBy(person, subject)) return undefined
  const isMasked = !(isRevealed && may(person.role, 'pii:reveal'))
  const shown = (one: CallbackSubject): CallbackSubject =>
    withoutMoney(person, isMasked ? maskedSubject(one) : one)
  const deliveries = await deliveriesOf(ctx, merchant, subject, shown)
  const hidden = isMasked ? personalTexts(subject) : []
  return { kind: subject.kind, subject, isMasked, deliveries: deliveries.map(without(hidden)) }
}

const without =
  (hidden: readonly string[]) =>
  (delivery: Delivery): Delivery => ({
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      answer: attempt.answer === null ? null : withoutTexts(attempt.answer, hidden),
    })),
  })

/** The callback of a statement leads to its file, which not everybody may read. */
function withoutMoney({ role }: Person, subject: CallbackSubject): CallbackSubject {
  if (subject.kind !== 'statement' || may(role, 'money:view')) return subject
  const { downloadUrl, openingBalance, closingBalance, ...rest } = subject
  return rest
}

/** The same with all that is hidden otherwise; who looked at whose is kept. */
export async function revealCallbacks(
  ctx: PeopleContext & LinkContext,
  person: Person,
  key: string,
): Promise<CallbackDetail | undefined> {
  const detail = await readCallbacks(ctx, person, key, true)
  if (detail === undefined || detail.isMasked) return detail
  const { kind, subject } = detail
  const change = { action: 'personal data revealed', object: `callbacks of ${kind} ${subject.id}` }
  await changeAs(ctx, person, change, async () => {})
  return detail
}
