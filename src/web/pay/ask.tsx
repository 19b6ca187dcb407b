/** C-1, asked once: the number looks like that of another provider than the chosen one. */
import type { CountryChoice, ProviderChoice } from '../../usecases/hosted/view.ts'
import { fill } from '../words.ts'
import { amountOptions, amountSoFar, BigAmount } from './amount.tsx'
import { fixedNumber, Leave, TimeLeft } from './details.tsx'
import { Hidden } from './fields.tsx'
import { Filled, here, Value } from './parts.tsx'
import { Heading } from './result.tsx'
import type { DetailsView, Typed, Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type AskProps = {
  readonly view: DetailsView
  readonly visit: Visit
  readonly country: CountryChoice
  readonly typed: Typed
  readonly question: Question
}

/** Nothing is wrong with either; the customer knows which one it is. */
type Question = { readonly predicted: ProviderChoice; readonly chosen: ProviderChoice }

export function questionOf(
  typed: Typed | undefined,
  { providers }: CountryChoice,
): Question | undefined {
  if (!typed?.asks) return undefined
  const predicted = providers.find(({ provider }) => provider === typed.predicted)
  const chosen = providers.find(({ provider }) => provider === typed.form.provider)
  return predicted === undefined || chosen === undefined ? undefined : { predicted, chosen }
}

export function Ask({ view, visit, country, typed, question }: AskProps) {
  const words = PAY_WORDS[visit.lang]
  const { predicted, chosen } = question
  const offered = amountOptions(country, chosen.provider, visit.lang)
  const fixed = fixedNumber(view, country)
  const values = {
    number: <Value>{fixed ?? typed.form.phoneNumber?.trim()}</Value>,
    predicted: <bdi>{predicted.name}</bdi>,
  }
  return (
    <>
      <Heading text={words.askHeading} />
      <BigAmount options={amountSoFar(offered, typed.form, visit.lang)} />
      <p>
        <Filled text={words.providerDiffers} values={values} />
      </p>
      <form id="pay" method="post" action={here(visit)} novalidate>
        <Hidden values={{ ...typed.form, country: country.country, asking: 'yes' }} />
        {[predicted, chosen].map(({ provider, name }) => (
          <button
            key={provider}
            type="submit"
            class={provider === predicted.provider ? 'button' : 'button second'}
            name="payWith"
            value={provider}
          >
            {fill(words.payWith, { provider: name })}
          </button>
        ))}
        <button type="submit" class="plain" name="do" value="edit">
          {fixed === undefined ? words.changeDetails : words.changeProvider}
        </button>
        <Leave view={view} visit={visit} />
      </form>
      <TimeLeft view={view} visit={visit} />
    </>
  )
}
