import { LIFETIMES } from '../../../domain/timing.ts'
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { Caller } from '../../../usecases/accounts/merchant-directory.ts'
import { waitForPhone } from '../../../usecases/sandbox/phone.ts'
import { isOwnOrigin, secondsIn } from '../../request.ts'
import { privateJson, privatePage, seeOther } from '../../response.ts'
import { flashIn, forgetFlash, keepFlash, sessionIn } from '../cookies.ts'
import type { ForVisitor, SandboxParts } from '../route-parts.ts'
import type { Flash } from '../view.ts'
import { doAct, providersOf } from './actions.ts'
import { numberIn, phonePath } from './address.ts'
import { phoneView } from './gather.ts'
import { renderPhonePage } from './page.tsx'

export function phoneRoutes(parts: SandboxParts, forVisitor: ForVisitor): PageRoute[] {
  return [
    { path: '/sandbox', render: forVisitor((caller, request) => show(parts, caller, request)) },
    {
      path: '/sandbox/acts',
      method: 'POST',
      render: forVisitor((caller, request) => act(parts, caller, request)),
    },
    { path: '/sandbox/live/:number', render: (request) => live(parts, request) },
  ]
}

async function show(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const number = numberIn(request.query.phone)
  const isKnown = number !== undefined && providersOf(parts.ctx, number).length > 0
  const flash = flashIn(request)
  const view = await phoneView(parts, caller, request, isKnown ? number : undefined, flash)
  const more = flash === undefined ? {} : forgetFlash(parts.publicUrl())
  return privatePage(renderPhonePage(view), 200, more)
}

async function act(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const { form } = request
  const number = numberIn(form.get('number')) ?? numberIn(request.query.phone)
  const back = (flash: Flash, to = number): Page =>
    seeOther(phonePath(request, to), keepFlash(parts.publicUrl(), flash))
  if (!isOwnOrigin(parts.publicUrl(), request)) return back({ key: 'FOREIGN', values: {} })
  if (form.get('do') === 'device') {
    const holder = { merchantId: caller.merchant.id, tokenId: caller.tokenId }
    const link = parts.sandboxSessions.invite(holder, LIFETIMES.deviceLinkMs)
    return back({ key: 'DEVICE', values: { link } })
  }
  const done = await doAct(parts.ctx, caller, form, number ?? '')
  return back(done.flash, numberIn(done.number) ?? numberIn(request.query.phone))
}

/** Answers as soon as the phone looks different from what the visitor sees. */
async function live(parts: SandboxParts, request: PageRequest): Promise<Page> {
  const caller = await parts.sandboxSessions.visitorOf(sessionIn(request))
  if (caller === undefined) return privateJson({}, 401)
  const number = numberIn(request.params.number)
  if (number === undefined) return privateJson({}, 404)
  const { v } = request.query
  const since = typeof v === 'string' ? v : undefined
  const ms = secondsIn(request) * 1000
  const { version } = await waitForPhone(parts.ctx, caller.merchant, number, since, ms)
  return privateJson({ version })
}
