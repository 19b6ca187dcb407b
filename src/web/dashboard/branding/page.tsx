/** D-18: how the pages of customers look. */
import { type Branding, darkAccentOf, logoAddress } from '../../../domain/hosted/branding.ts'
import type { Page } from '../../../http/pages.ts'
import { SAMPLE_SCREENS } from '../../../usecases/hosted/samples.ts'
import type { BrandingForm, BrandingProblem } from '../../../usecases/hosted/save-branding.ts'
import { fill, LANGUAGE_NAMES } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { Choice, describedBy, Field, Labelled } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import type { Visit } from '../visit.ts'
import { type Problem, problemTexts } from './problems.ts'
import { BRANDING_WORDS } from './words.ts'

type Typed = { readonly form: BrandingForm; readonly problems: readonly BrandingProblem[] }

export function brandingPage(visit: Visit, typed?: Typed): Page {
  const words = BRANDING_WORDS[visit.lang]
  const form = typed?.form ?? savedForm(visit)
  const problems = typed === undefined ? [] : problemTexts(typed.problems, form, visit.lang)
  const isProblem = problems.length > 0
  const limit = countryLimitOf(visit)
  return dashboardPage(visit, {
    name: 'branding',
    heading: words.heading,
    isProblem,
    status: isProblem ? 422 : 200,
    framesOwn: true,
    children: (
      <>
        {isProblem ? <Summary visit={visit} problems={problems} /> : null}
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        {limit === undefined ? (
          <Settings visit={visit} form={form} problems={problems} offers={offersIn(typed)} />
        ) : (
          <p class="notice warn">{limit}</p>
        )}
        <Previews visit={visit} />
      </>
    ),
  })
}

function savedForm({ person: { merchant } }: Visit): BrandingForm {
  const { displayName, accent, accentDark, support, language }: Branding = merchant.branding
  return {
    displayName: displayName ?? '',
    accent: accent ?? '',
    accentDark: accentDark ?? '',
    support: support ?? '',
    language: language ?? '',
    returnSchemes: merchant.returnSchemes.join(' '),
    logo: undefined,
  }
}

/** The colours that pass, for the ones that do not. */
const offersIn = (typed: Typed | undefined): readonly Offer[] =>
  (typed?.problems ?? []).flatMap((problem) =>
    problem.rule === 'CONTRAST' ? [{ field: problem.field, colour: problem.nearest }] : [],
  )

type Offer = { readonly field: 'accent' | 'accentDark'; readonly colour: string }

type SummaryProps = { readonly visit: Visit; readonly problems: readonly Problem[] }

function Summary({ visit, problems }: SummaryProps) {
  return (
    <div class="notice bad" role="alert" tabIndex={-1} autofocus>
      <strong>{BRANDING_WORDS[visit.lang].problems}</strong>
      <ul>
        {problems.map(({ field, text }) => (
          <li key={text}>
            <a href={`#${field}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

type SettingsProps = SummaryProps & {
  readonly form: BrandingForm
  readonly offers: readonly Offer[]
}

function Settings({ visit, form, problems, offers }: SettingsProps) {
  const words = BRANDING_WORDS[visit.lang]
  const { merchant } = visit.person
  const { accent } = merchant.branding
  const of = (name: keyof BrandingForm) => problems.find(({ field }) => field === name)?.text
  const darkHint =
    accent === undefined
      ? words.accentDarkNone
      : fill(words.accentDarkHint, { colour: darkAccentOf(accent) })
  const text = (name: 'displayName' | 'accent' | 'accentDark' | 'support', hint: string) => (
    <Field name={name} label={words[name]} hint={hint} value={form[name]} problem={of(name)} />
  )
  return (
    <Form visit={visit} action="/dashboard/branding" class="panel" id="branding" hasFile>
      {text('displayName', fill(words.displayNameHint, { name: merchant.name }))}
      <LogoField visit={visit} problem={of('logo')} />
      {text('accent', words.accentHint)}
      {text('accentDark', darkHint)}
      {text('support', words.supportHint)}
      <Choice
        name="language"
        label={words.language}
        hint={words.languageHint}
        value={form.language}
        options={[
          { value: '', text: words.browserLanguage },
          { value: 'en', text: words.english },
          { value: 'fr', text: words.french },
        ]}
      />
      <Field
        name="returnSchemes"
        label={words.returnSchemes}
        hint={words.returnSchemesHint}
        value={form.returnSchemes}
        problem={of('returnSchemes')}
      />
      <div class="row">
        <button type="submit" class="main">
          {words.save}
        </button>
        {offers.map((offer) => (
          <OfferButton key={offer.field} visit={visit} offer={offer} />
        ))}
      </div>
    </Form>
  )
}

function OfferButton({ visit, offer }: { readonly visit: Visit; readonly offer: Offer }) {
  const { field, colour } = offer
  return (
    <button type="submit" name={`${field}Instead`} value={colour}>
      <svg width="16" height="16" aria-hidden="true">
        <rect width="16" height="16" rx="4" fill={colour} />
      </svg>{' '}
      {fill(BRANDING_WORDS[visit.lang].saveWith, { colour })}
    </button>
  )
}

type LogoProps = { readonly visit: Visit; readonly problem: string | undefined }

function LogoField({ visit, problem }: LogoProps) {
  const words = BRANDING_WORDS[visit.lang]
  const { logo } = visit.person.merchant.branding
  return (
    <>
      <Labelled name="logo" label={words.logo} hint={words.logoHint} problem={problem}>
        <input
          id="logo"
          name="logo"
          type="file"
          accept=".svg,.png,image/svg+xml,image/png"
          aria-describedby={describedBy('logo', words.logoHint, problem)}
          aria-invalid={problem === undefined ? undefined : true}
        />
      </Labelled>
      {logo === undefined ? null : (
        <div class="row">
          <img class="brand-logo" src={logoAddress(logo)} alt={words.logoNow} height={28} />
          <label>
            <input type="checkbox" name="removeLogo" value="1" /> {words.removeLogo}
          </label>
        </div>
      )}
    </>
  )
}

/** Framed pages of the saved branding: nothing in them can be pressed. */
function Previews({ visit }: { readonly visit: Visit }) {
  const words = BRANDING_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="preview">
      <h2 id="preview">{words.preview}</h2>
      <p class="note">{words.previewText}</p>
      <ul class="previews">
        {SAMPLE_SCREENS.map((screen) => {
          const title = words[`screen_${screen}`]
          const address = `/dashboard/branding/preview/${screen}`
          return (
            <li key={screen}>
              <h3>{title}</h3>
              <iframe
                src={`${address}?lang=${visit.lang}`}
                title={title}
                loading="lazy"
                // Of the same origin, or it would not get the logo; without scripts and forms.
                sandbox="allow-same-origin"
                tabIndex={-1}
              />
              <p class="row">
                {(['en', 'fr'] as const).map((lang) => (
                  <a key={lang} href={`${address}?lang=${lang}`} target="_blank" rel="noreferrer">
                    {fill(words.open, { language: LANGUAGE_NAMES[lang] })}
                    <span class="quiet"> {title}</span>
                  </a>
                ))}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
