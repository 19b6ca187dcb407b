import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import { setPasswordByLink, userOfPasswordLink } from '../../../usecases/people/manage-users.ts'
import { siteOf } from '../../../usecases/people/passkeys.ts'
import { closeSession, personOf } from '../../../usecases/people/sessions.ts'
import {
  giveCode,
  halfSignedIn,
  type SignInResult,
  signIn,
  signInByLink,
  signInByPasskey,
} from '../../../usecases/people/sign-in.ts'
import { isOwnOrigin } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { deviceIn, endSession, keepSession, keepTrust, sessionIn, trustIn } from '../cookies.ts'
import type { DashboardParts } from '../visit.ts'
import { codeAddress, codePage, sendCode, takeAgain } from './code-routes.ts'
import { companyRoutes } from './company-routes.ts'
import { forgottenRoutes } from './forgotten-routes.ts'
import { NOTICES, renderLinkGone, renderPassword } from './page.tsx'
import { entered, langOf, originOf, safeNext, signInPage, unlessBusy } from './request.ts'

export function signInRoutes(parts: DashboardParts): PageRoute[] {
  const routes: PageRoute[] = [
    { path: '/sign-in', render: (request) => showSignIn(parts, request) },
    { path: '/sign-in', method: 'POST', render: (request) => takeForm(parts, request) },
    { path: '/sign-in/again', method: 'POST', render: (request) => takeAgain(parts, request) },
    { path: '/sign-in/passkey', method: 'POST', render: (request) => takePasskey(parts, request) },
    ...forgottenRoutes(parts),
    ...companyRoutes(parts),
    { path: '/sign-in/:code', render: (request) => enter(parts, request) },
    { path: '/sign-out', method: 'POST', render: (request) => signOut(parts, request) },
    { path: '/set-password/:code', render: (request) => showPassword(parts, request) },
    {
      path: '/set-password/:code',
      method: 'POST',
      render: (request) => takePassword(parts, request),
    },
  ]
  return routes.map(unlessBusy(parts))
}

async function showSignIn(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const { ctx } = parts
  const lang = langOf(parts, request)
  const next = safeNext(request.query.next)
  const secret = sessionIn(parts.publicUrl(), request)
  const person = await personOf(ctx, secret, originOf(parts, request))
  if (person !== undefined) return seeOther(next)
  const { notice } = request.query
  if ((await halfSignedIn(ctx, secret)) !== undefined) {
    return codePage(parts, request, { next, wasSentAgain: notice === 'codeSent' })
  }
  return signInPage(parts, { lang, next, notice: NOTICES.find((one) => one === notice) })
}

async function takeForm(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const { ctx } = parts
  const { form } = request
  const publicUrl = parts.publicUrl()
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/sign-in')
  const next = safeNext(form.get('next'))
  const code = form.get('code')
  const origin = originOf(parts, request)
  if (code !== null) {
    const secret = sessionIn(publicUrl, request)
    const result = await giveCode(ctx, secret, {
      proof: code,
      origin,
      site: siteOf(publicUrl),
      isTrusted: form.get('trust') === 'on',
    })
    return afterCode(parts, request, next, result)
  }
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  const device = deviceIn(publicUrl, request)
  const trust = trustIn(publicUrl, request)
  const result = await signIn(ctx, { email, password, origin, device, trust })
  return afterPassword(parts, request, { next, email }, result)
}

async function takePasskey(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/sign-in')
  const next = safeNext(request.form.get('next'))
  const answer = request.form.get('passkey') ?? ''
  const origin = originOf(parts, request)
  const result = await signInByPasskey(parts.ctx, answer, origin, siteOf(publicUrl))
  return afterPassword(parts, request, { next }, result)
}

async function afterPassword(
  parts: DashboardParts,
  request: PageRequest,
  kept: { readonly next: string; readonly email?: string },
  result: SignInResult,
): Promise<Page> {
  const view = { ...kept, lang: langOf(parts, request) }
  if (result.status === 'WRONG') return signInPage(parts, { ...view, problem: 'wrong' }, 401)
  if (result.status === 'WAIT') {
    return signInPage(parts, { ...view, waitSeconds: result.seconds }, 429)
  }
  if (result.mailed !== undefined) sendCode(parts, request, result.mailed)
  return entered(parts, result, result.status === 'IN' ? kept.next : codeAddress(kept.next))
}

async function afterCode(
  parts: DashboardParts,
  request: PageRequest,
  next: string,
  result: SignInResult,
): Promise<Page> {
  if (result.status === 'WRONG') return codePage(parts, request, { next, isWrong: true }, 401)
  if (result.status === 'WAIT') {
    return codePage(parts, request, { next, waitSeconds: result.seconds }, 429)
  }
  const { trust } = result
  if (trust === undefined) return entered(parts, result, next)
  return entered(parts, result, next, keepTrust(parts.publicUrl(), trust))
}

/** The link in the banner: it works once, for the first visitor. */
async function enter(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const view = { lang: langOf(parts, request), next: '/dashboard' }
  // Programs that preview links ask like this, and would leave none for the person.
  if (request.method === 'HEAD') return signInPage(parts, view)
  const code = request.params.code ?? ''
  const session = await signInByLink(parts.ctx, code, originOf(parts, request))
  if (session === undefined) return signInPage(parts, { ...view, problem: 'linkUsed' }, 410)
  return seeOther('/dashboard', keepSession(parts.publicUrl(), session))
}

async function signOut(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/dashboard')
  await closeSession(parts.ctx, sessionIn(publicUrl, request), originOf(parts, request))
  return seeOther('/sign-in?notice=signedOut', endSession(publicUrl))
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
  const result = await setPasswordByLink(parts.ctx, code, password, parts.addressOf(request))
  if (result.status === 'REFUSED') return again(result.fault)
  if (result.status === 'LINK_GONE') return privatePage(renderLinkGone(lang), 410)
  return seeOther('/sign-in?notice=saved')
}
