/** Small parts that lists, details and search share. */

import type { MetadataEntry, Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import { hiddenNumber } from '../../../domain/phone-number.ts'
import { durationText } from '../../time.ts'
import type { Lang } from '../../words.ts'
import type { MenuName } from '../menu.ts'
import type { Visit } from '../visit.ts'
import { LIST_WORDS, type ListWords } from './words.ts'

/** Where the pages of a kind are. */
export const PLACE_OF = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
} as const satisfies Readonly<Record<PaymentKind, MenuName>>

export const pathOf = ({ kind, id }: Pick<Payment, 'kind' | 'id'>): string =>
  `/dashboard/${PLACE_OF[kind]}/${id}`

const TONES: Readonly<Record<string, string>> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  PAYOUT_FAILED: 'bad',
  EXPIRED: '',
  CANCELLED: '',
}

export function State({ visit, state }: { readonly visit: Visit; readonly state: string }) {
  return <span class={`state ${TONES[state] ?? 'open'}`}>{stateText(state, visit.lang)}</span>
}

export const stateText = (state: string, lang: Lang): string =>
  LIST_WORDS[lang][`state_${state}` as keyof ListWords] ?? state

/** Whole where the person has asked for it and may see it. */
export function phoneText(
  visit: Visit,
  payment: Pick<Payment, 'phoneNumber' | 'provider'>,
  isRevealed = false,
): string {
  const isShown = isRevealed && may(visit.person.role, 'pii:reveal')
  return isShown ? `+${payment.phoneNumber}` : hiddenPhone(visit.ctx, payment)
}

export function hiddenPhone(
  ctx: Pick<Visit['ctx'], 'providers'>,
  { phoneNumber, provider }: Pick<Payment, 'phoneNumber' | 'provider'>,
): string {
  return hiddenNumber(phoneNumber, ctx.providers.catalog.find(provider)?.callingCode)
}

export const MASKED = '***'

export const metadataText = ({ value, pii }: MetadataEntry, isRevealed = false): string =>
  pii && !isRevealed ? MASKED : value

export const providerName = ({ ctx }: Visit, code: string): string =>
  ctx.providers.catalog.find(code)?.displayName ?? code

/** How long something took; tenths of a second where it took less than a minute. */
export function tookText(lang: Lang, ms: number): string {
  if (ms >= 60_000) return durationText(ms, lang, 'short')
  const style = { style: 'unit', unit: 'second', unitDisplay: 'short' } as const
  return new Intl.NumberFormat(lang, { ...style, maximumFractionDigits: 1 }).format(ms / 1000)
}

/** The code where no provider of that country is known any more. */
export const countryName = ({ ctx, lang }: Visit, code: string): string =>
  ctx.providers.catalog.all.find(({ country }) => country === code)?.countryName[lang] ?? code
