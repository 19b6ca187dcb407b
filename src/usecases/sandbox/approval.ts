import type { Approval } from '../../providers/sandbox/approval.ts'
import type { ApprovalRow } from '../../store/sandbox/approvals.ts'

/** A question to a customer as the operator has stored it; undefined where none was asked. */
export function approvalOf(row: ApprovalRow): Approval | undefined {
  const { askedOn, shownMs, expiresMs, verdict, decidedMs } = row
  if (askedOn === null || expiresMs === null) return undefined
  return {
    askedOn,
    shownAt: shownMs ?? undefined,
    expiresAt: expiresMs,
    verdict: verdict ?? undefined,
    decidedAt: decidedMs ?? undefined,
  }
}
