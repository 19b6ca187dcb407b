/** C-2: a one-time code that the provider sends before it takes a payment. */
import type { PayForm } from '../../usecases/hosted/form.ts'
import type { CountryChoice, ProviderView } from '../../usecases/hosted/view.ts'
import { fill } from '../words.ts'
import { amountOptions, amountSoFar, BigAmount } from './amount.tsx'
import { Leave, PayButton, TimeLeft } from './details.tsx'
import { BusyNotice, described, FieldError, Hidden, Summary } from './fields.tsx'
import { here } from './parts.tsx'
import { type Problem, problemsOf } from './refusal-text.ts'
import { Steps } from './steps.tsx'
import { type DetailsView, failedAttempt, type Typed, type Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type CodeProps = {
  readonly view: DetailsView
  readonly visit: Visit
  readonly country: CountryChoice
  readonly provider: ProviderView
  readonly typed: Typed | undefined
}

export function Code({ view, visit, country, provider, typed }: CodeProps) {
  const words = PAY_WORDS[visit.lang]
  const problems = codeProblems({ visit, country, typed })
  const [problem] = problems
  const form = typed?.form ?? lastForm(view)
  const offered = amountOptions(country, provider.provider, visit.lang)
  const options = amountSoFar(offered, form, visit.lang)
  return (
    <>
      <BusyNotice visit={visit} typed={typed} />
      <Summary visit={visit} problems={problems} />
      <h1>{words.codeHeading}</h1>
      <BigAmount options={options} />
      <p>{fill(words.codeLead, { provider: provider.name })}</p>
      <Steps provider={provider} lang={visit.lang} />
      <form id="pay" method="post" action={here(visit)} novalidate>
        <Hidden
          values={{
            ...form,
            country: country.country,
            preAuthorisationCode: undefined,
            asked: form.provider,
          }}
        />
        <div class="field">
          <label for="preAuthorisationCode">{words.code}</label>
          <p class="hint" id="code-hint">
            {fill(words.codeHint, { provider: provider.name })}
          </p>
          <FieldError visit={visit} field="preAuthorisationCode" problem={problem} />
          <div class="boxed">
            <input
              id="preAuthorisationCode"
              name="preAuthorisationCode"
              inputmode="numeric"
              autocomplete="one-time-code"
              dir="ltr"
              value={typed?.sentCode ? '' : (form.preAuthorisationCode ?? '')}
              {...described('preAuthorisationCode', problem !== undefined, ['code-hint'])}
            />
          </div>
        </div>
        <PayButton view={view} visit={visit} options={options} />
        <button type="submit" class="plain" name="do" value="edit">
          {words.changeProvider}
        </button>
        <Leave view={view} visit={visit} />
      </form>
      <TimeLeft view={view} visit={visit} />
    </>
  )
}

/** The first time it is a question; then a code is missing; after an attempt it was wrong. */
function codeProblems({ visit, country, typed }: Pick<CodeProps, 'visit' | 'country' | 'typed'>) {
  if (typed !== undefined) return problemsOf(typed, country, visit.lang)
  const { codeWrong, notCharged } = PAY_WORDS[visit.lang]
  const wrong: Problem = { field: 'preAuthorisationCode', text: `${codeWrong} ${notCharged}` }
  return [wrong]
}

function lastForm(view: DetailsView): PayForm {
  const last = failedAttempt(view)
  if (last === undefined) return {}
  const { phoneNumber, provider } = view.prefilled
  return { phoneNumber, provider, amount: last.amount, currency: last.currency }
}
