import type { Page } from '../../page.tsx'
import type { Lang } from '../../words.ts'
import { sandboxScreen } from '../parts.tsx'
import { SANDBOX_WORDS } from '../words.ts'

export type SignInProblem = 'tokenMissing' | 'tokenWrong' | 'tokenNoRight' | 'linkUsed'

/** The sign-in form. What was typed is not shown again: it may be a good token for something else. */
export function renderSignIn(lang: Lang, to: string, problem: SignInProblem | undefined): Page {
  const words = SANDBOX_WORDS[lang]
  return sandboxScreen({
    lang,
    path: '/sandbox',
    heading: words.signInHeading,
    isProblem: problem !== undefined,
    children: (
      <div class="sign-in">
        {problem === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{words.error}</strong>
            <a href="#token">{words[problem]}</a>
          </p>
        )}
        <h1>{words.signInHeading}</h1>
        <p class="lead">{words.signInLead}</p>
        <form method="post" action={`/sandbox/sign-in?lang=${lang}`} class="stack" novalidate>
          <input type="hidden" name="to" value={to} />
          <div class="field">
            <label for="token">{words.token}</label>
            <p class="note" id="token-hint">
              {words.tokenHint}
            </p>
            <input
              id="token"
              name="token"
              type="password"
              autocomplete="off"
              spellcheck={false}
              dir="ltr"
              aria-describedby="token-hint"
              aria-invalid={problem !== undefined && problem !== 'linkUsed' ? true : undefined}
            />
          </div>
          <button type="submit" class="main">
            {words.signIn}
          </button>
        </form>
      </div>
    ),
  })
}
