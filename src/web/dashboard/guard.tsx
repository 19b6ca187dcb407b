/** Who may see a page or send a form; everything of the dashboard passes here. */

import { timingSafeEqual } from 'node:crypto'
import { may } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import type { Page, PageRequest, PageRoute } from '../../http/pages.ts'
import { personOf } from '../../usecases/people/sessions.ts'
import { TooManyPasswords } from '../../usecases/people/sign-in.ts'
import { isOwnOrigin } from '../request.ts'
import { seeOther } from '../response.ts'
import { askWho, CONFIRM_PATH } from './confirm.tsx'
import { flashIn, formTokenFor, keepFlash, languageFor, sessionIn } from './cookies.ts'
import { countryLimitOf, countryLimitPage } from './country-limit.tsx'
import { dashboardPage, forbiddenPage, Message } from './frame.tsx'
import { BUSY, safeNext } from './sign-in/request.ts'
import { SIGN_IN_WORDS } from './sign-in/words.ts'
import type { DashboardParts, DashboardRoute, Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

export const guarded =
  (parts: DashboardParts, routes: readonly DashboardRoute[]) =>
  (route: DashboardRoute): PageRoute => {
    const { path, method, bodyLimit } = route
    const page = pageOf(route, routes)
    return {
      path,
      render: (request) => answer(parts, route, page, request),
      ...present({ method, bodyLimit }),
    }
  }

/** The nearest page above a form, which is the one on which it stands. */
function pageOf(route: DashboardRoute, routes: readonly DashboardRoute[]): DashboardRoute {
  const { path, method } = route
  if (method === undefined) return route
  const pages = routes.filter(
    (one) => one.method === undefined && (one.path === path || path.startsWith(`${one.path}/`)),
  )
  return pages.toSorted((one, other) => other.path.length - one.path.length)[0] ?? route
}

async function answer(
  parts: DashboardParts,
  route: DashboardRoute,
  page: DashboardRoute,
  request: PageRequest,
): Promise<Page> {
  // A page that looks at itself again is no sign of life of the person.
  const isWatching = route.isWatching ?? request.headers['x-watching'] !== undefined
  const known = await visitOf(parts, request, isWatching)
  if (known === undefined) return seeOther(signInAddress(request, route))
  const visit = { ...known, reopenedAt: reopenedAt(request, route, page) }
  try {
    return (await refusal(visit, route)) ?? (await route.answer(visit))
  } catch (err) {
    if (err instanceof TooManyPasswords) return busyPage(visit)
    parts.log.error({ err, path: route.path }, 'a page of the dashboard failed')
    return troublePage(visit)
  }
}

async function refusal(visit: Visit, route: DashboardRoute): Promise<Page | undefined> {
  const { permission, method } = route
  const { isSensitive = false, isForAllCountries = false, hasPersonalData = false } = route
  if (permission !== 'anyone' && !may(visit.person.role, permission)) return forbiddenPage(visit)
  const limit = isForAllCountries ? countryLimitOf(visit) : undefined
  if (limit !== undefined) return countryLimitPage(visit, limit)
  if (method === 'POST' && !isOurForm(visit)) return tooOldPage(visit)
  const showsPii = hasPersonalData && may(visit.person.role, 'pii:reveal')
  if (!isSensitive && !showsPii) return undefined
  return askWho(visit, method === 'POST' ? undefined : addressOf(visit.request, route))
}

/** From this site, and with the token of this session. */
function isOurForm({ parts, request, formToken }: Visit): boolean {
  const given = Buffer.from(request.form.get('form') ?? '')
  const expected = Buffer.from(formToken)
  const isToken = given.length === expected.length && timingSafeEqual(given, expected)
  return isToken && isOwnOrigin(parts.publicUrl(), request)
}

async function visitOf(
  parts: DashboardParts,
  request: PageRequest,
  isWatching: boolean,
): Promise<Omit<Visit, 'reopenedAt'> | undefined> {
  const publicUrl = parts.publicUrl()
  const secret = sessionIn(publicUrl, request)
  const agent = String(request.headers['user-agent'] ?? '')
  const origin = { address: parts.addressOf(request), agent }
  const person = await personOf(parts.ctx, secret, origin, isWatching)
  if (person === undefined || secret === undefined) return undefined
  return {
    parts,
    ctx: parts.ctx,
    person,
    request,
    lang: languageFor(publicUrl, request, person.user.language),
    formToken: formTokenFor(secret),
    flash: flashIn(publicUrl, request),
  }
}

/** After signing in, a page is shown; a form is not sent again. */
function signInAddress(request: PageRequest, route: DashboardRoute): string {
  if (route.method === 'POST') return '/sign-in'
  return `/sign-in?${new URLSearchParams({ next: addressOf(request, route) })}`
}

/** A link can only open a page: where a form was answered, the page of that form. */
function reopenedAt(request: PageRequest, route: DashboardRoute, page: DashboardRoute): string {
  if (route.method === undefined) return ''
  if (route.path === CONFIRM_PATH) return safeNext(request.form.get('next'))
  return pathWith(request, page)
}

const pathWith = ({ params }: PageRequest, { path }: DashboardRoute): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function addressOf(request: PageRequest, route: DashboardRoute): string {
  const { query } = request
  const filled = pathWith(request, route)
  const kept = Object.entries(query).filter(([, value]) => typeof value === 'string')
  const search = new URLSearchParams(kept as [string, string][]).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function tooOldPage(visit: Visit): Page {
  const { troubleHeading, oldForm } = DASHBOARD_WORDS[visit.lang]
  return dashboardPage(visit, {
    heading: troubleHeading,
    status: 403,
    isProblem: true,
    children: <Message visit={visit} heading={troubleHeading} text={oldForm} />,
  })
}

function busyPage(visit: Visit): Page {
  const { busyHeading: heading, busy } = SIGN_IN_WORDS[visit.lang]
  return dashboardPage(visit, {
    heading,
    ...BUSY,
    isProblem: true,
    children: <Message visit={visit} heading={heading} text={busy} />,
  })
}

function troublePage(visit: Visit): Page {
  const { troubleHeading, trouble } = DASHBOARD_WORDS[visit.lang]
  return dashboardPage(visit, {
    heading: troubleHeading,
    status: 500,
    isProblem: true,
    children: <Message visit={visit} heading={troubleHeading} text={trouble} />,
  })
}

/** After a form: to a page that says once what was done. */
export const goTo = (visit: Visit, location: string, text?: string, isProblem?: true): Page =>
  seeOther(
    location,
    text === undefined
      ? {}
      : keepFlash(visit.parts.publicUrl(), { text, ...present({ isProblem }) }),
  )
