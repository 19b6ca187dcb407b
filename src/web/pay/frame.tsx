import type { ComponentChildren } from 'preact'
import {
  type Branding,
  logoAddress,
  readSupport,
  type ShownLogo,
} from '../../domain/hosted/branding.ts'
import { LANGUAGE_NAMES, type Lang } from '../words.ts'
import type { Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type FrameProps = {
  readonly visit: Visit
  /** Nobody's where the link is unknown. */
  readonly whose: { readonly merchant: string; readonly brand: Branding } | undefined
  /** The switch sends the form along, so that nothing typed is lost. */
  readonly keepsForm?: boolean
  readonly children: ComponentChildren
}

export function PayFrame({ visit, whose, keepsForm, children }: FrameProps) {
  const words = PAY_WORDS[visit.lang]
  const other: Lang = visit.lang === 'en' ? 'fr' : 'en'
  const toOther = { lang: other, class: 'language' }
  return (
    <div class="page">
      <header>
        <Logo logo={whose?.brand.logo} />
        <bdi class="merchant">{whose?.merchant ?? '\u00a0'}</bdi>
      </header>
      <main>{children}</main>
      <footer>
        <Support visit={visit} text={whose?.brand.support} />
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

const LOGO = { height: 28, width: 128 } as const

/** As large as it will be, so that nothing moves when it comes. The name beside it says what it is. */
function Logo({ logo }: { readonly logo: ShownLogo | undefined }) {
  if (logo === undefined) return null
  const scale = Math.min(LOGO.height / logo.height, LOGO.width / logo.width)
  const [width, height] = [logo.width, logo.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  )
  return <img class="logo" src={logoAddress(logo)} alt="" width={width} height={height} />
}

function Support({ visit, text }: { readonly visit: Visit; readonly text: string | undefined }) {
  const support = text === undefined ? undefined : readSupport(text)
  if (support === undefined) return null
  return (
    <p class="note support">
      {PAY_WORDS[visit.lang].support} <a href={support.address}>{text}</a>
    </p>
  )
}
