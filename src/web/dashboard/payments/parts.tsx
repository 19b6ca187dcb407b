/** Small parts that lists, details and search share. */

import type { MetadataEntry, Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import { numberHint } from '../../../domain/phone-number.ts'
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
  const words = LIST_WORDS[visit.lang]
  const text = words[`state_${state}` as keyof ListWords] ?? state
  return <span class={`state ${TONES[state] ?? 'open'}`}>{text}</span>
}

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
  const callingCode = ctx.providers.catalog.find(provider)?.callingCode
  return numberHint(phoneNumber, callingCode ?? phoneNumber.slice(0, 3))
}

export const MASKED = '***'

export const metadataText = ({ value, pii }: MetadataEntry, isRevealed = false): string =>
  pii && !isRevealed ? MASKED : value

export const providerName = ({ ctx }: Visit, code: string): string =>
  ctx.providers.catalog.find(code)?.displayName ?? code

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** In its two largest units; parts of a second only where it took less than a minute. */
export function durationText(lang: Lang, ms: number): string {
  const unit = (value: number, name: (typeof UNITS)[number][0], digits = 0): string =>
    new Intl.NumberFormat(lang, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 60) return unit(seconds, 'second', 1)
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  let rest = Math.floor(seconds)
  return UNITS.slice(first, first + 2)
    .map(([name, size]) => {
      const whole = Math.floor(rest / size)
      rest -= whole * size
      return whole === 0 ? '' : unit(whole, name)
    })
    .filter((part) => part !== '')
    .join(' ')
}
