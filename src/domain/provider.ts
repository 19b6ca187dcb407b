import type { Amount } from './amount.ts'
import type { Instructions, Localised } from './hosted/instructions.ts'

/** What is known of a mobile-money provider before any payment: facts, not behaviour. */
export const OPERATION_TYPES = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

export const AVAILABILITIES = ['OPERATIONAL', 'DELAYED', 'CLOSED'] as const
export type Availability = (typeof AVAILABILITIES)[number]

export type AuthorisationType = 'PROVIDER_AUTH' | 'PREAUTH' | 'REDIRECT_AUTH'

export type OperationLimits = {
  readonly min: string
  readonly max: string
  readonly minAmount: Amount
  readonly maxAmount: Amount
  readonly decimals: number
  readonly authType?: AuthorisationType
  /** Deposits that the customer approves on the phone: whether the question comes by itself. */
  readonly pinPrompt?: 'AUTOMATIC' | 'MANUAL'
  readonly pinPromptRevivable?: boolean
  /** What the customer dials: to find the PIN prompt, or to get a one-time code beforehand. */
  readonly instructions?: Instructions
}

type ProviderCurrency = {
  readonly currency: string
  readonly operations: Readonly<Partial<Record<OperationType, OperationLimits>>>
}

export type TestNumber = {
  readonly phoneNumber: string
  readonly status: 'COMPLETED' | 'FAILED' | 'PROCESSING'
  readonly failureCode?: string
}

export type Provider = {
  readonly code: string
  readonly country: string
  readonly callingCode: string
  readonly displayName: string
  readonly currencies: readonly ProviderCurrency[]
  readonly nationalNumberLengths: readonly number[]
  readonly testNumbers: Readonly<Partial<Record<OperationType, readonly TestNumber[]>>>
}

/** A provider as the catalogue lists it: with what people are shown of its country and money. */
export type ListedProvider = Omit<Provider, 'currencies'> & {
  readonly countryName: Localised
  /** What its customers call the wallet: M-PESA, where the operator is Safaricom. */
  readonly walletName: string
  readonly currencies: readonly ListedCurrency[]
}

export type ListedCurrency = ProviderCurrency & { readonly symbol: string }
