/** Other ways in: a forgotten password, the provider of a company; and no way in for a moment. */
import type { OfferedCompany } from '../../../usecases/people/company-sign-in.ts'
import type { Page } from '../../page.tsx'
import { fill, type Lang } from '../../words.ts'
import { Field } from '../fields.tsx'
import { screen } from './page.tsx'
import { SIGN_IN_WORDS } from './words.ts'

const BackToSignIn = ({ lang }: { readonly lang: Lang }) => (
  <p>
    <a href={`/sign-in?lang=${lang}`}>{SIGN_IN_WORDS[lang].backToSignIn}</a>
  </p>
)

export function renderForgotten(lang: Lang, sendsMail: boolean): Page {
  const words = SIGN_IN_WORDS[lang]
  return screen({
    lang,
    heading: words.forgottenHeading,
    children: (
      <>
        <p>{sendsMail ? words.forgottenText : words.forgottenNoMail}</p>
        {sendsMail ? (
          <form method="post" action={`/sign-in/forgotten?lang=${lang}`} class="stack" novalidate>
            <Field name="email" label={words.email} type="email" autocomplete="username" />
            <button type="submit" class="main">
              {words.sendLink}
            </button>
          </form>
        ) : null}
        <BackToSignIn lang={lang} />
      </>
    ),
  })
}

/** More passwords wait to be checked than people would wait for. */
export function renderBusy(lang: Lang): Page {
  const words = SIGN_IN_WORDS[lang]
  return screen({
    lang,
    heading: words.busyHeading,
    reopenedAt: '/sign-in',
    children: (
      <>
        <p class="notice bad" role="alert">
          {words.busy}
        </p>
        <BackToSignIn lang={lang} />
      </>
    ),
  })
}

type CompanyView = {
  readonly lang: Lang
  readonly next: string
  /** Undefined before the e-mail is known. */
  readonly companies: readonly OfferedCompany[] | undefined
}

export function renderCompany({ lang, next, companies }: CompanyView): Page {
  const words = SIGN_IN_WORDS[lang]
  const isNone = companies?.length === 0
  return screen({
    lang,
    heading: words.company,
    problem: isNone ? { text: words.companyNone, field: 'email' } : undefined,
    kept: { next },
    children: (
      <>
        {companies === undefined || isNone ? (
          <CompanyForm lang={lang} next={next} isWrong={isNone} />
        ) : (
          <>
            <p>{words.companyChosen}</p>
            {companies.map(({ merchantId, name, host }) => (
              // A link: browsers do not let a form lead to another site.
              <p key={merchantId}>
                <a
                  class="button main"
                  href={`/sign-in/company/go?${new URLSearchParams({ merchant: String(merchantId), next })}`}
                >
                  {fill(words.companyGo, { host, merchant: name })}
                </a>
              </p>
            ))}
          </>
        )}
        <BackToSignIn lang={lang} />
      </>
    ),
  })
}

type CompanyFormProps = { readonly lang: Lang; readonly next: string; readonly isWrong: boolean }

function CompanyForm({ lang, next, isWrong }: CompanyFormProps) {
  const words = SIGN_IN_WORDS[lang]
  return (
    <form method="post" action={`/sign-in/company?lang=${lang}`} class="stack" novalidate>
      <input type="hidden" name="next" value={next} />
      <Field
        name="email"
        label={words.email}
        type="email"
        autocomplete="username"
        hint={words.companyText}
        isWrong={isWrong}
      />
      <button type="submit" class="main">
        {words.next}
      </button>
    </form>
  )
}
