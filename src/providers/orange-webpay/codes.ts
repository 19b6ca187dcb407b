import type { CodeTable } from '../wire-kit.ts'

/** Every word that a page may be in, besides SUCCESS. No reason is ever given. */
export const CODES: CodeTable = {
  INITIATED: 'PENDING',
  PENDING: 'PENDING',
  EXPIRED: 'PAYMENT_NOT_APPROVED',
  FAILED: 'UNSPECIFIED_FAILURE',
}
