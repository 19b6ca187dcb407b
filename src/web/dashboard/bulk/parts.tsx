/** Small parts that the list and the page of a bulk payout share. */
import { totalsOf } from '../../../domain/bulk/bulk-check.ts'
import type { BulkPayout, BulkState, BulkTotal } from '../../../domain/bulk/bulk-payout.ts'
import type { CheckedBulk } from '../../../usecases/bulk/read-bulk.ts'
import { fill } from '../../words.ts'
import { money } from '../money-text.ts'
import type { Visit } from '../visit.ts'
import { BULK_WORDS } from './words.ts'

export const BULK_PATH = '/dashboard/bulk-payouts'

const TONES: Readonly<Record<BulkState, string>> = {
  DRAFT: '',
  NEEDS_APPROVAL: 'open',
  APPROVED: 'open',
  SENDING: 'open',
  DONE: 'good',
  PARTLY_FAILED: 'bad',
}

export function BulkStateMark({ visit, state }: { visit: Visit; state: BulkState }) {
  return <span class={`state ${TONES[state]}`}>{BULK_WORDS[visit.lang][`state_${state}`]}</span>
}

export const totalsText = ({ lang }: Visit, totals: readonly BulkTotal[]): string =>
  totals.map(({ amount, currency }) => moneyText(amount, currency, lang)).join(' + ') || '–'

/** A file may name a currency that nobody has. */
export function moneyText(amount: string, currency: string, lang: Visit['lang']): string {
  if (!/^\d+(\.\d+)?$/.test(amount) || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`
  return money(amount, currency, lang)
}

/** Rows that were pasted have no name of their own. */
export const titleOf = ({ lang }: Visit, { name }: Pick<BulkPayout, 'name'>): string =>
  name || BULK_WORDS[lang].pastedName

export const nameOf = ({ name, email }: BulkPayout['createdBy']): string => name || email

/** What would be paid: rows with problems are not, whatever amount they name. */
export const rightTotals = ({ rows, checks }: CheckedBulk) =>
  totalsOf(rows.filter((_, at) => checks[at]?.problems.length === 0))

export function verdictOn({ lang }: Visit, { wrongRows: wrong, rows }: CheckedBulk): string {
  const words = BULK_WORDS[lang]
  if (wrong === 0)
    return rows.length === 1 ? words.allRightOne : fill(words.allRight, { rows: rows.length })
  if (rows.length === 1) return words.wrongOnly
  return fill(wrong === 1 ? words.wrongOne : words.wrong, { wrong, rows: rows.length })
}
