// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { PayoutRecord } from './payouts.ts'
import type { RefundRecord } from './refunds.ts'
import type { RemittanceRecord } from './remittances.ts'
import type { DepositRecord } from './shared.ts'

export type FoundPayments = {
  /** newest first */
  readonly payments: readonly {
    readonly kind: 'deposit' | 'payout' | 'refund' | 'remittance'
    /** the record that the status check of the kind answers */
    readonly data: DepositRecord | PayoutRecord | RefundRecord | RemittanceRecord
  }[]
  /** where to go on; absent on the last page */
  readonly next?: string
}

export type PaymentStories = {
  /** kinds have identifiers of their own, so there may be one of each */
  readonly payments: readonly {
    readonly kind: 'deposit' | 'payout' | 'refund' | 'remittance'
    /** the record that the status check of the kind answers */
    readonly data: DepositRecord | PayoutRecord | RefundRecord | RemittanceRecord
    /** everything that happened, in its order */
    readonly events: readonly {
      /** date and time in UTC (RFC 3339) */
      readonly at: string
      readonly type: 'STATE' | 'OPERATOR' | 'MONEY' | 'CASE' | 'CALLBACK'
      readonly text: string
    }[]
    /** movements, exchanges and callbacks are in the files of this archived year, not here */
    readonly archivedIn?: number
  }[]
}
