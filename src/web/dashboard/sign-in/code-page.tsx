/** The second step of signing in. */
import type { ComponentChildren } from 'preact'
import type { Page } from '../../page.tsx'
import { fill, type Lang } from '../../words.ts'
import { Field } from '../fields.tsx'
import { PASSKEY_SCRIPT, PasskeyForm } from '../passkey-form.tsx'
import { screen } from './page.tsx'
import { SIGN_IN_WORDS } from './words.ts'

export type CodeView = {
  readonly lang: Lang
  readonly next: string
  readonly isWrong?: boolean
  readonly waitSeconds?: number
  readonly wasSentAgain?: boolean
  /** What the browser is asked for; absent where the person has no passkey. */
  readonly passkey: object | undefined
  /** To whom a code was mailed; absent where the person has another second factor. */
  readonly mailed: { readonly email: string; readonly isKept: boolean } | undefined
}

export function renderCode(view: CodeView): Page {
  const { lang, next, wasSentAgain = false, passkey, mailed } = view
  const words = SIGN_IN_WORDS[lang]
  const text = problemOf(view)
  return screen({
    lang,
    heading: mailed === undefined ? words.codeHeading : words.mailedHeading,
    problem: text === undefined ? undefined : { text, field: 'code' },
    notice: wasSentAgain ? words.mailedSent : undefined,
    kept: { next },
    reopenedAt: '/sign-in',
    script: PASSKEY_SCRIPT,
    children: (
      <>
        {passkey === undefined ? null : (
          <PasskeyForm
            lang={lang}
            action={`/sign-in?lang=${lang}`}
            request={passkey}
            answer="code"
            values={{ next }}
            button={words.passkeyCode}
          />
        )}
        <Explanation view={view} />
        <form method="post" action={`/sign-in?lang=${lang}`} class="stack" novalidate>
          <input type="hidden" name="next" value={next} />
          <Field
            name="code"
            label={words.code}
            autocomplete="one-time-code"
            isWrong={text !== undefined}
          />
          <label>
            <input type="checkbox" name="trust" /> {words.trust}
          </label>
          <button type="submit" class="main">
            {words.next}
          </button>
        </form>
        {mailed === undefined ? null : (
          <PlainForm action={`/sign-in/again?lang=${lang}`} button={words.mailedAgain}>
            <input type="hidden" name="next" value={next} />
          </PlainForm>
        )}
        <PlainForm action={`/sign-out?lang=${lang}`} button={words.startOver} />
      </>
    ),
  })
}

function problemOf({ lang, isWrong = false, waitSeconds, mailed }: CodeView): string | undefined {
  const words = SIGN_IN_WORDS[lang]
  if (waitSeconds !== undefined) return fill(words.wait, { seconds: waitSeconds })
  if (!isWrong) return undefined
  return mailed === undefined ? words.wrongCode : words.wrongMailed
}

function Explanation({ view: { lang, mailed } }: { readonly view: CodeView }) {
  const words = SIGN_IN_WORDS[lang]
  if (mailed === undefined) return <p>{words.codeText}</p>
  return (
    <>
      <p>{fill(words.mailedText, { email: mailed.email })}</p>
      {mailed.isKept ? (
        <p class="note">
          {words.mailedKept} <a href={`/sandbox/mail?lang=${lang}`}>{words.mailedKeptLink}</a>
        </p>
      ) : null}
    </>
  )
}

type PlainFormProps = {
  readonly action: string
  readonly button: string
  readonly children?: ComponentChildren
}

const PlainForm = ({ action, button, children }: PlainFormProps) => (
  <form method="post" action={action}>
    {children}
    <button type="submit" class="plain">
      {button}
    </button>
  </form>
)
