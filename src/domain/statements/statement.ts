import type { Failure } from '../failure.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import { LIFETIMES } from '../timing.ts'

export const STATEMENT_STATES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

/** As the merchant names it: without a provider it is the wallet of the whole country. */
export type StatementWallet = {
  readonly country: string
  readonly currency: string
  readonly provider?: string
}

/** A file with every movement of one wallet in a period, written in the background. */
export type Statement = {
  readonly kind: 'statement'
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly idAsSent: string
  readonly key: PaymentKey
  readonly generation: 'v2'
  readonly state: StatementState
  readonly wallet: StatementWallet
  readonly callbackUrl: string
  /** The period: the start belongs to it, the end does not. */
  readonly startAt: number
  readonly endAt: number
  readonly compressed: boolean
  /** Values that are marked as personal are written; otherwise masked. */
  readonly showsPii: boolean
  readonly createdAt: number
  readonly endedAt?: number
  readonly openingBalance?: string
  readonly closingBalance?: string
  readonly fileSize?: number
  readonly downloadUrl?: string
  readonly failure?: Failure
}

const DAY_MS = 24 * 60 * 60 * 1000
const PERIOD_MAX_DAYS = 31

/** How long the link to a file works, counted from its completion. */
export const LINK_LIVES_MS = LIFETIMES.statementLinkMs
/** How long the file itself is kept. */
export const FILE_KEPT_MS = LIFETIMES.statementFileMs

/** Why there cannot be a statement about this period, or nothing. */
export function periodRefusal(startAt: number, endAt: number): Failure | undefined {
  const [start, end] = [momentText(startAt), momentText(endAt)]
  const refusal = (message: string): Failure => ({ code: 'INVALID_DATE_RANGE', message })
  if (startAt >= endAt) {
    return refusal(
      `The end of the period must be after its start: '${end}' is not after '${start}'.`,
    )
  }
  if (endAt - startAt > PERIOD_MAX_DAYS * DAY_MS) {
    return refusal(
      `The period from '${start}' to '${end}' is longer than ${PERIOD_MAX_DAYS} days. ` +
        'Ask for several shorter ones.',
    )
  }
  return undefined
}

/** A moment as requests write it: UTC without a zone, parts of a second only where there are any. */
export function momentText(ms: number): string {
  const text = new Date(ms).toISOString().slice(0, -1)
  return text.endsWith('.000') ? text.slice(0, -4) : text
}
