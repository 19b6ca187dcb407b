import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { Origin } from '../../../usecases/people/context.ts'
import { setPasswordByLink, userOfPasswordLink } from '../../../usecases/people/manage-users.ts'
import { closeSession, liveSession } from '../../../usecases/people/sessions.ts'
import {
  giveCode,
  type SignInResult,
  signIn,
  signInByLink,
} from '../../../usecases/people/sign-in.ts'
import { setCookies } from '../../cookies.ts'
import { isOwnOrigin } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import {
  deviceIn,
  endSession,
  keepDevice,
  keepSession,
  languageFor,
  sessionIn,
} from '../cookies.ts'
import type { DashboardParts } from '../visit.ts'
import { renderCode, renderLinkGone, renderPassword, renderSignIn } from './page.tsx'

export function signInRoutes(parts: DashboardParts): PageRoute[] {
  return [
    { path: '/sign-in', render: (request) => showSignIn(parts, request) },
    { path: '/sign-in', method: 'POST', render: (request) => takeForm(parts, request) },
    { path: '/sign-in/:code', render: (request) => enter(parts, request) },
    { path: '/sign-out', method: 'POST', render: (request) => signOut(parts, request) },
    { path: '/set-password/:code', render: (request) => showPassword(parts, request) },
    {
      path: '/set-password/:code',
      method: 'POST',
      render: (request) => takePassword(parts, request),
    },
  ]
}

/** Own paths only, so that the link leads nowhere else. */
const safeNext = (text: unknown): string =>
  typeof text === 'string' && /^\/dashboard(?:[/?][\x21-\x7e]*)?$/.test(text) ? text : '/dashboard'

const langOf = (parts: DashboardParts, request: PageRequest) =>
  languageFor(parts.publicUrl(), request, undefined)

const originOf = (parts: DashboardParts, request: PageRequest): Origin => ({
  address: parts.addressOf(request),
  agent: String(request.headers['user-agent'] ?? ''),
})

async function showSignIn(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const lang = langOf(parts, request)
  const next = safeNext(request.query.next)
  const session = await liveSession(parts.ctx, sessionIn(parts.publicUrl(), request))
  if (session?.isComplete === true) return seeOther(next)
  if (session !== undefined) return privatePage(renderCode({ lang, next }))
  const { said } = request.query
  const isKnown = said === 'signedOut' || said === 'saved'
  return privatePage(renderSignIn({ lang, next, said: isKnown ? said : undefined }))
}

async function takeForm(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const { ctx } = parts
  const { form } = request
  const publicUrl = parts.publicUrl()
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/sign-in')
  const next = safeNext(form.get('next'))
  const code = form.get('code')
  if (code !== null) {
    const secret = sessionIn(publicUrl, request)
    const result = await giveCode(ctx, secret, code, originOf(parts, request))
    return afterCode(parts, request, next, result)
  }
  const email = form.get('email') ?? ''
  const result = await signIn(ctx, {
    email,
    password: form.get('password') ?? '',
    origin: originOf(parts, request),
    device: deviceIn(publicUrl, request),
  })
  const lang = langOf(parts, request)
  if (result.status === 'WRONG') {
    return privatePage(renderSignIn({ lang, next, email, problem: 'wrong' }), 401)
  }
  if (result.status === 'WAIT') {
    const waitSeconds = result.seconds
    return privatePage(renderSignIn({ lang, next, email, waitSeconds }), 429)
  }
  return entered(parts, result, result.status === 'IN' ? next : signInAgain(next))
}

const signInAgain = (next: string): string => `/sign-in?${new URLSearchParams({ next })}`

function afterCode(
  parts: DashboardParts,
  request: PageRequest,
  next: string,
  result: SignInResult,
): Page {
  const lang = langOf(parts, request)
  if (result.status === 'WRONG') return privatePage(renderCode({ lang, next, isWrong: true }), 401)
  if (result.status === 'WAIT') {
    return privatePage(renderCode({ lang, next, waitSeconds: result.seconds }), 429)
  }
  return entered(parts, result, next)
}

function entered(
  parts: DashboardParts,
  { session, device }: Extract<SignInResult, { session: string }>,
  location: string,
): Page {
  const publicUrl = parts.publicUrl()
  const cookies = [keepSession(publicUrl, session), keepDevice(publicUrl, device)]
  return seeOther(location, setCookies(...cookies))
}

/** The link in the banner: it works once, for the first visitor. */
async function enter(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const lang = langOf(parts, request)
  // Programs that preview links ask like this, and would leave none for the person.
  if (request.method === 'HEAD') return privatePage(renderSignIn({ lang, next: '/dashboard' }))
  const code = request.params.code ?? ''
  const session = await signInByLink(parts.ctx, code, originOf(parts, request))
  if (session === undefined) {
    const page = renderSignIn({ lang, next: '/dashboard', problem: 'linkUsed' })
    return privatePage(page, 410)
  }
  return seeOther('/dashboard', keepSession(parts.publicUrl(), session))
}

async function signOut(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/dashboard')
  await closeSession(parts.ctx, sessionIn(publicUrl, request))
  return seeOther('/sign-in?said=signedOut', endSession(publicUrl))
}

async function showPassword(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const lang = langOf(parts, request)
  const { code = '' } = request.params
  const user = await userOfPasswordLink(parts.ctx, code)
  if (user === undefined) return privatePage(renderLinkGone(lang), 410)
  return privatePage(renderPassword({ lang, code, email: user.email }))
}

async function takePassword(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const lang = langOf(parts, request)
  const { code = '' } = request.params
  const password = request.form.get('password') ?? ''
  const user = await userOfPasswordLink(parts.ctx, code)
  if (user === undefined || !isOwnOrigin(parts.publicUrl(), request)) {
    return privatePage(renderLinkGone(lang), 410)
  }
  const again = (problem: Parameters<typeof renderPassword>[0]['problem'] & string): Page =>
    privatePage(renderPassword({ lang, code, email: user.email, problem }), 400)
  if (password !== request.form.get('again')) return again('DIFFERENT')
  const result = await setPasswordByLink(parts.ctx, code, password)
  if (result.status === 'REFUSED') return again(result.fault)
  if (result.status === 'LINK_GONE') return privatePage(renderLinkGone(lang), 410)
  return seeOther('/sign-in?said=saved')
}
