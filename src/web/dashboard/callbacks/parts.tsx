/** What the pages about callbacks share. */
import type { CallbackStatus } from '../../../domain/callbacks/callback.ts'
import type { SubjectKind } from '../../../domain/callbacks/callback-subject.ts'
import type { Visit } from '../visit.ts'
import { CALLBACK_WORDS } from './words.ts'

const LOOKS: Readonly<Record<CallbackStatus, string>> = {
  DELIVERED: 'good',
  PENDING: 'open',
  GIVEN_UP: 'bad',
  PAUSED: 'bad',
  NO_ADDRESS: '',
}

type ResultProps = { readonly status: CallbackStatus; readonly visit: Visit }

export const Result = ({ status, visit }: ResultProps) => (
  <span class={`state ${LOOKS[status]}`}>{CALLBACK_WORDS[visit.lang][`result_${status}`]}</span>
)

const PAGES: Readonly<Partial<Record<SubjectKind, string>>> = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
  splitPayment: 'split-payments',
  checkout: 'checkouts',
}

/** The page of what a callback is about; a statement has none of its own. */
export const pageOf = (kind: SubjectKind, id: string): string | undefined =>
  PAGES[kind] === undefined ? undefined : `/dashboard/${PAGES[kind]}/${id}`
