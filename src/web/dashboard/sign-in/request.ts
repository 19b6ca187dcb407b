/** What the pages of signing in read from a request. */
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { Origin } from '../../../usecases/people/context.ts'
import { passkeyRequest, SIGN_IN_PURPOSE, siteOf } from '../../../usecases/people/passkeys.ts'
import { TooManyPasswords } from '../../../usecases/people/sign-in.ts'
import { setCookies } from '../../cookies.ts'
import { type Headers, privatePage, seeOther } from '../../response.ts'
import type { Lang } from '../../words.ts'
import { keepDevice, keepSession, languageFor } from '../cookies.ts'
import type { DashboardParts } from '../visit.ts'
import { renderBusy } from './more-pages.tsx'
import { renderSignIn, type SignInView } from './page.tsx'

/** Own paths only, so that the link leads nowhere else. */
export const safeNext = (text: unknown): string =>
  typeof text === 'string' && /^\/dashboard(?:[/?][\x21-\x7e]*)?$/.test(text) ? text : '/dashboard'

export const langOf = (parts: DashboardParts, request: PageRequest): Lang =>
  languageFor(parts.publicUrl(), request, undefined)

export const originOf = (parts: DashboardParts, request: PageRequest): Origin => ({
  address: parts.addressOf(request),
  agent: String(request.headers['user-agent'] ?? ''),
})

/** The first page, with what there is to say. */
export async function signInPage(
  parts: DashboardParts,
  view: Omit<SignInView, 'passkey'>,
  status = 200,
): Promise<Page> {
  const site = siteOf(parts.publicUrl())
  const passkey = site && (await passkeyRequest(parts.ctx, site, SIGN_IN_PURPOSE))
  return privatePage(renderSignIn({ ...view, passkey }), status)
}

/** The browser keeps the session, and that the person signed in here. */
export function entered(
  parts: DashboardParts,
  { session, device }: { readonly session: string; readonly device: string },
  location: string,
  more?: Headers,
): Page {
  const publicUrl = parts.publicUrl()
  const cookies = [keepSession(publicUrl, session), keepDevice(publicUrl, device), more]
  return seeOther(location, setCookies(...cookies))
}

export const BUSY = { status: 503, headers: { 'retry-after': '5' } } as const

/** Where too many passwords wait to be checked, the next person sees so at once. */
export const unlessBusy =
  (parts: DashboardParts) =>
  (route: PageRoute): PageRoute => ({
    ...route,
    render: async (request) => {
      try {
        return await route.render(request)
      } catch (error) {
        if (!(error instanceof TooManyPasswords)) throw error
        return privatePage(renderBusy(langOf(parts, request)), BUSY.status, BUSY.headers)
      }
    },
  })
