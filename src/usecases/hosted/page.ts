import type { Merchant } from '../../domain/accounts/merchant.ts'
import { type Branding, shownName } from '../../domain/hosted/branding.ts'
import { type PageSession, pageVersion, READABLE_MS } from '../../domain/hosted/page-session.ts'
import { returnAddress } from '../../domain/hosted/return-url.ts'
import type { Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { isFinal } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { findPageSession } from '../../store/hosted/page-sessions.ts'
import { findOutcome } from '../../store/payments/cases.ts'
import { findPayment } from '../../store/payments/payments.ts'
import { acceptOnce, judgeDeposit } from '../payments/initiate-deposit.ts'
import { newPayment, type PaymentCommand, withFlow } from '../payments/new-payment.ts'
import type { HostedContext } from './context.ts'
import { pageOffers } from './create-page-session.ts'
import {
  asFormRefusal,
  type FilledForm,
  type FormRefusal,
  openOffers,
  type PayForm,
  predictFor,
  providerOf,
  readForm,
} from './form.ts'
import { type Opened, type PayResult, UNKNOWN_LINK } from './opened.ts'
import { providerInQuestion } from './question.ts'
import {
  type CountryChoice,
  choicesOf,
  type PaymentView,
  paymentView,
  type Wallet,
} from './view.ts'

/** What a session of the Payment Page looks like to its customer. */
export type PageView =
  | { readonly screen: 'UNKNOWN' }
  | (PageFacts & { readonly screen: 'EXPIRED' })
  | (PageFacts & {
      readonly screen: 'DETAILS'
      readonly choices: readonly CountryChoice[]
      /** What the merchant fixed, shown as text. */
      readonly fixed: { readonly phoneNumber?: string; readonly country?: string }
      /** The provider that a fixed number most likely belongs to. */
      readonly prefilled: Wallet
    })
  | (PageFacts & { readonly screen: 'RUNNING' | 'ENDED'; readonly payment: PaymentView })

type PageFacts = {
  readonly merchant: string
  readonly brand: Branding
  readonly depositId: string
  readonly reason?: string
  /** The merchant's default; a choice of the customer wins. */
  readonly language?: 'en' | 'fr'
  readonly expiresAt: number
  readonly returnAddress: string
  /** Changes whenever there is something else to show; see `Opened`. */
  readonly version: string
}

type Found = {
  readonly session: PageSession
  readonly merchant: Merchant
  /** If Pay was pressed. */
  readonly deposit: Payment | undefined
  /** The deposit as its customer sees it; see `asShown`. */
  readonly shown: Payment | undefined
}

export async function openPage(ctx: HostedContext, token: string): Promise<Opened<PageView>> {
  const found = await findPage(ctx, token)
  if (found === undefined) return UNKNOWN_LINK
  const { session, merchant, deposit } = found
  const { merchantId, depositId: id } = session
  const terms = pageOffers(session.terms)
  return {
    view: viewOf(ctx, found),
    pay: (form) => pay(ctx, found, form),
    cancel: async () => {},
    predict: (form) => predictFor(ctx, merchant, terms, form),
    question: (form) => providerInQuestion(ctx, merchant, terms, form),
    waitForChange: (ms) =>
      ctx.changes.wait({ kind: 'deposit', merchantId, id }, pageVersion(deposit), ms),
  }
}

async function findPage(ctx: HostedContext, token: string): Promise<Found | undefined> {
  const session = await findPageSession(ctx.db, ctx.hostedLinks.hashOf(token))
  const merchant = session && (await ctx.merchants.byId(session.merchantId))
  if (session === undefined || merchant === undefined) return undefined
  if (ctx.clock.now() >= session.expiresAt + READABLE_MS) return undefined
  const deposit = await findPayment(ctx.db, merchant.id, 'deposit', session.depositId)
  return { session, merchant, deposit, shown: deposit && (await asShown(ctx, deposit)) }
}

/** Nobody who was charged after all, or may have been, reads that they were not. */
async function asShown(ctx: HostedContext, deposit: Payment): Promise<Payment> {
  if (deposit.state !== 'FAILED') return deposit
  const { outcome, isDisputed } = await findOutcome(ctx.db, deposit)
  return { ...deposit, state: isDisputed ? 'IN_RECONCILIATION' : outcome }
}

function viewOf(ctx: HostedContext, found: Found): PageView {
  const { session, merchant, shown } = found
  const facts = factsOf(found)
  const payment = shown && paymentView(ctx, shown)
  if (payment !== undefined) {
    const screen = isFinal('deposit', payment.state) ? 'ENDED' : 'RUNNING'
    return { ...facts, screen, payment }
  }
  if (ctx.clock.now() >= session.expiresAt) return { ...facts, screen: 'EXPIRED' }
  const { phoneNumber, country } = session.terms
  const offers = openOffers(ctx, merchant, pageOffers(session.terms))
  return {
    ...facts,
    screen: 'DETAILS',
    choices: choicesOf(merchant, offers),
    fixed: present({ phoneNumber, country }),
    prefilled: present({ provider: providerOf(ctx, offers, phoneNumber) }),
  }
}

function factsOf({ session, merchant, deposit }: Found): PageFacts {
  const { reason, language, returnUrl } = session.terms
  return {
    merchant: shownName(merchant),
    brand: merchant.branding,
    depositId: session.depositIdAsSent,
    ...present({
      reason,
      language: language === undefined ? merchant.branding.language : LANGS[language],
    }),
    expiresAt: session.expiresAt,
    returnAddress: returnAddress(returnUrl, 'depositId', session.depositIdAsSent),
    version: pageVersion(deposit),
  }
}

const LANGS = { EN: 'en', FR: 'fr' } as const

/** Starts the deposit of the session, once: a second Pay finds the first one's deposit. */
async function pay(ctx: HostedContext, found: Found, form: PayForm): Promise<PayResult> {
  const { session, merchant, deposit } = found
  if (deposit !== undefined || ctx.clock.now() >= session.expiresAt) return { status: 'NOT_OPEN' }
  const read = readForm(ctx, merchant, pageOffers(session.terms), form)
  if ('refusals' in read) return { status: 'REFUSED', ...read }
  const { customerMessage, metadata, clientReferenceId, source } = session.terms
  const command = commandOf(read.filled, {
    generation: session.generation,
    idAsSent: session.depositIdAsSent,
    details: {
      pageKey: session.key,
      ...present({ customerMessage, metadata, clientReferenceId, source }),
    },
  })
  const started = judged(ctx, merchant, command, read.filled)
  if ('refusals' in started) return { status: 'REFUSED', ...started }
  const initiation = await acceptOnce(ctx, started.payment)
  if (initiation.status === 'ACCEPTED') ctx.changes.notify(started.payment)
  return { status: initiation.status === 'ACCEPTED' ? 'STARTED' : 'NOT_OPEN' }
}

export function commandOf(
  { offer, amount, phoneNumber, preAuthorisationCode }: FilledForm,
  rest: Pick<PaymentCommand, 'generation' | 'idAsSent'> & { readonly details: PaymentDetails },
): PaymentCommand {
  return {
    ...rest,
    amount,
    currency: offer.currency.currency,
    provider: offer.provider.code,
    phoneNumber,
    details: { ...rest.details, ...present({ preAuthorisationCode }) },
  }
}

/** The rules of every deposit, with a refusal put to the field that can be changed. */
export function judged(
  ctx: HostedContext,
  merchant: Merchant,
  command: PaymentCommand,
  { offer }: FilledForm,
): { readonly payment: Payment } | { readonly refusals: readonly FormRefusal[] } {
  const { refusal, lacksCode, country, authType } = judgeDeposit(ctx, merchant, command)
  if (refusal !== undefined) return { refusals: [asFormRefusal(refusal, offer)] }
  if (lacksCode) return { refusals: [{ field: 'preAuthorisationCode', rule: 'MISSING' }] }
  const flowing = withFlow(command, authType)
  return { payment: newPayment(ctx, merchant, 'deposit', flowing, country) }
}
