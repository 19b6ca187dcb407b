/** Which phone: a test number by country and operator, or any other number. */
import { Act } from '../parts.tsx'
import { keptIn, type SandboxView } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'

type Props = { readonly view: SandboxView }

export function Picker({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <section class="card" aria-labelledby="pick">
      <h2 id="pick">{words.pickHeading}</h2>
      <Operators view={view} />
      <Numbers view={view} />
    </section>
  )
}

/** First whose number, by country: hundreds in one list would be hard to find one in. */
function Operators({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { countries, operator } = view.picker
  return (
    <form method="get" action="/sandbox" class="row">
      {Object.entries({ lang: view.lang, ...keptIn(view) }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div class="field">
        <label for="operator">{words.pickOperator}</label>
        <select id="operator" name="operator">
          {countries.map(({ name, operators }) => (
            <optgroup key={name} label={name}>
              {operators.map((one) => (
                <option key={one.code} value={one.code} selected={one.code === operator}>
                  {one.name}, {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <button type="submit">{words.showNumbers}</button>
    </form>
  )
}

function Numbers({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { picker, flash } = view
  const { numbers, chosen } = picker
  return (
    <Act view={view} act="take" values={{ number: '' }} class="stack">
      <div class="field">
        <label for="listed">{words.testNumber}</label>
        <select id="listed" name="listed">
          {numbers.map(({ phoneNumber, ending }) => (
            <option key={phoneNumber} value={phoneNumber} selected={phoneNumber === chosen}>
              {phoneNumber}: {ending === 'PROCESSING' ? words.staysProcessing : ending}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="typed">{words.anyNumber}</label>
        <p class="note" id="typed-hint">
          {words.anyNumberHint}
        </p>
        <input
          id="typed"
          name="typed"
          inputmode="tel"
          autocomplete="off"
          maxLength={40}
          dir="ltr"
          value={flash?.key === 'NUMBER' ? flash.values.number : ''}
          aria-describedby="typed-hint"
          aria-invalid={flash?.key === 'NUMBER' ? true : undefined}
        />
      </div>
      <button type="submit" class="main">
        {words.take}
      </button>
    </Act>
  )
}
