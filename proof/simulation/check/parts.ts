import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  isFinal,
  requestsWith,
  type Subject,
  unitsOf,
} from './facts.ts'

/** Payments that depend on others: refunds of deposits, and split payments. */
export function checkParts(facts: Facts): Finding[] {
  const findings: Finding[] = []
  const given = new Map<Subject, bigint>()
  for (const subject of facts.subjects.values()) {
    const { kind, record, name } = subject
    if (record === undefined) continue
    const note = (what: string): void => {
      findings.push({ rule: 'parts', subject: name, what })
    }
    if (kind === 'splitPayment') checkSplit(subject, facts, note)
    if (kind !== 'refund') continue
    const deposit = facts.find(subject.merchant, 'deposit', record.depositId)
    if (deposit?.record?.status !== 'COMPLETED') note('refunds what was not collected')
    else if (!isDeepStrictEqual(accountOf(record), accountOf(deposit.record))) {
      note('goes to someone other than the payer')
    }
    if (deposit !== undefined && isKnownDispute(subject, deposit, facts)) {
      note('was accepted, although the operator had contradicted the outcome of its deposit')
    }
    if (deposit === undefined || record.status === 'FAILED') continue
    given.set(deposit, (given.get(deposit) ?? 0n) + unitsOf(record.amount))
  }
  for (const [{ name, record }, sum] of given) {
    if (sum <= unitsOf(record?.amount ?? '0')) continue
    const what = `${sum} ten-thousandths were refunded of ${record?.amount}`
    findings.push({ rule: 'parts', subject: name, what })
  }
  return findings
}

/** The case existed before any request was sent that can have caused the refund. */
function isKnownDispute(refund: Subject, deposit: Subject, { caseOf }: Facts): boolean {
  const { seenAt = Number.POSITIVE_INFINITY } = caseOf(deposit, 'CONTRADICTION') ?? {}
  const accepted = requestsWith(refund, 'ACCEPTED')
  const causes = accepted.length > 0 ? accepted : requestsWith(refund, 'UNKNOWN')
  return causes.length > 0 && causes.every(({ at }) => at > seenAt)
}

function checkSplit(split: Subject, facts: Facts, note: (what: string) => void): void {
  const { merchant, id, record = {} } = split
  const deposit = String(facts.find(merchant, 'deposit', id)?.record?.status)
  const parts = record.splits as readonly Body[]
  const states = parts.map(({ payoutId }) => {
    if (deposit === 'FAILED') return 'FAILED'
    if (deposit !== 'COMPLETED') return 'ACCEPTED'
    return String(facts.find(merchant, 'payout', payoutId)?.record?.status)
  })
  const shown = parts.map(({ status }) => String(status))
  if (shown.join() !== states.join()) note(`shows its payouts as ${shown}, but they are ${states}`)
  const whole = wholeOf(deposit, states)
  if (record.status !== whole) note(`is ${record.status}, but its parts make it ${whole}`)
}

function wholeOf(deposit: string, payouts: readonly string[]): string {
  if (deposit !== 'COMPLETED') return deposit
  if (payouts.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  if (payouts.every((status) => isFinal({ status }))) return 'PAYOUT_FAILED'
  return payouts.includes('IN_RECONCILIATION') ? 'IN_RECONCILIATION' : 'PROCESSING'
}
