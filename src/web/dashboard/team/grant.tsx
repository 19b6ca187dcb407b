import { isRole, mayGrant, ROLES } from '../../../domain/people/roles.ts'
import type { Grant } from '../../../usecases/people/team.ts'
import { Choice } from '../fields.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { TEAM_WORDS } from './words.ts'

/** The role and the countries that a form grants; undefined where it names none that exists. */
export function grantIn({ request }: Visit): Grant | undefined {
  const role = request.form.get('role') ?? ''
  const countries = [...new Set(request.form.getAll('country'))].toSorted()
  const isKnown = isRole(role) && countries.every((country) => /^[A-Z]{3}$/.test(country))
  return isKnown ? { role, countries } : undefined
}

/** Where the merchant has providers, as far as the person sees them. */
export function countriesFor({ ctx, person, lang }: Visit): readonly (readonly [string, string])[] {
  const { providers } = person.merchant
  const held = person.countries
  const found = ctx.providers.catalog.all
    .filter(
      ({ code, country }) => providers.has(code) && (held.length === 0 || held.includes(country)),
    )
    .map(({ country, countryName }) => [country, countryName[lang]] as const)
  return [...new Map(found)].toSorted(([, one], [, other]) => one.localeCompare(other, lang))
}

type Props = { readonly visit: Visit; readonly grant: Grant | undefined }

/** Only what the person may grant. */
export function GrantFields({ visit, grant }: Props) {
  const { lang, person } = visit
  const words = TEAM_WORDS[lang]
  const roles = ROLES.filter((role) => mayGrant(person.role, role))
  const isLimited = person.countries.length > 0
  return (
    <>
      <Choice
        name="role"
        label={words.role}
        value={grant?.role ?? 'support'}
        options={roles.map((value) => ({ value, text: DASHBOARD_WORDS[lang][`role_${value}`] }))}
      />
      <fieldset class="choices">
        <legend>{words.countries}</legend>
        <p class="note">{isLimited ? words.countriesHintLimited : words.countriesHint}</p>
        {countriesFor(visit).map(([code, name]) => (
          <label key={code}>
            <input
              type="checkbox"
              name="country"
              value={code}
              checked={grant?.countries.includes(code)}
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
    </>
  )
}
