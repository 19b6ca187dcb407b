import type { Failure } from './failure.ts'
import type { MerchantId, PaymentId, PaymentKey } from './ids.ts'

export const STATEMENT_STATES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

/** A file with every movement of one wallet in a period, written in the background. */
export type Statement = {
  readonly kind: 'statement'
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly idAsSent: string
  readonly key: PaymentKey
  readonly generation: 'v2'
  readonly state: StatementState
  readonly wallet: {
    readonly country: string
    readonly currency: string
    readonly provider?: string
  }
  readonly callbackUrl: string
  readonly startAt: number
  readonly endAt: number
  readonly compressed: boolean
  readonly createdAt: number
  readonly endedAt?: number
  readonly openingBalance?: string
  readonly closingBalance?: string
  readonly fileSize?: number
  readonly failure?: Failure
}
