/** What the pages share: skip link, header with the language switch, code blocks. */
import type { ComponentChild, ComponentChildren } from 'preact'
import { Languages } from './languages.tsx'
import { CATALOGUES, type Lang } from './words.ts'

/** Which page this is; empty for none of them. */
export type FramePath =
  | ''
  | '/'
  | '/docs'
  | '/sandbox'
  | '/sandbox/shop'
  | '/sandbox/numbers'
  | '/sandbox/mail'

type FrameProps = {
  readonly lang: Lang
  /** Absent on pages for customers, who do not need the other pages. */
  readonly path?: FramePath
  /** Further pages that are near to this one. */
  readonly more?: readonly { readonly path: FramePath; readonly text: string }[]
  /** For pages that are in one language only. */
  readonly isOneLanguage?: boolean
  /** Where the page is opened in another language; its own address unless said. */
  readonly reopenedAt?: string | undefined
  /** What the address says beside the language. */
  readonly kept?: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

/** Children bring their own `<main id="content">`. */
export function Frame({
  lang,
  path,
  more = [],
  kept = {},
  reopenedAt = '',
  isOneLanguage = false,
  children,
}: FrameProps) {
  const words = CATALOGUES[lang]
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        <div class="top-inner">
          {path === undefined ? null : (
            <SiteLinks lang={isOneLanguage ? undefined : lang} now={path} more={more} />
          )}
          {isOneLanguage ? null : <Languages lang={lang} at={reopenedAt} kept={kept} />}
        </div>
      </header>
      {children}
      <p class="quiet" role="status" id="announcement" />
    </>
  )
}

type SiteLinksProps = {
  /** Undefined where no language was chosen: the browser says which one the next page is in. */
  readonly lang: Lang | undefined
  readonly now: string
  readonly more: readonly { readonly path: FramePath; readonly text: string }[]
}

function SiteLinks({ lang, now, more }: SiteLinksProps) {
  const words = CATALOGUES[lang ?? 'en']
  return (
    <>
      <a class="mark" href={pageLink('/', lang)}>
        <Mark />
        Malipo
      </a>
      <nav class="top-links" aria-label={words.siteLinks}>
        <PageLink path="/" now={now} lang={lang} text={words.homeLink} />
        <a href="/docs" hreflang="en" aria-current={now === '/docs' ? 'true' : undefined}>
          {words.docsLink}
        </a>
        {more.map(({ path, text }) => (
          <PageLink key={path} path={path} now={now} lang={lang} text={text} />
        ))}
      </nav>
    </>
  )
}

/** Links between pages carry the language, so that a choice made once is kept without a cookie. */
export function pageLink(path: string, lang: Lang | undefined): string {
  return lang === undefined ? path : `${path}?lang=${lang}`
}

type PageLinkProps = {
  readonly path: string
  readonly now: string
  readonly lang: Lang | undefined
  readonly text: string
}

function PageLink({ path, now, lang, text }: PageLinkProps) {
  return (
    <a href={pageLink(path, lang)} aria-current={path === now ? 'page' : undefined}>
      {text}
    </a>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
      <rect width="16" height="16" rx="4" class="mark-ground" />
      <path d="M4 11.5v-7l4 4 4-4v7" class="mark-line" />
    </svg>
  )
}

type CodeBlockProps = {
  readonly lang: Lang
  readonly title: ComponentChild
  /** Names the block where its visible title alone would not tell it from others. */
  readonly label: string
  readonly code: string
}

export function CodeBlock({ lang, title, label, code }: CodeBlockProps) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        <CopyButton lang={lang} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would claim to be a form */}
      <pre tabIndex={0} role="group" aria-label={label} dir="ltr" translate={false}>
        <code>{withKeysMarked(code)}</code>
      </pre>
    </figure>
  )
}

/** Shown by the script only: without it there is nothing a button could do. */
export function CopyButton({ lang, label }: { readonly lang: Lang; readonly label: string }) {
  const words = CATALOGUES[lang]
  return (
    <button
      type="button"
      class="copy"
      hidden
      data-done={words.copied}
      data-failed={words.copyFailed}
      aria-label={words.copy + words.colon + label}
    >
      {words.copy}
    </button>
  )
}

const JSON_KEY = /("(?:[^"\\]|\\.)*"(?=:))/

function withKeysMarked(code: string): ComponentChild[] {
  return code
    .split(JSON_KEY)
    .map((part, index) => (index % 2 === 1 ? <span class="key">{part}</span> : part))
}
