/** The pages on which customers pay. Forms are answered with 303 to the page itself, or shown again. */

import { PAGES } from '../../domain/client-timing.ts'
import { present } from '../../domain/present.ts'
import { Overloaded, type Reading } from '../../http/admission-control.ts'
import type { Page, PageRequest, PageRoute, StrayPage } from '../../http/pages.ts'
import type { Context, Log } from '../../usecases/context.ts'
import { openLogo } from '../../usecases/hosted/logos.ts'
import type { Opened } from '../../usecases/hosted/opened.ts'
import type { HostedPages } from '../../usecases/hosted/pages.ts'
import { isOwnOrigin, secondsIn } from '../request.ts'
import { type Headers, privateJson, privatePage, seeOther } from '../response.ts'
import { type PayPage, renderNotice, renderPay, renderReceipt } from './render.tsx'
import { formOf, languageCookie, payerCookie, payerIn, visitOf } from './request.ts'
import { type HostedView, markOf, returnsAfter, type Typed, type Visit } from './visit.ts'

type CustomerPageParts = {
  readonly ctx: Context
  readonly hosted: HostedPages
  readonly log: Log
  readonly publicUrl: () => string
  /** A link is opened in turn with the other requests that read. */
  readonly reading: Reading
  /** Too busy to start new payments at this moment. */
  readonly isOverloaded: () => boolean
}

type Place = {
  readonly kind: Visit['kind']
  readonly path: string
  open(): Promise<Opened<HostedView>>
}

/** Requests held open at once on this node; beyond that, pages poll every few seconds. */
const HELD_MAX = 5000

export function customerPageRoutes(parts: CustomerPageParts): PageRoute[] {
  const { hosted, reading } = parts
  const onPage = (token: string): Place => ({
    kind: 'page',
    path: `/pay/${encodeURIComponent(token)}`,
    open: () => reading(() => hosted.openPage(token)),
  })
  const onCheckout = (code: string, payer?: string): Place => ({
    kind: 'checkout',
    path: `/checkout/${encodeURIComponent(code)}`,
    open: () => reading(() => hosted.openCheckout(code, payer)),
  })
  const hold = createHolding()
  return [
    ...routesAt('/pay/:link', onPage, parts, hold),
    ...routesAt('/checkout/:link', onCheckout, parts, hold),
    logoRoute(parts),
  ]
}

/** Opened by itself a picture is a document: it may run nothing and ask for nothing. */
const LOGO_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The logo of a merchant. Its address follows from its bytes, so it can be kept for good. */
const logoRoute = ({ ctx, reading }: CustomerPageParts): PageRoute => ({
  path: '/branding/:file',
  render: async ({ params }) => {
    const logo = await reading(() => openLogo(ctx, params.file ?? ''))
    if (logo === undefined) {
      const headers = { ...LOGO_HEADERS, 'cache-control': 'no-store', 'content-type': 'text/plain' }
      return { status: 404, headers, body: '' }
    }
    const kept = { 'cache-control': 'public, max-age=31536000, immutable' }
    return { headers: { ...LOGO_HEADERS, ...kept, 'content-type': logo.type }, body: logo.bytes }
  },
})

/** For links that were cut or damaged on their way: a customer reads this, not a program. */
export function strayCustomerPage(ctx: Context): StrayPage {
  return (path, status, request) => {
    const [, place] = /^\/+(pay|checkout)(?:\/|$)/.exec(path) ?? []
    if (place === undefined) return undefined
    const visit = visitOf(ctx, place === 'pay' ? 'page' : 'checkout', request, undefined)
    if (status === 413) return asPage(renderNotice('oversize', status, visit))
    if (status >= 500) return asPage(renderNotice('problem', status, visit))
    return asPage(renderNotice('unknown', 404, visit))
  }
}

type Hold = (opened: Opened<HostedView>, seconds: number) => Promise<void>

function createHolding(): Hold {
  let held = 0
  return async (opened, seconds) => {
    if (held >= HELD_MAX) return
    held += 1
    await opened.waitForChange(seconds * 1000).finally(() => {
      held -= 1
    })
  }
}

function routesAt(
  path: string,
  placeOf: (link: string, payer?: string) => Place,
  parts: CustomerPageParts,
  hold: Hold,
): PageRoute[] {
  type Answer = (place: Place, request: PageRequest) => Promise<Page>
  const safely =
    (answer: Answer, kind: Visit['kind']): PageRoute['render'] =>
    async (request) => {
      const place = placeOf(request.params.link ?? '', payerIn(request))
      try {
        return await answer(place, request)
      } catch (err) {
        const visit = visitOf(parts.ctx, kind, request, undefined)
        if (err instanceof Overloaded) {
          return asPage(renderNotice('problem', 503, visit), { 'retry-after': '1' })
        }
        parts.log.error({ err }, 'a page for a customer failed')
        return asPage(renderNotice('problem', 500, visit))
      }
    }
  const { kind } = placeOf('')
  return [
    { path, render: safely((place, request) => show(parts, hold, place, request), kind) },
    {
      path,
      method: 'POST',
      render: safely((place, request) => take(parts, place, request), kind),
    },
    {
      path: `${path}/status`,
      render: safely((place, request) => sendStatus(parts, hold, place, request), kind),
    },
    {
      path: `${path}/provider`,
      method: 'POST',
      render: safely((place, request) => sendProvider(place, request), kind),
    },
  ]
}

async function show(
  parts: CustomerPageParts,
  hold: Hold,
  place: Place,
  request: PageRequest,
): Promise<Page> {
  const seconds = secondsIn(request)
  const view = await openAfter(parts, hold, place, request, seconds)
  const visit = visitOf(parts.ctx, place.kind, request, view)
  // Not where a form led here: a browser lets no form lead to another site.
  if (seconds > 0 && view.screen !== 'UNKNOWN' && returnsAfter(view, visit) === 0) {
    return seeOther(view.returnAddress)
  }
  const receipt = request.query.receipt === '1' ? renderReceipt(view, visit) : undefined
  if (receipt !== undefined) return privatePage(receipt, 200, AS_FILE)
  return asPage(renderPay(view, visit), languageCookie(parts.publicUrl(), place.path, request))
}

const AS_FILE = { 'content-disposition': 'attachment; filename="receipt.html"' }

/** What to show: at once, or as soon as it differs from what the customer already sees. */
async function openAfter(
  parts: CustomerPageParts,
  hold: Hold,
  place: Place,
  request: PageRequest,
  seconds: number,
): Promise<HostedView> {
  const opened = await place.open()
  const { view } = opened
  if (seconds === 0 || view.screen !== 'RUNNING') return view
  const visit = visitOf(parts.ctx, place.kind, request, view)
  const { v: known } = request.query
  if (typeof known === 'string' && known !== '' && known !== markOf(view, visit)) return view
  await hold(opened, seconds)
  return (await place.open()).view
}

async function sendStatus(
  parts: CustomerPageParts,
  hold: Hold,
  place: Place,
  request: PageRequest,
): Promise<Page> {
  const startedAt = performance.now()
  const view = await openAfter(parts, hold, place, request, secondsIn(request))
  const visit = visitOf(parts.ctx, place.kind, request, view)
  const mark = markOf(view, visit)
  const { v: known } = request.query
  const isNew = typeof known === 'string' && known !== mark
  const wasHeld = performance.now() - startedAt > PAGES.wasHeldMs
  return privateJson({
    mark,
    isOver: view.screen !== 'RUNNING',
    pause: isNew || wasHeld ? PAGES.againSeconds : PAGES.unheldAgainSeconds,
  })
}

/** The provider of a number that is being typed; sent as a form, so that no address holds it. */
async function sendProvider(place: Place, request: PageRequest): Promise<Page> {
  const provider = (await place.open()).predict(formOf(request))
  return privateJson(present({ provider }))
}

async function take(parts: CustomerPageParts, place: Place, request: PageRequest): Promise<Page> {
  const opened = await place.open()
  const { view } = opened
  const visit = visitOf(parts.ctx, place.kind, request, view)
  if (!isOwnOrigin(parts.publicUrl(), request)) return asPage(renderNotice('foreign', 403, visit))
  const payWith = request.form.get('payWith')
  const form = { ...formOf(request), ...present({ provider: payWith }) }
  /** The provider that the customer was asked about and holds to. */
  const asked = payWith ?? request.form.get('asked') ?? undefined
  const action = request.form.get('do') ?? 'pay'
  const again = (typed: Omit<Typed, 'form'>): Page =>
    asPage(
      renderPay(view, visit, { form, ...typed }),
      languageCookie(parts.publicUrl(), place.path, request),
    )
  if (view.screen !== 'DETAILS') return backTo(place, visit)
  if (action === 'cancel') {
    await opened.cancel()
    return backTo(place, visit)
  }
  const onSameScreen: Typed['refusals'] = request.form.has('preAuthorisationCode')
    ? [{ field: 'preAuthorisationCode', rule: 'MISSING' }]
    : []
  if (action === 'language' && request.form.has('asking')) {
    return again({ refusals: [], predicted: opened.predict(form), asks: true })
  }
  if (action !== 'pay') return again({ refusals: action === 'language' ? onSameScreen : [] })
  if (parts.isOverloaded()) {
    const page = again({ refusals: onSameScreen, isBusy: true, asked })
    return { ...page, headers: { ...page.headers, 'retry-after': '1' } }
  }
  const predicted = asked === form.provider ? undefined : opened.question(form)
  if (predicted !== undefined) return again({ refusals: [], predicted, asks: true })
  const result = await opened.pay(form)
  if (result.status === 'STARTED' && result.payer !== undefined) {
    return backTo(place, visit, payerCookie(parts.publicUrl(), place.path, result.payer))
  }
  if (result.status !== 'REFUSED') return backTo(place, visit)
  return again({ ...result, asked, sentCode: request.form.has('preAuthorisationCode') })
}

/** To the page itself, which then shows the current state. Never to another site: see `show`. */
function backTo({ path }: Place, { chosenLang }: Visit, more: Headers = {}): Page {
  const query = new URLSearchParams({ wait: '0', ...present({ lang: chosenLang }) })
  return seeOther(`${path}?${query}`, more)
}

const asPage = (page: PayPage, more: Headers = {}): Page => privatePage(page, page.status, more)
