import type { PaymentKind, PaymentState } from './payment-state.ts'

/**
 * Double entry: a transfer takes from one account and gives to another, so all balances of a
 * merchant and currency add up to zero at every moment. `wallet` is the merchant's money and
 * `reserve` the part of it that is held for payments under way; neither goes below zero. `float` is
 * what lies with the operator; `adjustment` is the other side of a correction or a sandbox top-up.
 */
const ACCOUNT_TYPES = ['wallet', 'reserve', 'float', 'fees', 'suspense', 'adjustment'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** The name of an account says all about it, so no look-up is needed to post to it. */
export type AccountName = `${AccountType}:${string}`

export type Account = {
  readonly name: AccountName
  readonly type: AccountType
  readonly country?: string
  readonly currency: string
  readonly provider?: string
}

export function walletName(country: string, currency: string, provider?: string): AccountName {
  const shared: AccountName = `wallet:${country}:${currency}`
  return provider === undefined ? shared : `${shared}:${provider}`
}

/** What the name of a wallet says. */
export function walletNamed(name: string): {
  readonly country: string
  readonly currency: string
  readonly provider?: string
} {
  const [, country = '', currency = '', provider] = name.split(':')
  return provider === undefined ? { country, currency } : { country, currency, provider }
}

/** Each wallet has a reserve of its own, named after it. */
export function reserveName(wallet: AccountName): AccountName {
  return `reserve${wallet.slice('wallet'.length)}` as AccountName
}

/** What lies with an operator: of each of our accounts there, where there are several. */
export function floatName(
  provider: string,
  currency: string,
  operatorAccount?: string,
): AccountName {
  const shared: AccountName = `float:${provider}:${currency}`
  return operatorAccount === undefined ? shared : `${shared}:${operatorAccount}`
}

/** Where the money of a payment is outside. */
export const floatOf = (payment: {
  readonly provider: string
  readonly currency: string
  readonly operatorAccount?: string
}): AccountName => floatName(payment.provider, payment.currency, payment.operatorAccount)

/** A wallet and its reserve always come into being together. */
export function walletAccounts(
  country: string,
  currency: string,
  provider?: string,
): readonly [wallet: Account, reserve: Account] {
  const name = walletName(country, currency, provider)
  const facts = provider === undefined ? { country, currency } : { country, currency, provider }
  return [
    { name, type: 'wallet', ...facts },
    { name: reserveName(name), type: 'reserve', ...facts },
  ]
}

export function floatAccount(
  provider: string,
  currency: string,
  operatorAccount?: string,
): Account {
  const name = floatName(provider, currency, operatorAccount)
  return { name, type: 'float', currency, provider }
}

export function adjustmentAccount(currency: string): Account {
  return { name: `adjustment:${currency}`, type: 'adjustment', currency }
}

type Effect = { readonly debit: AccountType; readonly credit: AccountType }
type Effects = Readonly<Partial<Record<PaymentState, Effect>>>

const PAID_IN: Effects = {
  COMPLETED: { debit: 'float', credit: 'wallet' },
}

const PAID_OUT: Effects = {
  ACCEPTED: { debit: 'wallet', credit: 'reserve' },
  COMPLETED: { debit: 'reserve', credit: 'float' },
  FAILED: { debit: 'reserve', credit: 'wallet' },
}

/** Which money moves when a payment enters a state. A state is entered once, so each moves once. */
export const LEDGER_EFFECTS: Readonly<Record<PaymentKind, Effects>> = {
  deposit: PAID_IN,
  payout: PAID_OUT,
  refund: PAID_OUT,
  remittance: PAID_OUT,
}

/** True for kinds that hold money from a wallet as soon as they are accepted. */
export function debitsWallet(kind: PaymentKind): boolean {
  return LEDGER_EFFECTS[kind].ACCEPTED !== undefined
}

/**
 * What a person posts when an operator takes back its word after the payment was over: the money
 * of the final state is moved back, between wallet and float.
 */
export function correctionOf(kind: PaymentKind, reported: 'COMPLETED' | 'FAILED'): Effect {
  const isPaidIn = !debitsWallet(kind)
  return isPaidIn === (reported === 'COMPLETED')
    ? { debit: 'float', credit: 'wallet' }
    : { debit: 'wallet', credit: 'float' }
}
