import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  heard,
  isFinal,
  type Subject,
  unitsOf,
} from './facts.ts'

/** Payments that are made of others: refunds of deposits, and split payments. */
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
    if (deposit?.record?.status !== 'COMPLETED') note('gives back what was not collected')
    else if (!isDeepStrictEqual(accountOf(record), accountOf(deposit.record))) {
      note('goes to somebody else than the payer')
    }
    if (deposit !== undefined && isKnownDispute(subject, deposit, facts)) {
      note('was taken on, and the operator had taken back that its deposit was collected')
    }
    if (deposit === undefined || record.status === 'FAILED') continue
    given.set(deposit, (given.get(deposit) ?? 0n) + unitsOf(record.amount))
  }
  for (const [{ name, record }, sum] of given) {
    if (sum <= unitsOf(record?.amount ?? '0')) continue
    const what = `${sum} ten-thousandths were given back of ${record?.amount}`
    findings.push({ rule: 'parts', subject: name, what })
  }
  return findings
}

/** The case was there before any request was sent that can have led to the refund. */
function isKnownDispute(refund: Subject, deposit: Subject, { caseOf }: Facts): boolean {
  const { seenAt = Number.POSITIVE_INFINITY } = caseOf(deposit, 'CONTRADICTION') ?? {}
  const accepted = heard(refund, 'ACCEPTED')
  const causes = accepted.length > 0 ? accepted : heard(refund, 'UNKNOWN')
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
  if (shown.join() !== states.join()) note(`shows its payouts as ${shown}, and they are ${states}`)
  const whole = wholeOf(deposit, states)
  if (record.status !== whole) note(`is ${record.status}, and its parts make it ${whole}`)
}

function wholeOf(deposit: string, payouts: readonly string[]): string {
  if (deposit !== 'COMPLETED') return deposit
  if (payouts.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  if (payouts.every((status) => isFinal({ status }))) return 'PAYOUT_FAILED'
  return payouts.includes('IN_RECONCILIATION') ? 'IN_RECONCILIATION' : 'PROCESSING'
}
