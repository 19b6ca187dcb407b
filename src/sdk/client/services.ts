/** What the service does around payments, as methods. */
import type { Calls } from './api/calls.ts'
import type { CheckoutRequest } from './api/checkouts.ts'
import type { StatementRequest } from './api/finances.ts'
import type {
  PaymentPageAnswer,
  PaymentPageCreated,
  PaymentPageRequest,
} from './api/payment-page.ts'
import type { ProviderPrediction } from './api/toolkit.ts'
import type { Call, CallOptions, Refused } from './caller.ts'
import { type FeedOptions, readFeed } from './feed.ts'
import { FINAL } from './kinds.ts'
import { found, type Outcome, outcome } from './outcome.ts'
import { type WaitOptions, waitForFinal } from './wait.ts'

export const FINAL_CHECKOUT = ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const

/** An answer without a status beside one with it, so that `status` tells them apart. */
type Plain<Answer> = Answer & { readonly status?: undefined }

export function checkoutMethods(call: Call) {
  const get = async (checkoutId: string, options?: CallOptions) =>
    found(await call('getCheckout', { params: { checkoutId } }, options))
  return {
    create: async (request: CheckoutRequest, options?: CallOptions) =>
      outcome(await call('createCheckout', { body: request }, options)),
    get,
    waitForFinal: (checkoutId: string, options?: WaitOptions) =>
      waitForFinal(checkoutId, (one) => get(checkoutId, one), FINAL_CHECKOUT, options),
    expire: (checkoutId: string, options?: CallOptions) =>
      call('expireCheckout', { params: { checkoutId } }, options),
    resendCallback: async (checkoutId: string, options?: CallOptions) =>
      outcome(await call('resendCheckoutCallback', { params: { checkoutId } }, options)),
  }
}

export const paymentPageMethods = (call: Call) => ({
  /** Without a status the page was made, and `redirectUrl` is where to send the customer. */
  create: async (request: PaymentPageRequest, options?: CallOptions) =>
    (await call('createPaymentPage', { body: request }, options)) as
      | Plain<PaymentPageCreated>
      | Outcome<PaymentPageAnswer>,
})

export const balanceMethods = (call: Call) => ({
  list: async (query: Calls['getWalletBalances']['query'] = {}, options?: CallOptions) =>
    (await call('getWalletBalances', { query }, options)).balances,
})

export function statementMethods(call: Call) {
  const get = async (statementId: string, options?: CallOptions) =>
    found(await call('getStatement', { params: { statementId } }, options))
  return {
    request: async (request: StatementRequest, options?: CallOptions) =>
      outcome(await call('requestStatement', { body: request }, options)),
    get,
    waitForFinal: (statementId: string, options?: WaitOptions) =>
      waitForFinal(statementId, (one) => get(statementId, one), FINAL, options),
  }
}

export const toolkitMethods = (call: Call) => ({
  activeConfiguration: (
    query: Calls['getActiveConfiguration']['query'] = {},
    options?: CallOptions,
  ) => call('getActiveConfiguration', { query }, options),
  availability: (query: Calls['getAvailability']['query'] = {}, options?: CallOptions) =>
    call('getAvailability', { query }, options),
  predictProvider: async (phoneNumber: string, options?: CallOptions) =>
    (await call('predictProvider', { body: { phoneNumber } }, options)) as
      | Plain<ProviderPrediction>
      | Refused,
  publicKeys: (options?: CallOptions) => call('getPublicKeys', {}, options),
})

/** All pages, one after the other: the next one is asked for when it is needed. */
async function* everyOne<Page extends { readonly next?: string }, One>(
  read: (after: { readonly after?: string }) => Promise<Page>,
  listOf: (page: Page) => readonly One[],
): AsyncGenerator<One> {
  for (let next: string | undefined; ; ) {
    const page = await read(next === undefined ? {} : { after: next })
    yield* listOf(page)
    next = page.next
    if (next === undefined) return
  }
}

export const paymentMethods = (call: Call) => ({
  /** Payments of every kind, newest first. */
  find: (query: Calls['findPayments']['query'] = {}, options?: CallOptions) =>
    everyOne(
      (after) => call('findPayments', { query: { ...query, ...after } }, options),
      ({ payments }) => payments,
    ),
  /** What happened to a payment, whatever its kind is. */
  explain: (paymentId: string, options?: CallOptions) =>
    call('explainPayment', { params: { paymentId } }, options),
})

export const callbackMethods = (call: Call) => ({
  /** Callbacks and how their delivery stands, newest first. */
  list: (query: Calls['listCallbacks']['query'] = {}, options?: CallOptions) =>
    everyOne(
      (after) => call('listCallbacks', { query: { ...query, ...after } }, options),
      ({ callbacks }) => callbacks,
    ),
  /** For programs that nobody can call: reads callbacks as they fall due. */
  feed: (options: FeedOptions) => readFeed(call, options),
})
