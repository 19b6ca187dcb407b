/** The sandbox in a browser. In production none of these paths exists. */

import type { Page, PageRequest, PageRoute } from '../../http/app.ts'
import type { Caller } from '../../usecases/accounts/merchant-directory.ts'
import { waitForPhone } from '../../usecases/sandbox/phone.ts'
import { languageOf } from '../language.ts'
import { isFromHere, secondsIn } from '../pay/request.ts'
import {
  asJson,
  asPage,
  endSession,
  flashIn,
  forgetFlash,
  goTo,
  keepFlash,
  keepSession,
  keepTourSeen,
  phonePath,
  sessionIn,
} from './cookies.ts'
import { numbersPage } from './numbers/routes.ts'
import { renderTrouble } from './parts.tsx'
import { doAct, providersOf } from './phone/actions.ts'
import { phoneView, type SandboxParts } from './phone/gather.ts'
import { renderPhonePage } from './phone/page.tsx'
import { shopRoutes } from './shop/routes.ts'
import { renderSignIn, type SignInProblem } from './sign-in/page.tsx'
import type { Flash } from './view.ts'
import { walletRoutes } from './wallet/routes.ts'

const DEVICE_LINK_MS = 15 * 60_000
const SIGN_IN_PROBLEMS = { UNKNOWN_TOKEN: 'tokenWrong', NO_RIGHT: 'tokenNoRight' } as const

export function sandboxPageRoutes(parts: SandboxParts): PageRoute[] {
  const { publicUrl } = parts
  const known =
    (
      answer: (caller: Caller, request: PageRequest) => Promise<Page>,
      to = '/sandbox',
    ): PageRoute['render'] =>
    async (request) => {
      const caller = await parts.sandboxSessions.visitorOf(sessionIn(request))
      return caller === undefined ? askIn(request, undefined, to) : answer(caller, request)
    }
  const routes: PageRoute[] = [
    { path: '/sandbox', render: known((caller, request) => show(parts, caller, request)) },
    { path: '/sandbox/sign-in', render: (request) => goTo(phonePath(request, undefined)) },
    { path: '/sandbox/sign-in', method: 'POST', render: (request) => signIn(parts, request) },
    {
      path: '/sandbox/sign-out',
      method: 'POST',
      render: (request) => goTo(phonePath(request, undefined), endSession(publicUrl())),
    },
    { path: '/sandbox/enter/:code', render: (request) => enter(parts, request) },
    {
      path: '/sandbox/acts',
      method: 'POST',
      render: known((caller, request) => act(parts, caller, request)),
    },
    { path: '/sandbox/live/:number', render: (request) => live(parts, request) },
    {
      path: '/sandbox/numbers',
      render: known(
        async (_caller, request) => numbersPage(parts.ctx, request),
        '/sandbox/numbers',
      ),
    },
    ...shopRoutes(parts, known),
  ]
  return [
    ...routes.map((route) => ({ ...route, render: safely(parts, route.render) })),
    ...walletRoutes(parts.ctx),
  ]
}

/** People get a page also when something is broken. */
function safely({ log }: SandboxParts, render: PageRoute['render']): PageRoute['render'] {
  return async (request) => {
    try {
      return await render(request)
    } catch (err) {
      log.error({ err }, 'a page of the sandbox failed')
      return asPage(renderTrouble(languageOf(request)), 500)
    }
  }
}

/** The door in front of a page; afterwards the visitor is led where the way was to. */
function askIn(request: PageRequest, problem: SignInProblem | undefined, to = ''): Page {
  const lang = languageOf(request)
  return asPage(renderSignIn(lang, safeTarget(to), problem), problem === undefined ? 200 : 401)
}

/** Nowhere else than into the sandbox. */
const safeTarget = (to: string): string =>
  to === '/sandbox/shop' || to === '/sandbox/numbers' ? to : '/sandbox'

async function signIn(
  { sandboxSessions, publicUrl }: SandboxParts,
  request: PageRequest,
): Promise<Page> {
  const to = request.form.get('to') ?? ''
  const token = request.form.get('token')?.trim() ?? ''
  if (!isFromHere(publicUrl(), request)) return askIn(request, undefined, to)
  if (token === '') return askIn(request, 'tokenMissing', to)
  const result = await sandboxSessions.signIn(token)
  if (result.status !== 'IN') return askIn(request, SIGN_IN_PROBLEMS[result.status], to)
  const location = `${safeTarget(to)}?lang=${languageOf(request)}`
  return goTo(location, keepSession(publicUrl(), result.session))
}

/** The link of the start, or one for another device: whoever is first comes in. */
async function enter(
  { sandboxSessions, publicUrl }: SandboxParts,
  request: PageRequest,
): Promise<Page> {
  const session = await sandboxSessions.enter(request.params.code ?? '')
  if (session === undefined) return askIn(request, 'linkUsed')
  return goTo(phonePath(request, numberIn(request.query.phone)), keepSession(publicUrl(), session))
}

const numberIn = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\d{1,32}$/.test(text) ? text : undefined

async function show(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const number = numberIn(request.query.phone)
  const isKnown = number !== undefined && providersOf(parts.ctx, number).length > 0
  const flash = flashIn(request)
  const view = await phoneView(parts, caller, request, isKnown ? number : undefined, flash)
  return asPage(
    renderPhonePage(view),
    200,
    flash === undefined ? {} : forgetFlash(parts.publicUrl()),
  )
}

async function act(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const { form } = request
  const number = numberIn(form.get('number')) ?? numberIn(request.query.phone)
  const back = (flash: Flash, to = number): Page =>
    goTo(phonePath(request, to), keepFlash(parts.publicUrl(), flash))
  if (!isFromHere(parts.publicUrl(), request)) return back({ key: 'FOREIGN', values: {} })
  if (form.get('do') === 'tour') {
    return goTo(phonePath(request, number), keepTourSeen(parts.publicUrl()))
  }
  if (form.get('do') === 'device') {
    const holder = { merchantId: caller.merchant.id, tokenId: caller.tokenId }
    const link = parts.sandboxSessions.invite(holder, DEVICE_LINK_MS)
    return back({ key: 'DEVICE', values: { link } })
  }
  const done = await doAct(parts.ctx, caller, form, number ?? '')
  return back(done.flash, numberIn(done.number) ?? numberIn(request.query.phone))
}

/** Answers as soon as the phone looks different from what the visitor sees. */
async function live(parts: SandboxParts, request: PageRequest): Promise<Page> {
  const caller = await parts.sandboxSessions.visitorOf(sessionIn(request))
  if (caller === undefined) return asJson({}, 401)
  const number = numberIn(request.params.number)
  if (number === undefined) return asJson({}, 404)
  const { v } = request.query
  const since = typeof v === 'string' ? v : undefined
  const ms = secondsIn(request) * 1000
  const { version } = await waitForPhone(parts.ctx, caller.merchant, number, since, ms)
  return asJson({ version })
}
