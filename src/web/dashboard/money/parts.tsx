/** What the pages about money share. */
import { type Amount, formatBalance } from '../../../domain/amount.ts'
import { fill } from '../../words.ts'
import { Field } from '../fields.tsx'
import { money } from '../money-text.ts'
import { countryName, providerName } from '../payments/parts.tsx'
import { dayType } from '../period.ts'
import type { Visit } from '../visit.ts'
import type { Fault, Period } from './asked.ts'
import { MONEY_WORDS } from './words.ts'

type SumProps = {
  readonly visit: Visit
  readonly amount: Amount | string
  readonly currency: string
}

/** An amount with its currency; digits keep their order in any script. */
export function Sum({ visit, amount, currency }: SumProps) {
  const text = typeof amount === 'string' ? amount : formatBalance(amount)
  return <bdi>{money(text, currency, visit.lang)}</bdi>
}

type NamedWallet = {
  readonly country: string
  readonly currency: string
  readonly provider?: string | null | undefined
}

/** A wallet in one line, in the words of the balances. */
export function walletText(visit: Visit, { country, currency, provider }: NamedWallet): string {
  const { allProviders } = MONEY_WORDS[visit.lang]
  const whose = provider ? providerName(visit, provider) : allProviders
  return [countryName(visit, country), currency, whose].join(' · ')
}

type PeriodProps = { readonly visit: Visit; readonly period: Period }

export function PeriodFields({ visit, period }: PeriodProps) {
  const words = MONEY_WORDS[visit.lang]
  const type = dayType(period.from, period.to)
  return (
    <>
      <Field name="from" label={words.from} type={type} value={period.from} />
      <Field name="to" label={words.to} type={type} value={period.to} />
    </>
  )
}

export const ZoneNote = ({ visit }: { readonly visit: Visit }) => (
  <p class="note">{fill(MONEY_WORDS[visit.lang].dayNote, { zone: visit.person.user.timeZone })}</p>
)

type FaultProps = {
  readonly visit: Visit
  readonly faults: readonly Fault[]
  readonly archivedYear: number | undefined
}

export function Faults({ visit, faults, archivedYear: year }: FaultProps) {
  const words = MONEY_WORDS[visit.lang]
  const texts = [
    ...(faults.length === 0
      ? []
      : [fill(words.fault, { fields: faults.map((name) => words[name]).join(', ') })]),
    ...(year === undefined ? [] : [fill(words.archived, { year })]),
  ]
  if (texts.length === 0) return null
  return (
    <p class="notice warn" role="alert">
      {texts.join(' ')}
    </p>
  )
}
