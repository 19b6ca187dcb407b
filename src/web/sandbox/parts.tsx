/** What the pages of the sandbox share. */
import type { ComponentChildren } from 'preact'
import { present } from '../../domain/present.ts'
import { assets } from '../assets.ts'
import { Frame, type FramePath } from '../frame.tsx'
import { type Page, renderPage } from '../page.tsx'
import { fill, type Lang } from '../words.ts'
import { sandboxLinks } from './links.ts'
import { type Flash, PROBLEMS, type SandboxView, sandboxPath } from './view.ts'
import { SANDBOX_WORDS } from './words.ts'

const STYLE = assets('page.css', 'sandbox.css')

type Screen = {
  readonly lang: Lang
  readonly path: FramePath
  readonly heading: string
  readonly isProblem?: boolean
  readonly kept?: Readonly<Record<string, string>>
  readonly script?: string | undefined
  readonly leadsTo?: readonly string[]
  readonly children: ComponentChildren
}

export function sandboxScreen(screen: Screen): Page {
  const { lang, path, heading, isProblem = false, kept = {}, script, leadsTo = [] } = screen
  const words = SANDBOX_WORDS[lang]
  return renderPage({
    lang,
    title: `${isProblem ? words.error : ''}${heading}`,
    style: STYLE,
    script,
    leadsTo,
    body: (
      <Frame lang={lang} path={path} kept={kept} more={sandboxLinks(lang)}>
        <main id="content" class="sandbox-page">
          {screen.children}
        </main>
      </Frame>
    ),
  })
}

/** The field that a problem is about. */
const FIELDS: Readonly<Partial<Record<Flash['key'], string>>> = {
  WRONG_PIN: 'pin',
  PIN_MISSING: 'pin',
  UNKNOWN_CODE: 'code',
  NUMBER: 'typed',
  BALANCE: 'balance',
  ADDRESS: 'callback-url',
}

export function FlashLine({
  flash,
  lang,
}: {
  readonly flash: Flash | undefined
  readonly lang: Lang
}) {
  if (flash === undefined) return null
  const text = fill(SANDBOX_WORDS[lang][`flash_${flash.key}`], flash.values)
  const field = FIELDS[flash.key]
  return PROBLEMS.has(flash.key) ? (
    <p class="notice bad" role="alert">
      <strong>{SANDBOX_WORDS[lang].error}</strong>
      {field === undefined ? text : <a href={`#${field}`}>{text}</a>}
    </p>
  ) : (
    <p class="notice" role="status">
      {text}
    </p>
  )
}

/** When nothing else can be shown. */
export function renderTrouble(lang: Lang): Page {
  const words = SANDBOX_WORDS[lang]
  return sandboxScreen({
    lang,
    path: '/sandbox',
    heading: words.troubleHeading,
    isProblem: true,
    children: (
      <>
        <h1>{words.troubleHeading}</h1>
        <p class="notice bad" role="alert">
          {words.trouble}
        </p>
        <p class="onwards">
          <a href={`/sandbox?lang=${lang}`}>{words.tryAgain}</a>
        </p>
      </>
    ),
  })
}

type ActProps = {
  readonly view: SandboxView
  readonly act: string
  readonly values?: Readonly<Record<string, string>>
  readonly id?: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form that does one thing and comes back to the page. */
export function Act({ view, act, values = {}, id, class: name, children }: ActProps) {
  const about = present({ number: view.phone?.view.msisdn })
  return (
    <form method="post" action={sandboxPath(view, '/sandbox/acts')} id={id} class={name} novalidate>
      {Object.entries({ ...about, do: act, ...values }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {children}
    </form>
  )
}

/** Names as the API has them, or words, each with its value. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <bdi dir="ltr">{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
