/** Small parts that the list and the page of a link share. */
import type { LinkState, PaymentLink } from '../../../usecases/hosted/payment-links.ts'
import { money } from '../money-text.ts'
import { State } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'
import { LINK_WORDS } from './words.ts'

export const LINKS_PATH = '/dashboard/links'

const TONES: Readonly<Record<LinkState, string>> = {
  OPEN: 'open',
  PAYING: 'open',
  PAID: 'good',
  FAILED: 'bad',
  EXPIRED: '',
  CANCELLED: '',
}

export function LinkStateMark({ visit, state }: { visit: Visit; state: LinkState }) {
  return <span class={`state ${TONES[state]}`}>{LINK_WORDS[visit.lang][`state_${state}`]}</span>
}

export const sumText = ({ lang }: Visit, { amount, currency }: PaymentLink): string =>
  amount === null ? LINK_WORDS[lang].anyAmount : money(amount, currency ?? '', lang)

export function DepositLink({ visit, link }: { visit: Visit; link: PaymentLink }) {
  const { depositId, depositState } = link
  if (depositId === null || depositState === null) return <>{LINK_WORDS[visit.lang].notYet}</>
  return (
    <a href={`/dashboard/deposits/${depositId}`}>
      <State visit={visit} state={depositState} />
    </a>
  )
}
