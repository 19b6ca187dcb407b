/** C-1, first part: a country is chosen before all else. Amounts, providers and numbers follow. */
import { fill } from '../words.ts'
import { amountOptions, BigAmount } from './amount.tsx'
import { Leave, Reason, TimeLeft } from './details.tsx'
import { described, FieldError, Summary } from './fields.tsx'
import { here } from './parts.tsx'
import type { Problem } from './refusal-text.ts'
import type { DetailsView, Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type CountriesProps = { readonly view: DetailsView; readonly visit: Visit }

export function Countries({ view, visit }: CountriesProps) {
  const words = PAY_WORDS[visit.lang]
  const choices = choicesIn({ view, visit })
  const [first] = choices
  const isSame = choices.every(({ amounts }) => amounts === first?.amounts)
  const problem = countryProblem(visit)
  return (
    <>
      <Summary visit={visit} problems={problem === undefined ? [] : [problem]} />
      <h1 class={isSame && first?.options.fixed.length === 1 ? 'small' : ''}>
        {fill(words.payHeading, { name: view.merchant })}
      </h1>
      {isSame && first !== undefined ? <BigAmount options={first.options} /> : null}
      <Reason view={view} visit={visit} />
      <form id="pay" method="get" novalidate>
        <input type="hidden" name="chosen" value="1" />
        {visit.chosenLang === undefined ? null : (
          <input type="hidden" name="lang" value={visit.chosenLang} />
        )}
        {visit.wantsForm ? <input type="hidden" name="again" value="1" /> : null}
        <div class="field">
          <label for="country">{words.countryHeading}</label>
          <FieldError visit={visit} field="country" problem={problem} />
          <div class="boxed">
            <select id="country" name="country" {...described('country', problem !== undefined)}>
              <option value="">{words.countryMissing}</option>
              {choices.map(({ country, name, amounts }) => (
                <option key={country} value={country}>
                  {isSame ? name : fill(words.countryAmounts, { country: name, amounts })}
                </option>
              ))}
            </select>
          </div>
        </div>
        <button type="submit" class="button">
          {words.goOn}
        </button>
      </form>
      <form method="post" action={here(visit)} class="leave">
        <Leave view={view} visit={visit} />
      </form>
      <TimeLeft view={view} visit={visit} />
    </>
  )
}

/** Continue was pressed, and no country is chosen. */
export function countryProblem({ wantsCountry, lang }: Visit): Problem | undefined {
  return wantsCountry ? { field: 'country', text: PAY_WORDS[lang].countryMissing } : undefined
}

/** By name, each with what it would be there: one amount, or one of several. */
function choicesIn({ view, visit: { lang } }: CountriesProps) {
  const list = new Intl.ListFormat(lang, { type: 'disjunction' })
  return view.choices
    .map((choice) => {
      const options = amountOptions(choice, undefined, lang)
      const amounts = list.format(options.fixed.map(({ text }) => text))
      return { country: choice.country, name: choice.name[lang], options, amounts }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, lang))
}
