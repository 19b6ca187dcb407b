/**
 * The only way to make a page. Markup comes from components and is escaped by the renderer; the
 * one style block and the one script block are constants of this layer, allowed by their hashes,
 * so that nothing injected into a page could ever run.
 */
import { createHash } from 'node:crypto'
import type { ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Lang } from './words.ts'

export type Page = {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

type PageContent = {
  readonly lang: Lang
  readonly title: string
  readonly body: ComponentChild
  readonly style: string
  readonly script?: string | undefined
  /** Where an answer to a form may lead beside this service. */
  readonly leadsTo?: readonly string[]
  /** Shows pages of this service inside of it. */
  readonly framesOwn?: boolean | undefined
  /** May be shown inside of a page of this service; its forms lead nowhere. */
  readonly isPreview?: boolean | undefined
}

export function renderPage(content: PageContent): Page {
  return {
    html: `<!doctype html>${renderToString(<Document {...content} />)}`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(content),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  }
}

function Document({ lang, title, body, style, script }: PageContent) {
  return (
    <html lang={lang} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={ICON} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        {body}
        {script === undefined ? null : <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  )
}

// Without it every visit would ask the API for /favicon.ico.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
    '<rect width="16" height="16" rx="4" fill="#0b6b4e"/>' +
    '<path d="M4 11.5v-7l4 4 4-4v7" fill="none" stroke="#fff" stroke-width="1.8"/></svg>',
)}`

function policyOf({ style, script, leadsTo = [], framesOwn, isPreview }: PageContent): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    "img-src 'self' data:",
    "connect-src 'self'",
    ...(framesOwn ? ["frame-src 'self'"] : []),
    // Browsers look at where the answer redirects as well.
    [`form-action ${isPreview ? "'none'" : "'self'"}`, ...new Set(leadsTo.map(sourceOf))].join(' '),
    `frame-ancestors ${isPreview ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

/** An app has no origin; its scheme stands for it. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}

function hashOf(block: string): string {
  return `sha256-${createHash('sha256').update(block).digest('base64')}`
}
