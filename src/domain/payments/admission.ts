import { availabilityOf, type Merchant } from '../accounts/merchant.ts'
import { hasAtMostDecimals, parseAmount } from '../amount.ts'
import type { Failure, FailureCode } from '../failure.ts'
import { invariant } from '../invariant.ts'
import { providerHint } from '../meant-provider.ts'
import { fitsProvider, isTestNumber } from '../phone-number.ts'
import type { Availability, OperationLimits, OperationType, Provider } from '../provider.ts'

/** A well-formed request for money to move, before any rule of a provider has looked at it. */
export type Order = {
  readonly operation: OperationType
  readonly amount: string
  readonly currency: string
  /** Where the merchant says it, it must be the provider's. */
  readonly country?: string | undefined
  readonly phoneNumber: string
  readonly provider: string
}

/** Refused because the account may not do this at all, whatever the request says. */
export const NOT_ALLOWED = {
  DEPOSIT: 'DEPOSITS_NOT_ALLOWED',
  PAYOUT: 'PAYOUTS_NOT_ALLOWED',
  REFUND: 'REFUNDS_NOT_ALLOWED',
  REMITTANCE: 'REMITTANCES_NOT_ALLOWED',
} as const satisfies Record<OperationType, FailureCode>

/** A deposit needs the operator now; everything else can wait in line while it is delayed. */
const ADMITTED_WHILE: Readonly<Record<OperationType, readonly Availability[]>> = {
  DEPOSIT: ['OPERATIONAL'],
  PAYOUT: ['OPERATIONAL', 'DELAYED'],
  REFUND: ['OPERATIONAL', 'DELAYED'],
  REMITTANCE: ['OPERATIONAL', 'DELAYED'],
}

type Refusal = { readonly limits?: never; readonly refusal: Failure }
type Admitted = { readonly limits: OperationLimits; readonly refusal?: never }

/** The providers within reach. */
export type Reachable = {
  readonly find: (code: string) => Provider | undefined
  /** Lets test numbers pass that lie outside the number plan. */
  readonly withTestNumbers: boolean
}

/** Why a well-formed request is refused, first rule first; the order is part of the contract. */
export function admit(order: Order, providers: Reachable, merchant: Merchant): Admitted | Refusal {
  const provider = providers.find(order.provider)
  const enabled = merchant.providers.get(order.provider)
  if (provider === undefined || enabled === undefined) {
    return refuse('INVALID_PROVIDER', unknownProvider(order, providers, merchant))
  }
  if (!enabled.has(order.operation)) return refuse(NOT_ALLOWED[order.operation], notAllowed(order))
  if (order.country !== undefined && order.country !== provider.country) {
    return refuse('INVALID_COUNTRY', invalidCountry(order, provider))
  }
  const currency = provider.currencies.find((one) => one.currency === order.currency)
  if (currency === undefined) return refuse('INVALID_CURRENCY', invalidCurrency(order, provider))
  const limits = currency.operations[order.operation]
  if (limits === undefined) return refuse('INVALID_PROVIDER', invalidProvider(order))
  const known = providers.withTestNumbers && isTestNumber(order.phoneNumber, provider)
  if (!known && !fitsProvider(order.phoneNumber, provider)) {
    return refuse('INVALID_PHONE_NUMBER', invalidPhoneNumber(order, provider))
  }
  return admitAmount(order, limits) ?? admitNow(order, limits, merchant)
}

function admitAmount(order: Order, limits: OperationLimits): Refusal | undefined {
  const amount = parseAmount(order.amount)
  invariant(amount !== undefined, `the amount ${order.amount} passed the schema`)
  if (!hasAtMostDecimals(amount, limits.decimals)) {
    return refuse('INVALID_AMOUNT', invalidAmount(order, limits))
  }
  if (amount < limits.minAmount || amount > limits.maxAmount) {
    const bound = amount < limits.minAmount ? 'MINIMUM' : 'MAXIMUM'
    const message = outOfBounds(order, limits)
    return { refusal: { code: 'AMOUNT_OUT_OF_BOUNDS', message, bound } }
  }
  return undefined
}

function admitNow(order: Order, limits: OperationLimits, merchant: Merchant): Admitted | Refusal {
  const availability = availabilityOf(merchant, order.provider, order.operation)
  if (!ADMITTED_WHILE[order.operation].includes(availability)) {
    return refuse('PROVIDER_TEMPORARILY_UNAVAILABLE', unavailable(order))
  }
  return { limits }
}

function refuse(code: FailureCode, message: string): Refusal {
  return { refusal: { code, message } }
}

const invalidProvider = (order: Order): string =>
  `The provider '${order.provider}' cannot be used for a ${order.operation} on this account. ` +
  'Use a provider code that the active configuration lists.'

function unknownProvider(order: Order, { find }: Reachable, { providers }: Merchant): string {
  const { provider, currency, phoneNumber } = order
  // One that the account has is out of reach, and not mistyped.
  if (providers.has(provider)) return invalidProvider(order)
  const usable = [...providers.keys()].flatMap((code) => find(code) ?? [])
  const clues = { currencies: [currency], phoneNumber }
  return invalidProvider(order) + providerHint(provider, usable, clues)
}

const notAllowed = (order: Order): string =>
  `${order.operation} is not enabled for the provider '${order.provider}' on this account. ` +
  'Ask the operator of this service to enable it.'

const invalidCountry = (order: Order, provider: Provider): string =>
  `The country '${order.country}' is not that of the provider '${provider.code}', which is ` +
  `'${provider.country}'. Leave the country out or send that one.`

const invalidCurrency = (order: Order, provider: Provider): string =>
  `The currency '${order.currency}' is not supported by the provider '${provider.code}'. ` +
  `It takes ${provider.currencies.map((one) => `'${one.currency}'`).join(', ')}.`

const invalidPhoneNumber = (order: Order, provider: Provider): string =>
  `The phone number '${order.phoneNumber}' is not valid for the provider '${provider.code}'. ` +
  `It takes '${provider.callingCode}' followed by ` +
  `${provider.nationalNumberLengths.join(' or ')} digits.`

type Sum = Pick<Order, 'amount' | 'provider'>

export const invalidAmount = (order: Sum, limits: OperationLimits): string =>
  `The amount '${order.amount}' has too many decimals: the provider '${order.provider}' takes ` +
  `${limits.decimals === 0 ? 'whole amounts only' : `at most ${limits.decimals} decimal places`}.`

/** One existing client reads the limits out of this sentence, so its middle part is fixed. */
export const outOfBounds = (order: Sum, limits: OperationLimits): string =>
  `The amount must be more than '${limits.min}' and less than '${limits.max}', both included, ` +
  `for the provider '${order.provider}'.`

const unavailable = (order: Order): string =>
  `The provider '${order.provider}' is not taking ${order.operation} requests right now. ` +
  'See the availability endpoint and try again when it is OPERATIONAL.'
