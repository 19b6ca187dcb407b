import type { ComponentChildren } from 'preact'
import type { PasswordFault } from '../../../domain/people/password.ts'
import { assets } from '../../assets.ts'
import { Frame } from '../../frame.tsx'
import { type Page, renderPage } from '../../page.tsx'
import { fill, type Lang } from '../../words.ts'
import { Field } from '../fields.tsx'
import { PASSKEY_SCRIPT, PasskeyForm } from '../passkey-form.tsx'
import { SIGN_IN_WORDS } from './words.ts'

const STYLE = assets('page.css', 'dashboard.css')

type Screen = {
  readonly lang: Lang
  readonly heading: string
  readonly script?: string
  /** What is wrong, and the field that it is about. */
  readonly problem?: { readonly text: string; readonly field: string } | undefined
  readonly notice?: string | undefined
  readonly kept?: Readonly<Record<string, string>>
  /** The address of the page, where forms of other addresses answer with it. */
  readonly reopenedAt?: string
  readonly children: ComponentChildren
}

export function screen(view: Screen): Page {
  const { lang, heading, problem, notice, kept = {}, reopenedAt, script, children } = view
  const words = SIGN_IN_WORDS[lang]
  return renderPage({
    lang,
    title: `${problem === undefined ? '' : words.error}${heading} · Malipo`,
    style: STYLE,
    script,
    body: (
      <Frame lang={lang} kept={kept} reopenedAt={reopenedAt}>
        <main id="content" class="sign-in">
          {problem === undefined ? null : (
            <p class="notice bad" role="alert">
              <strong>{words.error}</strong>
              <a href={`#${problem.field}`}>{problem.text}</a>
            </p>
          )}
          {notice === undefined ? null : (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          <h1>{heading}</h1>
          {children}
        </main>
      </Frame>
    ),
  })
}

/** What was done just before, as addresses name it. */
export const NOTICES = ['signedOut', 'saved', 'linkSent', 'disabled'] as const

export type SignInView = {
  readonly lang: Lang
  readonly next: string
  readonly email?: string
  readonly problem?:
    | 'wrong'
    | 'linkUsed'
    | 'companyRefused'
    | 'companyNoMember'
    | 'companyUnreachable'
  readonly waitSeconds?: number
  readonly notice?: (typeof NOTICES)[number] | undefined
  /** What the browser is asked for; absent where passkeys cannot be used. */
  readonly passkey: object | undefined
}

export function renderSignIn(view: SignInView): Page {
  const { lang, next, email, problem, waitSeconds, notice, passkey } = view
  const words = SIGN_IN_WORDS[lang]
  const text =
    waitSeconds === undefined
      ? problem && words[problem]
      : fill(words.wait, { seconds: waitSeconds })
  return screen({
    lang,
    heading: words.signIn,
    problem: text === undefined ? undefined : { text, field: 'email' },
    notice: notice && words[notice],
    kept: { next },
    reopenedAt: '/sign-in',
    script: PASSKEY_SCRIPT,
    children: (
      <>
        <form method="post" action={`/sign-in?lang=${lang}`} class="stack" novalidate>
          <input type="hidden" name="next" value={next} />
          <Field
            name="email"
            label={words.email}
            type="email"
            autocomplete="username"
            value={email ?? ''}
            isWrong={problem === 'wrong'}
          />
          <Field
            name="password"
            label={words.password}
            type="password"
            autocomplete="current-password"
            isWrong={problem === 'wrong'}
          />
          <button type="submit" class="main">
            {words.signIn}
          </button>
        </form>
        {passkey === undefined ? null : (
          <PasskeyForm
            lang={lang}
            action={`/sign-in/passkey?lang=${lang}`}
            request={passkey}
            answer="passkey"
            values={{ next }}
            button={words.passkey}
          />
        )}
        <p>
          <a href={`/sign-in/forgotten?lang=${lang}`}>{words.forgotten}</a>
        </p>
        <p>
          <a href={`/sign-in/company?${new URLSearchParams({ lang, next })}`}>{words.company}</a>
        </p>
      </>
    ),
  })
}

type PasswordView = {
  readonly lang: Lang
  readonly code: string
  readonly email: string
  readonly problem?: PasswordFault | 'DIFFERENT'
}

export function renderPassword({ lang, code, email, problem }: PasswordView): Page {
  const words = SIGN_IN_WORDS[lang]
  return screen({
    lang,
    heading: words.passwordHeading,
    problem: problem && { text: words[problem], field: 'password' },
    children: (
      <>
        <p>{fill(words.passwordFor, { email })}</p>
        <form
          method="post"
          action={`/set-password/${encodeURIComponent(code)}?lang=${lang}`}
          class="stack"
          novalidate
        >
          {/* For password managers, which store it under this name. */}
          <input type="hidden" name="username" autocomplete="username" value={email} />
          <Field
            name="password"
            label={words.password}
            type="password"
            autocomplete="new-password"
            hint={words.passwordHint}
            isWrong={problem !== undefined}
          />
          <Field
            name="again"
            label={words.again}
            type="password"
            autocomplete="new-password"
            isWrong={problem === 'DIFFERENT'}
          />
          <button type="submit" class="main">
            {words.save}
          </button>
        </form>
      </>
    ),
  })
}

export function renderLinkGone(lang: Lang): Page {
  const words = SIGN_IN_WORDS[lang]
  return screen({
    lang,
    heading: words.passwordHeading,
    children: (
      <>
        <p class="notice bad" role="alert">
          {words.linkGone}
        </p>
        <p>
          <a href={`/sign-in?lang=${lang}`}>{words.signIn}</a>
        </p>
      </>
    ),
  })
}
