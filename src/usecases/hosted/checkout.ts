import { randomUUID } from 'node:crypto'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import { type Branding, shownName } from '../../domain/hosted/branding.ts'
import {
  type Checkout,
  type CheckoutPayer,
  type CheckoutState,
  checkoutVersion,
  DEFAULT_RETURN_METHOD,
  isPayable,
  type Language,
  type ReturnMethod,
  reasonFor,
  shownAttempt,
} from '../../domain/hosted/checkout.ts'
import type { Offer } from '../../domain/hosted/offer.ts'
import { READABLE_MS } from '../../domain/hosted/page-session.ts'
import { returnAddress } from '../../domain/hosted/return-url.ts'
import type { Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { cancelCheckout, findCheckoutByCode, startAttempt } from '../../store/hosted/checkouts.ts'
import { accepted, holderOf, orInterrupted } from '../payments/new-payment.ts'
import type { HostedContext } from './context.ts'
import { openOffers, type PayForm, predictFor, providerOf, readForm } from './form.ts'
import { fixedTerms } from './initiate-checkout.ts'
import { type Opened, type PayResult, UNKNOWN_LINK } from './opened.ts'
import { commandOf, judged } from './page.ts'
import { providerInQuestion } from './question.ts'
import {
  type CountryChoice,
  choicesOf,
  type PaymentView,
  paymentView,
  type Wallet,
} from './view.ts'

/** What a checkout looks like to its customer. */
export type CheckoutView =
  | { readonly screen: 'UNKNOWN' }
  | (CheckoutFacts & { readonly screen: 'EXPIRED' | 'CANCELLED' })
  | (CheckoutFacts & {
      readonly screen: 'DETAILS'
      readonly choices: readonly CountryChoice[]
      /** What the merchant fixed, shown as text. */
      readonly fixed: Wallet
      /**
       * What the form is prefilled with: the last attempt's wallet, its number only for the browser that
       * sent it, or the wallet that the merchant suggests.
       */
      readonly prefilled: Wallet
    })
  | (CheckoutFacts & { readonly screen: 'RUNNING' | 'ENDED'; readonly payment: PaymentView })

type CheckoutFacts = {
  readonly merchant: string
  readonly brand: Branding
  readonly state: CheckoutState
  /** By language. */
  readonly reason?: Readonly<Record<string, string>>
  /** The merchant's default; a choice of the customer wins. */
  readonly language?: Language
  readonly expiresAt: number
  readonly returnAddress: string
  readonly returnMethod: ReturnMethod
  /** The last attempt, or the one that counts; see `shownAttempt`. */
  readonly lastAttempt?: PaymentView
  /** Changes whenever there is something else to show; see `Opened`. */
  readonly version: string
}

type Found = { readonly checkout: Checkout; readonly merchant: Merchant }

/** `payer` is the proof that came with the start of an attempt, in the browser that started it. */
export async function openCheckout(
  ctx: HostedContext,
  code: string,
  payer = '',
): Promise<Opened<CheckoutView>> {
  const found = await findByCode(ctx, code)
  if (found === undefined) return UNKNOWN_LINK
  const { checkout, merchant } = found
  const { merchantId, id } = checkout
  const terms = fixedTerms(checkout.terms)
  return {
    view: viewOf(ctx, found, factsOf(ctx, found, code), payer),
    pay: (form) => pay(ctx, found, form),
    cancel: () => cancel(ctx, checkout),
    predict: (form) => predictFor(ctx, merchant, terms, form),
    question: (form) => providerInQuestion(ctx, merchant, terms, form),
    waitForChange: (ms) =>
      ctx.changes.wait({ kind: 'checkout', merchantId, id }, versionOf(checkout), ms),
  }
}

async function findByCode(ctx: HostedContext, code: string): Promise<Found | undefined> {
  const checkout = await findCheckoutByCode(ctx.db, ctx.hostedLinks.hashOf(code))
  const merchant = checkout && (await ctx.merchants.byId(checkout.merchantId))
  if (checkout === undefined || merchant === undefined) return undefined
  const { endedAt } = checkout
  if (endedAt !== undefined && ctx.clock.now() >= endedAt + READABLE_MS) return undefined
  return { checkout, merchant }
}

const versionOf = ({ state, attempts }: Checkout): string =>
  checkoutVersion(state, attempts.length, attempts.at(-1))

function viewOf(
  ctx: HostedContext,
  { checkout, merchant }: Found,
  facts: CheckoutFacts,
  payer: string,
): CheckoutView {
  const { lastAttempt: payment } = facts
  const { state } = checkout
  if (payment !== undefined) {
    // As for any payment whose outcome is in doubt: the customer must not pay again.
    if (state === 'PROCESSING' || payment.state === 'IN_RECONCILIATION')
      return { ...facts, screen: 'RUNNING', payment }
    if (state === 'COMPLETED' || state === 'FAILED' || payment.state === 'COMPLETED')
      return { ...facts, screen: 'ENDED', payment }
  }
  if (state === 'CANCELLED') return { ...facts, screen: 'CANCELLED' }
  if (!isPayable(checkout, ctx.clock.now())) return { ...facts, screen: 'EXPIRED' }
  const terms = fixedTerms(checkout.terms)
  const { phoneNumber, provider } = terms
  const offers = openOffers(ctx, merchant, terms)
  return {
    ...facts,
    screen: 'DETAILS',
    choices: choicesOf(merchant, offers),
    fixed: present({ phoneNumber, provider }),
    prefilled: prefilledFor(ctx, checkout, offers, payer),
  }
}

/** Typed once is enough: a new attempt is prefilled with the wallet of the one before. */
function prefilledFor(
  ctx: HostedContext,
  checkout: Checkout,
  offers: readonly Offer[],
  payer: string,
): Wallet {
  const { attempts, terms } = checkout
  const last = attempts.at(-1)
  if (last !== undefined) {
    const { phoneNumber, provider, country } = last
    const isTheirs = ctx.hostedLinks.isPayer(checkout, phoneNumber, payer)
    return { provider, country, ...(isTheirs ? { phoneNumber } : {}) }
  }
  const { phoneNumber, provider }: Partial<CheckoutPayer> = terms.payer ?? {}
  return present({ phoneNumber, provider: provider ?? providerOf(ctx, offers, phoneNumber) })
}

function factsOf(ctx: HostedContext, { checkout, merchant }: Found, code: string): CheckoutFacts {
  const { state, expiresAt, terms } = checkout
  const { reason, defaultLanguage, returnMethod = DEFAULT_RETURN_METHOD, returnUrl } = terms
  const last = shownAttempt(checkout)
  const lastAttempt = last && paymentView(ctx, last)
  return {
    merchant: shownName(merchant),
    brand: merchant.branding,
    state,
    ...present({ reason, language: defaultLanguage ?? merchant.branding.language }),
    expiresAt,
    returnAddress: returnAddress(returnUrl, 'checkoutCode', code),
    returnMethod,
    ...present({ lastAttempt }),
    version: versionOf(checkout),
  }
}

/** Starts an attempt, unless one runs or the checkout is over; also used to try again. */
async function pay(
  ctx: HostedContext,
  { checkout, merchant }: Found,
  form: PayForm,
): Promise<PayResult> {
  if (!isPayable(checkout, ctx.clock.now())) return { status: 'NOT_OPEN' }
  const read = readForm(ctx, merchant, fixedTerms(checkout.terms), form)
  if ('refusals' in read) return { status: 'REFUSED', ...read }
  const command = commandOf(read.filled, {
    generation: 'v2',
    idAsSent: randomUUID(),
    details: detailsOf(checkout),
  })
  const started = judged(ctx, merchant, command, read.filled)
  if ('refusals' in started) return { status: 'REFUSED', ...started }
  const payment: Payment = { ...started.payment, checkoutId: checkout.id }
  const holder = holderOf(ctx)
  const isStarted = await orInterrupted(ctx, startAttempt(ctx.db, payment, holder))
  if (!isStarted) return { status: 'NOT_OPEN' }
  accepted(ctx, payment, holder)
  ctx.changes.notify(payment)
  return { status: 'STARTED', payer: ctx.hostedLinks.payerProof(checkout, payment.phoneNumber) }
}

function detailsOf({ key, terms }: Checkout): PaymentDetails {
  const customerMessage = reasonFor(terms)
  const { clientReferenceId, metadata, source } = terms
  return {
    pageKey: key,
    ...present({ customerMessage, clientReferenceId, metadata, source }),
  }
}

async function cancel(ctx: HostedContext, checkout: Checkout): Promise<void> {
  const isEnded = await cancelCheckout(ctx.db, checkout.merchantId, checkout.id, ctx.clock.now())
  if (!isEnded) return
  ctx.changes.notifyOf(checkout)
  ctx.work.wake()
}
