/**
 * The client of the API, for Node, Deno and Bun: `import { createClient } from 'malipo/client'`.
 * Its types are made from the OpenAPI document; docs/client.md shows how to use it.
 */
import { createCaller } from './caller.ts'
import {
  depositMethods,
  payoutMethods,
  refundMethods,
  remittanceMethods,
  splitPaymentMethods,
} from './kinds.ts'
import {
  balanceMethods,
  callbackMethods,
  checkoutMethods,
  paymentMethods,
  paymentPageMethods,
  statementMethods,
  toolkitMethods,
} from './services.ts'
import { createSigner, type SigningOptions } from './signer.ts'

export type * from './api/callbacks.ts'
export type * from './api/checkouts.ts'
export type * from './api/deposits.ts'
export type * from './api/finances.ts'
export type * from './api/payment-page.ts'
export type * from './api/payouts.ts'
export type * from './api/refunds.ts'
export type * from './api/remittances.ts'
export type * from './api/shared.ts'
export type * from './api/split-payments.ts'
export type * from './api/toolkit.ts'
export type { CallOptions, Refused } from './caller.ts'
export {
  AuthorisationError,
  ConnectionError,
  MalipoError,
  NotFoundError,
  RequestError,
  ServiceError,
  SignatureError,
  WaitError,
} from './errors.ts'
export type { FedCallback, FeedOptions } from './feed.ts'
export type { Outcome } from './outcome.ts'
export type { SigningOptions } from './signer.ts'
export type { WaitOptions } from './wait.ts'

export type ClientOptions = {
  /** Where the service is: https://pay.example. */
  readonly baseUrl: string
  /** An API token of the merchant. */
  readonly token: string
  /** Signs every request that starts a payment, and checks that the answer is signed. */
  readonly sign?: SigningOptions
  /** How often a request is repeated at most, with the same identifier; 4 by default. */
  readonly retries?: number
  /** For each attempt; 30 seconds by default. */
  readonly timeoutMs?: number
}

export type Client = ReturnType<typeof createClient>

const RETRIES = 4
const TIMEOUT_MS = 30_000

export function createClient(options: ClientOptions) {
  const { token, sign, retries = RETRIES, timeoutMs = TIMEOUT_MS } = options
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('The token is empty, or not a token')
  const callerOptions = { baseUrl, token, retries, timeoutMs }
  const plain = createCaller(callerOptions, undefined)
  const signer = sign && createSigner(sign, () => plain('getPublicKeys', {}))
  const call = createCaller(callerOptions, signer)
  return {
    deposits: depositMethods(call),
    payouts: payoutMethods(call),
    refunds: refundMethods(call),
    remittances: remittanceMethods(call),
    splitPayments: splitPaymentMethods(call),
    checkouts: checkoutMethods(call),
    paymentPage: paymentPageMethods(call),
    balances: balanceMethods(call),
    statements: statementMethods(call),
    toolkit: toolkitMethods(call),
    payments: paymentMethods(call),
    callbacks: callbackMethods(call),
  }
}
