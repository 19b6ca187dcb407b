/** The link in a mail: it asks before it ends anything, because programs follow links too. */
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import {
  readUnsubscribeToken,
  unsubscribeByLink,
} from '../../../usecases/people/status-subscriptions.ts'
import { privatePage } from '../../response.ts'
import { fill } from '../../words.ts'
import { screen } from '../sign-in/page.tsx'
import { langOf, originOf } from '../sign-in/request.ts'
import type { DashboardParts } from '../visit.ts'
import { PROVIDER_WORDS } from './words.ts'

const PATH = '/unsubscribe/:token'

export const unsubscribeRoutes = (parts: DashboardParts): PageRoute[] => [
  { path: PATH, render: (request) => show(parts, request) },
  // Mail programs send the form by themselves, from nowhere; the secret is in the address.
  { path: PATH, method: 'POST', render: (request) => end(parts, request) },
]

async function show(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const lang = langOf(parts, request)
  const words = PROVIDER_WORDS[lang]
  const found = await readUnsubscribeToken(parts.ctx, request.params.token ?? '')
  if (found === undefined) return gone(parts, request)
  const page = screen({
    lang,
    heading: words.unsubscribeHeading,
    children: (
      <>
        <p>{fill(words.unsubscribeText, found)}</p>
        <form method="post" action={`?lang=${lang}`}>
          <button type="submit" class="main">
            {words.unsubscribe}
          </button>
        </form>
      </>
    ),
  })
  return privatePage(page)
}

async function end(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const { token = '' } = request.params
  const isDone = await unsubscribeByLink(parts.ctx, token, originOf(parts, request))
  if (!isDone) return gone(parts, request)
  const lang = langOf(parts, request)
  const words = PROVIDER_WORDS[lang]
  const page = screen({
    lang,
    heading: words.unsubscribeHeading,
    notice: words.unsubscribeDone,
    children: (
      <p>
        <a href="/dashboard/providers">{words.back}</a>
      </p>
    ),
  })
  return privatePage(page)
}

function gone(parts: DashboardParts, request: PageRequest): Page {
  const lang = langOf(parts, request)
  const words = PROVIDER_WORDS[lang]
  const page = screen({
    lang,
    heading: words.unsubscribeHeading,
    children: (
      <p class="notice bad" role="alert">
        {words.unsubscribeGone}
      </p>
    ),
  })
  return privatePage(page, 404)
}
