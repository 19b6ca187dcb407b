/** Every number leads to the list that it counts. */
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { remember } from '../../../domain/remember.ts'
import { LANGUAGE_NAMES } from '../../words.ts'
import { SHOWN_STATES } from '../lists/shape.ts'
import { PLACE_OF } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'
import type { Asked } from './range.ts'

type Narrowed = {
  readonly status?: 'COMPLETED' | 'FAILED' | 'open' | undefined
  readonly currency?: string | undefined
  readonly failureCode?: string | undefined
  /** Part of the time; the whole unless given. */
  readonly fromMs?: number
  readonly toMs?: number
}

const OPEN_STATES = SHOWN_STATES.filter((state) => state !== 'COMPLETED' && state !== 'FAILED')

export function listOf(asked: Asked, kind: PaymentKind, narrowed: Narrowed = {}): string {
  const { status, currency, failureCode, fromMs = asked.fromMs, toMs = asked.toMs } = narrowed
  const { country } = asked
  const fields = {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    status: status === 'open' ? OPEN_STATES.join(',') : status,
    country,
    currency,
    failureCode,
  }
  return `/dashboard/${PLACE_OF[kind]}?${query(fields)}`
}

/** The same page, with something changed. */
export function homeWith(
  asked: Asked,
  changed: Partial<Pick<Asked, 'range' | 'kind' | 'isWhole'>>,
): string {
  const { range, kind, country, isWhole } = { ...asked, ...changed }
  const currencies = isWhole ? 'all' : undefined
  return `/dashboard?${query({ range, kind: PLACE_OF[kind], country, currencies })}`
}

export function query(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given as [string, string][]).toString()
}

type CountLinkProps = { readonly visit: Visit; readonly count: number; readonly href: string }

export const CountLink = ({ visit, count, href }: CountLinkProps) => (
  <a href={href}>{numberText(visit, count)}</a>
)

/** Made once, because a page has hundreds of numbers, and for the first page: all of them take 30 ms. */
const formatsFor = remember(Object.keys(LANGUAGE_NAMES).length, (lang) => ({
  number: new Intl.NumberFormat(lang),
  compact: new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 }),
  rate: new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 }),
}))

export const numberText = ({ lang }: Pick<Visit, 'lang'>, count: number): string =>
  formatsFor(lang).number.format(count)

/** For the axis of a chart: 1.2K. */
export const compactText = ({ lang }: Pick<Visit, 'lang'>, count: number): string =>
  formatsFor(lang).compact.format(count)

/** Rounded; but 100 % is all, and 0 % is none. */
export const rateText = ({ lang }: Pick<Visit, 'lang'>, rate: number): string =>
  formatsFor(lang).rate.format(rate > 0 && rate < 1 ? Math.min(0.999, Math.max(0.001, rate)) : rate)
