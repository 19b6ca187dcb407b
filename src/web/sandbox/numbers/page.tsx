/** `/sandbox/numbers`: every test number, and how payments with it end. */
import type { Page } from '../../page.tsx'
import type { Lang } from '../../words.ts'
import { sandboxScreen } from '../parts.tsx'
import { SANDBOX_WORDS } from '../words.ts'

/** How deposits of a number end, and payouts to it; undefined where the provider has none. */
export type NumberRow = {
  readonly number: string
  readonly deposit: string | undefined
  readonly payout: string | undefined
}

export type NumberCountry = {
  readonly name: string
  readonly providers: readonly {
    readonly code: string
    readonly name: string
    readonly numbers: readonly NumberRow[]
  }[]
}

export function renderNumbers(
  lang: Lang,
  general: readonly NumberRow[],
  countries: readonly NumberCountry[],
): Page {
  const words = SANDBOX_WORDS[lang]
  return sandboxScreen({
    lang,
    path: '/sandbox/numbers',
    heading: words.numbersHeading,
    children: (
      <>
        <h1>{words.numbersHeading}</h1>
        <p class="lead">{words.numbersLead}</p>
        <section class="card" aria-labelledby="general">
          <h2 id="general">{words.numbersGeneral}</h2>
          <p class="note">{words.numbersGeneralText}</p>
          <Numbers lang={lang} label={words.numbersGeneral} first={words.ending} rows={general} />
        </section>
        {countries.map(({ name, providers }) => (
          <details key={name} class="country">
            <summary>{name}</summary>
            {providers.map(({ code, name: brand, numbers }) => (
              <section key={code} aria-labelledby={code}>
                <h2 id={code}>
                  {brand} <code>{code}</code>
                </h2>
                <Numbers lang={lang} label={code} first={words.number} rows={numbers} />
              </section>
            ))}
          </details>
        ))}
      </>
    ),
  })
}

type NumbersProps = {
  readonly lang: Lang
  readonly label: string
  readonly first: string
  readonly rows: readonly NumberRow[]
}

function Numbers({ lang, label, first, rows }: NumbersProps) {
  const words = SANDBOX_WORDS[lang]
  const textOf = (ending: string | undefined): string =>
    ending === 'PROCESSING' ? words.staysProcessing : (ending ?? words.notOffered)
  return (
    <table class="numbers" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">{words.deposits}</th>
          <th scope="col">{words.payouts}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, deposit, payout }) => (
          <tr key={number}>
            <th scope="row">
              <bdi dir="ltr">{number}</bdi>
            </th>
            <td>{textOf(deposit)}</td>
            <td>{textOf(payout)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
