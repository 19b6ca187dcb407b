import type { Readable } from 'node:stream'
import type { Page } from '../http/pages.ts'
import type { Page as Rendered } from './page.tsx'

export type Headers = Readonly<Record<string, string | string[]>>

/** For what belongs to one visitor: kept by no cache, found by no search engine. */
const PRIVATE: Headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

export const privatePage = (
  { html, headers }: Rendered,
  status = 200,
  more: Headers = {},
): Page => ({ status, headers: { ...headers, ...PRIVATE, ...more }, body: html })

/** After a form: a reload of the page that follows sends nothing again. */
export const seeOther = (location: string, more: Headers = {}): Page => ({
  status: 303,
  headers: { ...PRIVATE, ...more, location },
  body: '',
})

export const privateJson = (body: object, status = 200): Page => ({
  status,
  headers: { ...PRIVATE, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Server-sent events, passed on at once by proxies; nothing: the browser does not ask again. */
export const privateEvents = (body: Readable | undefined): Page =>
  body === undefined
    ? { status: 204, headers: PRIVATE, body: '' }
    : {
        headers: { ...PRIVATE, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
        body,
      }

/** The same for every visitor. */
export const publicPage = ({ html, headers }: Rendered): Page => ({ headers, body: html })
