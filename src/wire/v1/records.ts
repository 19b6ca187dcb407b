import type { CallbackSubject } from '../../domain/callbacks/callback-subject.ts'
import { fromDeposit } from './deposits.ts'
import { fromPayout } from './payouts.ts'
import { fromRefund } from './refunds.ts'

/** Undefined for what the earlier generation has no words for, and never starts. */
export function recordOf(subject: CallbackSubject): object | undefined {
  switch (subject.kind) {
    case 'deposit':
      return fromDeposit(subject)
    case 'payout':
      return fromPayout(subject)
    case 'refund':
      return fromRefund(subject)
    default:
      return undefined
  }
}
