/** The demo shop: it asks for a payment as any merchant's program does, and reads the status after. */
import { randomUUID } from 'node:crypto'
import { permits } from '../../../domain/accounts/token.ts'
import { PAGES } from '../../../domain/client-timing.ts'
import { type Checkout, type CheckoutState, isPayable } from '../../../domain/hosted/checkout.ts'
import { parsePaymentId } from '../../../domain/ids.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { Story } from '../../../domain/sandbox/stories.ts'
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { Caller } from '../../../usecases/accounts/merchant-directory.ts'
import { createPageSession } from '../../../usecases/hosted/create-page-session.ts'
import { findCheckout } from '../../../usecases/hosted/find-checkout.ts'
import { initiateCheckout } from '../../../usecases/hosted/initiate-checkout.ts'
import { findPayment } from '../../../usecases/payments/find-payment.ts'
import type { SandboxContext } from '../../../usecases/sandbox/context.ts'
import { presetOf } from '../../../usecases/sandbox/phone-presets.ts'
import { money } from '../../money.ts'
import { isOwnOrigin, languageOf } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import type { Lang } from '../../words.ts'
import { keepOrder, orderIn } from '../cookies.ts'
import type { ForVisitor, SandboxParts } from '../route-parts.ts'
import { FIRST_NUMBER } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'
import {
  type Answering,
  type OrderOutcome,
  type OrderStanding,
  PRODUCT,
  renderOrder,
  renderShop,
  type ShopState,
} from './page.tsx'

export function shopRoutes(parts: SandboxParts, forVisitor: ForVisitor): PageRoute[] {
  const path = '/sandbox/shop'
  return [
    {
      path,
      render: forVisitor(
        async (caller, request) =>
          privatePage(renderShop(languageOf(request), await shopState(parts, caller, request))),
        path,
      ),
    },
    { path, method: 'POST', render: forVisitor((caller, request) => sell(parts, caller, request)) },
    {
      path: `${path}/back`,
      render: forVisitor((caller, request) => welcome(parts, caller, request)),
    },
  ]
}

async function sell(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const lang = languageOf(request)
  const words = SANDBOX_WORDS[lang]
  const state = await shopState(parts, caller, request)
  const problem = (text: string, status: number): Page =>
    privatePage(renderShop(lang, state, text), status)
  if (!isOwnOrigin(parts.publicUrl(), request)) return problem(words.flash_FOREIGN, 403)
  const isCheckout = request.form.get('by') === 'checkout'
  if (!permits(caller.scopes, isCheckout ? 'checkouts' : 'payment-page', 'write')) {
    return problem(words.shopNoRight, 403)
  }
  const id = randomUUID()
  const base = `${placeOf(parts.publicUrl(), request)}/sandbox/shop/back?lang=${lang}`
  const started = isCheckout
    ? await startCheckout(parts.ctx, caller, id, `${base}&checkoutId=${id}`, lang)
    : await startPage(parts.ctx, caller, id, base, lang)
  if ('problem' in started) return problem(started.problem, 200)
  return seeOther(pathOf(started.url), isCheckout ? keepOrder(parts.publicUrl(), id) : {})
}

async function shopState(
  { ctx }: SandboxParts,
  caller: Caller,
  request: PageRequest,
): Promise<ShopState> {
  const id = parsePaymentId(orderIn(request) ?? '')
  const checkout = id && (await findCheckout(ctx, caller.merchant, id))
  const order = checkout && standingOf(ctx, checkout)
  const isOver = order?.wayBack === undefined
  return { answering: answeringOf(caller), order: isOver ? undefined : order }
}

function answeringOf({ merchant }: Caller): Answering {
  const { mode, story } = merchant.phoneStories.get(FIRST_NUMBER) ?? {}
  if (mode === 'interactive') return 'taken'
  const preset = presetOf(story as Story | undefined)
  return preset === 'tables' || preset === 'completes' ? 'completes' : 'scripted'
}

type Started = { readonly url: string } | { readonly problem: string }

async function startPage(
  ctx: SandboxContext,
  { merchant }: Caller,
  idAsSent: string,
  returnUrl: string,
  lang: 'en' | 'fr',
): Promise<Started> {
  const { country, amount, currency } = PRODUCT
  const terms = {
    returnUrl,
    country,
    amountDetails: { amount, currency },
    reason: SANDBOX_WORDS[lang].product,
    language: lang === 'en' ? 'EN' : 'FR',
  } as const
  const made = await createPageSession(ctx, merchant, { generation: 'v2', idAsSent, terms })
  if (made.status === 'CREATED') return { url: made.redirectUrl }
  return { problem: made.status === 'REJECTED' ? made.failure.message : made.status }
}

async function startCheckout(
  ctx: SandboxContext,
  { merchant }: Caller,
  idAsSent: string,
  returnUrl: string,
  lang: 'en' | 'fr',
): Promise<Started> {
  const terms = {
    returnUrl,
    countries: [PRODUCT.country],
    amounts: [PRODUCT],
    defaultLanguage: lang,
    reason: { en: SANDBOX_WORDS.en.product, fr: SANDBOX_WORDS.fr.product },
  }
  const made = await initiateCheckout(ctx, merchant, { idAsSent, terms })
  return made.status === 'REJECTED'
    ? { problem: made.failure.message }
    : { url: made.link.redirectUrl }
}

/** The visitor stays on the host of the session, whatever name of it the links carry. */
function placeOf(publicUrl: string, { headers }: PageRequest): string {
  const { origin, host } = headers
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host
    ? origin
    : publicUrl
}

const pathOf = (url: string): string => new URL(url).pathname

async function welcome(parts: SandboxParts, caller: Caller, request: PageRequest): Promise<Page> {
  const lang = languageOf(request)
  const { outcome, phone } = await outcomeOf(parts.ctx, caller, request)
  const isWaiting = outcome.verdict === 'waiting'
  const page = privatePage(renderOrder(lang, outcome, phone))
  return isWaiting
    ? { ...page, headers: { ...page.headers, refresh: `${PAGES.shopAgainSeconds}` } }
    : page
}

const VERDICTS = {
  COMPLETED: 'paid',
  PROCESSING: 'waiting',
  WAITING_PAYMENT: 'notPaid',
  FAILED: 'notPaid',
  EXPIRED: 'notPaid',
  CANCELLED: 'notPaid',
} as const satisfies Readonly<Record<CheckoutState, OrderStanding['verdict']>>

function standingOf(ctx: SandboxContext, checkout: Checkout): OrderStanding {
  const verdict = isPayable(checkout, ctx.clock.now()) ? 'stillOpen' : VERDICTS[checkout.state]
  const isOver = verdict === 'paid' || verdict === 'notPaid'
  return isOver
    ? { verdict }
    : { verdict, wayBack: pathOf(ctx.hostedLinks.ofCheckout(checkout).redirectUrl) }
}

async function outcomeOf(
  ctx: SandboxContext,
  { merchant }: Caller,
  request: PageRequest,
): Promise<{ readonly outcome: OrderOutcome; readonly phone?: string | undefined }> {
  const { query } = request
  const lang = languageOf(request)
  const came = Object.entries(query).flatMap(([name, value]) =>
    name === 'lang' || typeof value !== 'string' ? [] : [[name, value.slice(0, 200)] as const],
  )
  const idIn = (name: string) => parsePaymentId(String(query[name] ?? ''))
  const [checkoutId, depositId] = [idIn('checkoutId'), idIn('depositId')]
  const checkout = checkoutId && (await findCheckout(ctx, merchant, checkoutId))
  if (checkout !== undefined) {
    const { state } = checkout
    const last = checkout.attempts.at(-1)
    const facts = [
      ['status', state] as const,
      ...(last === undefined ? [] : factsOf(last, 'depositStatus', lang)),
    ]
    return { outcome: { came, facts, ...standingOf(ctx, checkout) }, phone: last?.phoneNumber }
  }
  if (depositId === undefined) {
    return { outcome: { came, facts: undefined, verdict: 'unknownOrder' } }
  }
  const deposit = await findPayment(ctx, merchant, 'deposit', depositId)
  if (deposit === undefined) {
    return { outcome: { came, facts: [['status', 'NOT_FOUND']], verdict: 'notStarted' } }
  }
  const verdict =
    deposit.state === 'COMPLETED' ? 'paid' : deposit.state === 'FAILED' ? 'notPaid' : 'waiting'
  const facts = factsOf(deposit, 'status', lang)
  return { outcome: { came, facts, verdict }, phone: deposit.phoneNumber }
}

function factsOf(payment: Payment, statusName: string, lang: Lang): (readonly [string, string])[] {
  const { state, amount, currency, provider, phoneNumber, providerTransactionId, failure } = payment
  return [
    [statusName, state],
    ['amount', money(amount, currency, lang)],
    ['provider', provider],
    ['phoneNumber', phoneNumber],
    ...(providerTransactionId === undefined
      ? []
      : [['providerTransactionId', providerTransactionId] as const]),
    ...(failure === undefined ? [] : [['failureCode', failure.code] as const]),
  ]
}
