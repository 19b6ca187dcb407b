// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason } from './shared.ts'

export type WalletBalances = {
  readonly balances: readonly {
    /** a country as three capital letters (ISO 3166-1 alpha-3) */
    readonly country: string
    /** with two decimals */
    readonly balance: string
    /** a currency as three capital letters (ISO 4217) */
    readonly currency: string
    /** empty when the wallet serves every provider of the country */
    readonly provider: string
  }[]
}

export type StatementRequest = {
  /** the wallet, as the wallet balances name it */
  readonly wallet: {
    /** a country as three capital letters (ISO 3166-1 alpha-3) */
    readonly country: string
    /** a currency as three capital letters (ISO 4217) */
    readonly currency: string
    /** only for a wallet of one provider alone; left out for one of a whole country */
    readonly provider?: string
  }
  /** where to report that the file is ready; https in production */
  readonly callbackUrl: string
  /** the first moment of the period, in UTC without a zone, such as 2026-11-01T00:00:00 */
  readonly startDate: string
  /** the first moment after the period, in UTC without a zone; at most 31 days after startDate */
  readonly endDate: string
  /** true for a gzip file; false, the default, for plain CSV */
  readonly compressed?: boolean
}

export type StatementAnswer = {
  /** made by the service */
  readonly statementId?: string
  /** the answer to this request; not the state of the statement */
  readonly status: 'ACCEPTED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
}

export type StatementStatus = {
  /** whether the statement exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: StatementRecord
}

export type StatementRecord = {
  /** made by the service */
  readonly statementId: string
  /** PROCESSING while the file is written; COMPLETED and FAILED are final */
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** the wallet, as the wallet balances name it */
  readonly wallet: StatementRequest['wallet']
  /** date and time in UTC (RFC 3339) */
  readonly created: string
  /** in UTC */
  readonly startDate: string
  /** in UTC */
  readonly endDate: string
  readonly compressed: boolean
  /** in bytes */
  readonly fileSize?: number
  /** the file; anyone who has the link can read it, no token is asked */
  readonly downloadUrl?: string
  /** one day after the completion */
  readonly downloadUrlExpiresAt?: string
  /** date and time in UTC (RFC 3339) */
  readonly completedAt?: string
  /** date and time in UTC (RFC 3339) */
  readonly failedAt?: string
  readonly failureReason?: FailureReason
  /** of the wallet at startDate */
  readonly openingBalance?: string
  /** at endDate, or now if that lies ahead: the opening and every net added up */
  readonly closingBalance?: string
}
