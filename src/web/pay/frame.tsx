import type { ComponentChildren } from 'preact'
import { LANGUAGE_NAMES, type Lang } from '../words.ts'
import type { Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type FrameProps = {
  readonly visit: Visit
  readonly merchant?: string | undefined
  /** The switch sends the form along, so that nothing typed is lost. */
  readonly keepsForm?: boolean
  readonly children: ComponentChildren
}

export function PayFrame({ visit, merchant, keepsForm, children }: FrameProps) {
  const words = PAY_WORDS[visit.lang]
  const other: Lang = visit.lang === 'en' ? 'fr' : 'en'
  const toOther = { lang: other, class: 'language' }
  return (
    <div class="page">
      <header>
        <bdi class="merchant">{merchant ?? '\u00a0'}</bdi>
      </header>
      <main>{children}</main>
      <footer>
        {visit.isSandbox ? <p class="sandbox">{words.sandbox}</p> : null}
        {/* Last in the document, first on the screen: Enter in a field must press Pay. */}
        {keepsForm ? (
          <button
            type="submit"
            {...toOther}
            form="pay"
            formaction={`?lang=${other}`}
            name="do"
            value="language"
          >
            {LANGUAGE_NAMES[other]}
          </button>
        ) : (
          <a {...toOther} hreflang={other} href={`?lang=${other}`}>
            {LANGUAGE_NAMES[other]}
          </a>
        )}
      </footer>
      <p class="quiet" role="status" id="announcement" />
    </div>
  )
}
