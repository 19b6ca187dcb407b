import { availabilityKey, type Merchant } from '../../domain/accounts/merchant.ts'
import type { FailureCode } from '../../domain/failure.ts'
import { shownName } from '../../domain/hosted/branding.ts'
import type { Offer } from '../../domain/hosted/offer.ts'
import type { PaymentId, PaymentKey } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { AuthorisationType, ListedProvider } from '../../domain/provider.ts'
import type { CheckoutView } from './checkout.ts'
import type { HostedContext } from './context.ts'
import { choicesOf, paymentView } from './view.ts'

/** Every screen of a customer with this merchant's branding, of a payment that does not exist. */
export const SAMPLE_SCREENS = [
  'details',
  'country',
  'code',
  'waiting',
  'slow',
  'processing',
  'go',
  'confirming',
  'paid',
  'failed',
  'unseen',
  'expired',
  'cancelled',
  'closed',
] as const
type SampleScreen = (typeof SAMPLE_SCREENS)[number]

type Facts = Omit<Extract<CheckoutView, { screen: 'EXPIRED' | 'CANCELLED' }>, 'screen'>

const MINUTE = 60_000

export function sampleView(
  ctx: HostedContext,
  merchant: Merchant,
  screen: SampleScreen,
): CheckoutView {
  const facts = factsOf(ctx, merchant)
  const prompted = sample(ctx, merchant, 'PROVIDER_AUTH')
  const running = (type: AuthorisationType, state: PaymentState, ageMs: number): CheckoutView => {
    const payment = viewOf(ctx, sample(ctx, merchant, type), { state, ageMs })
    return { ...facts, state: 'PROCESSING', screen: 'RUNNING', payment }
  }
  const failed = (failureCode: FailureCode): CheckoutView => {
    const payment = viewOf(ctx, prompted, { state: 'FAILED', ageMs: MINUTE, failureCode })
    return { ...facts, state: 'FAILED', screen: 'ENDED', payment }
  }
  switch (screen) {
    case 'details':
    case 'country':
    case 'closed':
    case 'code':
      return openView(ctx, merchant, facts, screen)
    case 'waiting':
      return running('PROVIDER_AUTH', 'PROCESSING', 0)
    case 'slow':
      return running('PROVIDER_AUTH', 'PROCESSING', 2 * MINUTE)
    case 'processing':
      return running('PREAUTH', 'PROCESSING', 0)
    case 'go':
      return running('REDIRECT_AUTH', 'PROCESSING', 0)
    case 'confirming':
      return running('PROVIDER_AUTH', 'IN_RECONCILIATION', 4 * MINUTE)
    case 'paid': {
      const payment = viewOf(ctx, prompted, { state: 'COMPLETED', ageMs: MINUTE })
      return { ...facts, state: 'COMPLETED', screen: 'ENDED', payment }
    }
    case 'failed':
      return failed('INSUFFICIENT_BALANCE')
    case 'unseen':
      return failed('UNKNOWN_ERROR')
    case 'expired':
      return { ...facts, state: 'EXPIRED', screen: 'EXPIRED' }
    case 'cancelled':
      return { ...facts, state: 'CANCELLED', screen: 'CANCELLED' }
  }
}

function factsOf(ctx: HostedContext, merchant: Merchant): Facts {
  const { language } = merchant.branding
  return {
    merchant: shownName(merchant),
    brand: merchant.branding,
    state: 'WAITING_PAYMENT',
    reason: { en: 'Order 1042', fr: 'Commande 1042' },
    ...present({ language }),
    expiresAt: ctx.clock.now() + 14 * MINUTE,
    returnAddress: '#',
    returnMethod: 'CUSTOMER_ACTION',
    version: '',
  }
}

function openView(
  ctx: HostedContext,
  merchant: Merchant,
  facts: Facts,
  screen: 'details' | 'country' | 'closed' | 'code',
): CheckoutView {
  const chosen = sample(ctx, merchant, screen === 'code' ? 'PREAUTH' : 'PROVIDER_AUTH')
  const there = pool(ctx, merchant).filter(({ country }) => country === chosen.country)
  const others = ctx.providers.catalog.all.find(({ country }) => country !== chosen.country)
  const providers = new Set([chosen, ...there, ...(screen === 'country' && others ? [others] : [])])
  const offers = [...providers].flatMap(offersOf)
  const isClosed = screen === 'closed'
  const states = [...providers].map(
    ({ code }) => [availabilityKey(code, 'DEPOSIT'), isClosed ? 'CLOSED' : 'OPERATIONAL'] as const,
  )
  const choices = choicesOf({ ...merchant, availability: new Map(states) }, offers)
  const lastAttempt = viewOf(ctx, chosen, {
    state: 'FAILED',
    ageMs: MINUTE,
    failureCode: 'PAYMENT_NOT_APPROVED',
  })
  const isCode = screen === 'code'
  return {
    ...facts,
    ...(isCode && { lastAttempt }),
    screen: 'DETAILS',
    choices,
    fixed: {},
    prefilled: isCode ? { phoneNumber: numberOf(chosen), provider: chosen.code } : {},
  }
}

const offersOf = (provider: ListedProvider): readonly Offer[] =>
  provider.currencies.flatMap((currency) => {
    const limits = currency.operations.DEPOSIT
    return limits === undefined ? [] : [{ provider, currency, limits, amount: amountFor(limits) }]
  })

const amountFor = ({ decimals }: { readonly decimals: number }): string =>
  decimals > 0 ? '150.00' : '1500'

/** The merchant's own providers, or all of them where it has none yet. */
function pool(ctx: HostedContext, merchant: Merchant): readonly ListedProvider[] {
  const { all } = ctx.providers.catalog
  const own = all.filter(({ code }) => merchant.providers.has(code))
  return own.length > 0 ? own : all
}

function sample(ctx: HostedContext, merchant: Merchant, type: AuthorisationType): ListedProvider {
  const isOf = ({ currencies }: ListedProvider): boolean =>
    currencies.some(
      ({ operations: { DEPOSIT } }) =>
        DEPOSIT !== undefined && (DEPOSIT.authType ?? 'PROVIDER_AUTH') === type,
    )
  const found = pool(ctx, merchant).find(isOf) ?? ctx.providers.catalog.all.find(isOf)
  invariant(found !== undefined, `the catalogue has a provider with ${type}`)
  return found
}

const numberOf = ({ testNumbers, callingCode }: ListedProvider): string =>
  testNumbers.DEPOSIT?.at(-1)?.phoneNumber ?? `${callingCode}123456789`

type State = {
  readonly state: PaymentState
  readonly ageMs: number
  readonly failureCode?: FailureCode
}

function viewOf(
  ctx: HostedContext,
  provider: ListedProvider,
  { state, ageMs, failureCode }: State,
) {
  const now = ctx.clock.now()
  const currency = provider.currencies.find(({ operations }) => operations.DEPOSIT !== undefined)
  const payment: Payment = {
    merchantId: 0 as Payment['merchantId'],
    kind: 'deposit',
    id: ID,
    idAsSent: ID,
    key: KEY,
    generation: 'v2',
    state,
    amount: amountFor(currency?.operations.DEPOSIT ?? { decimals: 0 }),
    currency: currency?.currency ?? '',
    country: provider.country,
    provider: provider.code,
    phoneNumber: numberOf(provider),
    details: {},
    createdAt: now - ageMs,
    authorizationUrl: 'https://operator.example/approve',
    ...(state === 'COMPLETED' && { endedAt: now, providerTransactionId: 'TX12345678' }),
    ...present({ failure: ifGiven(failureCode, (code) => ({ code, message: '' })) }),
  }
  const view = paymentView(ctx, payment)
  invariant(view !== undefined, 'the provider is in the catalogue')
  return view
}

const ID = '3f2b8c1e-5a4d-4c7e-9b1f-2d6a8e0c4b57' as PaymentId
const KEY = '0193a1f4-6c58-7d21-8c3e-5b7f9a2d4e61' as PaymentKey
