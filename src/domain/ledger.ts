import type { PaymentKind, PaymentState } from './payment-state.ts'

/**
 * Double entry: a transfer takes from one account and gives to another, so all balances of a
 * merchant and currency add up to zero at every moment. `wallet` is the merchant's money and
 * never goes below zero; `float` is what lies with the operator; `adjustment` is the other side
 * of a correction or a sandbox top-up.
 */
export const ACCOUNT_TYPES = [
  'wallet',
  'reserve',
  'float',
  'fees',
  'suspense',
  'adjustment',
] as const
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

export function floatName(provider: string, currency: string): AccountName {
  return `float:${provider}:${currency}`
}

export function walletAccount(country: string, currency: string, provider?: string): Account {
  const name = walletName(country, currency, provider)
  const account = { name, type: 'wallet', country, currency } as const
  return provider === undefined ? account : { ...account, provider }
}

export function floatAccount(provider: string, currency: string): Account {
  return { name: floatName(provider, currency), type: 'float', currency, provider }
}

export function adjustmentAccount(currency: string): Account {
  return { name: `adjustment:${currency}`, type: 'adjustment', currency }
}

type Effect = { readonly debit: AccountType; readonly credit: AccountType }

const PAID_IN: Readonly<Partial<Record<PaymentState, Effect>>> = {
  COMPLETED: { debit: 'float', credit: 'wallet' },
}

/** Which money moves when a payment enters a state. A state is entered once, so each moves once. */
export const LEDGER_EFFECTS: Readonly<
  Record<PaymentKind, Readonly<Partial<Record<PaymentState, Effect>>>>
> = {
  deposit: PAID_IN,
}
