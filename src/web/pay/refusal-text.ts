import type { FormRefusal, PayForm } from '../../usecases/hosted/form.ts'
import type { CountryChoice } from '../../usecases/hosted/view.ts'
import { moneyLimits } from '../money.ts'
import { fill, type Lang } from '../words.ts'
import type { Typed } from './visit.ts'
import { PAY_WORDS } from './words.ts'

/** The text for a refused field. */
function refusalText(
  { field, rule, limits, providerName = '' }: FormRefusal,
  country: CountryChoice | undefined,
  lang: Lang,
): string {
  const words = PAY_WORDS[lang]
  const provider = providerName
  const bounds = {
    ...(limits === undefined ? { min: '', max: '' } : moneyLimits(limits, lang)),
    decimals: limits?.decimals ?? 0,
  }
  switch (field) {
    case 'country':
      return words.countryMissing
    case 'phoneNumber':
      if (rule === 'MISSING') return words.numberMissing
      if (providerName !== '') return fill(words.numberOther, { provider })
      return fill(words.numberInvalid, {
        country: country?.name[lang] ?? '',
        example: country?.exampleNumber ?? '',
      })
    case 'provider':
      if (rule === 'MISSING') return words.providerMissing
      return rule === 'UNAVAILABLE' ? fill(words.providerClosed, { provider }) : words.providerOther
    case 'currency':
    case 'amount':
      if (rule === 'MISSING') return words.amountMissing
      if (rule === 'TOO_MANY_DECIMALS') {
        const text = bounds.decimals === 0 ? words.amountWhole : words.amountDecimals
        return fill(text, { provider, ...bounds })
      }
      if (rule === 'INVALID') {
        return fill(words.amountUnread, {
          example: lang === 'fr' ? '1500 ou 15,50' : '1500 or 15.50',
        })
      }
      return fill(words.amountBetween, bounds)
    case 'preAuthorisationCode':
      return rule === 'TOO_LONG' ? words.codeTooLong : words.codeMissing
  }
}

export type Problem = { readonly field: keyof PayForm; readonly text: string }

/** Everything that is wrong, each once. */
export function problemsOf(
  typed: Typed | undefined,
  country: CountryChoice | undefined,
  lang: Lang,
): readonly Problem[] {
  if (typed === undefined) return []
  const { refusals, predicted } = typed
  return refusals
    .filter(({ field, rule }) => {
      const isSuggested =
        field === 'provider' && rule === 'MISSING' && nameOf(predicted, country) !== ''
      const isFirstCode = field === 'preAuthorisationCode' && !typed.sentCode
      return !isSuggested && !isFirstCode
    })
    .map((refusal) => ({ field: refusal.field, text: refusalText(refusal, country, lang) }))
    .toSorted((one, other) => ORDER.indexOf(one.field) - ORDER.indexOf(other.field))
}

const nameOf = (code: string | undefined, country: CountryChoice | undefined): string =>
  country?.providers.find(({ provider }) => provider === code)?.name ?? ''

/** As the fields stand on the page. */
const ORDER: readonly (keyof PayForm)[] = ['country', 'amount', 'phoneNumber', 'provider']
