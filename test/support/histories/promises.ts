import assert from 'node:assert/strict'
import type { Body } from '../../../harness/random/requests.ts'
import { endingsOf } from '../../../harness/random/world.ts'
import { accountOf, type Findings, type Found, failureCodeOf, unitsOf } from './findings.ts'
import { type Entry, heard, isOver } from './journal.ts'
import { beginnerOf, isDone, originsOf, ownersOf, startedIn } from './origins.ts'
import { checkRecords } from './records.ts'

/** What a client may rely on, checked from its answers and the final records alone. */
export function checkPromises(findings: Findings): void {
  for (const found of findings.all) {
    checkAnswers(found.entry, found.record, findings)
    if (found.entry.kind === 'splitPayment') checkSplit(found, findings)
    else checkEnding(found, findings)
    checkRecords(found, startedIn(found.entry, found.record, findings))
  }
  for (const entry of findings.missing) checkAnswers(entry, undefined, findings)
  checkRefunds(findings)
}

const nameOf = ({ merchant, kind, id }: Entry): string => `${kind} ${id} of merchant ${merchant}`

/** Accepted once at most, and then there; refused only, and then not. */
function checkAnswers(entry: Entry, record: Body | undefined, findings: Findings): void {
  const name = nameOf(entry)
  const accepted = heard(entry, 'ACCEPTED')
  const owners = ownersOf(entry, findings)
  const standing = owners.filter(({ deposit }) => deposit.status !== 'FAILED')
  assert.ok(accepted.length + standing.length <= 1, `${name} was accepted more than once`)
  if (accepted.length === 1 || beginnerOf(entry, findings) !== undefined)
    assert.ok(record !== undefined, `${name} is gone`)
  if (heard(entry, 'DUPLICATE_IGNORED').length > 0) {
    assert.ok(record !== undefined || owners.length > 0, `${name} was called a repeat of nothing`)
  }
  if (record === undefined) return
  assert.ok(
    originsOf(entry, record, findings).length > 0,
    `nobody asked for ${name} like this: ${JSON.stringify(record)}`,
  )
  for (const { said, created } of heard(entry, 'ACCEPTED', 'DUPLICATE_IGNORED')) {
    // A payout that waits for its split payment is there before it begins.
    if (said === 'ACCEPTED' || owners.length === 0) assert.equal(created, record.created, name)
  }
}

/** It ended as its number says, or before the operator heard of it. */
function checkEnding({ entry, record }: Found, findings: Findings): void {
  const { kind, cancelled } = entry
  const name = `${nameOf(entry)} with ${accountOf(record).phoneNumber}`
  const ends = endingsOf(accountOf(record).phoneNumber, kind)
  const ending = record.status === 'FAILED' ? failureCodeOf(record) : String(record.status)
  if (cancelled === 'yes') assert.equal(ending, 'MANUALLY_CANCELLED', name)
  if (ending === 'MANUALLY_CANCELLED') assert.notEqual(cancelled, 'no', name)
  else if (ending === 'PAWAPAY_WALLET_OUT_OF_FUNDS') {
    assert.notEqual(kind, 'deposit', name)
    const owned = ownersOf(entry, findings).some(({ deposit }) => isDone(deposit))
    assert.ok(!owned, `the deposit of a split payment pays for ${name}`)
    const isCurrent = startedIn(entry, record, findings).has('v2')
    assert.ok(isCurrent, `the earlier generation refuses at once what ${name} cannot pay`)
  } else assert.ok(ends.includes(String(ending)), `${name}: ${ending} instead of ${ends}`)
}

function checkSplit({ entry, record }: Found, findings: Findings): void {
  const { merchant, id } = entry
  const deposit = findings.record(merchant, 'deposit', id)
  const parts = record.splits as readonly Body[]
  const states = parts.map(({ payoutId }) => {
    if (deposit?.status === 'FAILED') return 'FAILED'
    if (deposit?.status !== 'COMPLETED') return 'ACCEPTED'
    return String(findings.record(merchant, 'payout', payoutId)?.status)
  })
  assert.deepEqual(
    parts.map(({ status }) => status),
    states,
    nameOf(entry),
  )
  assert.equal(record.status, wholeOf(String(deposit?.status), states), nameOf(entry))
}

function wholeOf(deposit: string, payouts: readonly string[]): string {
  if (deposit !== 'COMPLETED') return deposit
  if (payouts.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  return payouts.every((state) => isOver({ status: state })) ? 'PAYOUT_FAILED' : 'PROCESSING'
}

/** Only what was collected is given back, to where it came from, and never more than that. */
function checkRefunds(findings: Findings): void {
  const refunded = new Map<Body, bigint>()
  for (const { entry, record } of findings.all) {
    if (entry.kind !== 'refund') continue
    const deposit = findings.record(entry.merchant, 'deposit', record.depositId)
    assert.equal(deposit?.status, 'COMPLETED', nameOf(entry))
    assert.deepEqual(record.recipient, deposit?.payer, nameOf(entry))
    if (deposit === undefined || record.status === 'FAILED') continue
    refunded.set(deposit, (refunded.get(deposit) ?? 0n) + unitsOf(record.amount))
  }
  for (const [deposit, sum] of refunded) {
    assert.ok(sum <= unitsOf(deposit.amount), `${sum} given back of ${JSON.stringify(deposit)}`)
  }
}
