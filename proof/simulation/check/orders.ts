import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Kind } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  failureCodeOf,
  isFinal,
  type Note,
  nameOf,
  parsed,
  type Subject,
} from './facts.ts'

/** Cancellations and resends: how they were answered, and what happened then. */
export function checkOrders(facts: Facts): Finding[] {
  const { evidence, find } = facts
  const acknowledgedAt = lastEnds(facts)
  const cancelled = new Set<string>()
  const findings: Finding[] = []
  for (const { what, merchant, kind, id, at, sent, answered, reply } of evidence.orders) {
    const subject = find(merchant, kind, id)
    if (subject === undefined) continue
    const { name, record } = subject
    const note: Note = (rule, problem) => {
      findings.push({ rule, subject: name, what: problem })
    }
    if (answered !== undefined && reply !== 'ACCEPTED' && reply !== 'REJECTED') {
      note('answers', `a ${what} was answered with ${reply}`)
    }
    if (what === 'cancel') {
      const code = failureCodeOf(record)
      if (reply !== 'REJECTED') cancelled.add(name)
      if (reply === 'ACCEPTED' && code !== 'MANUALLY_CANCELLED') {
        note('answers', `was cancelled, but is ${record?.status} ${code ?? ''}`)
      }
      if (reply === 'REJECTED' && wasQueued(facts, subject, { sent, answered })) {
        note('rejected', 'was queued, but could not be cancelled')
      }
      continue
    }
    if (reply === 'REJECTED' && facts.endSentAt(subject) < at) {
      note('rejected', 'its final state had been sent, but could not be resent')
    }
    const listens = evidence.merchants[merchant]?.listens.includes(kind) === true
    if (reply === 'ACCEPTED' && listens && (acknowledgedAt.get(name) ?? 0) < at) {
      note('complete', 'was to be resent, but nothing arrived after that')
    }
  }
  for (const { name, record } of facts.subjects.values()) {
    if (failureCodeOf(record) !== 'MANUALLY_CANCELLED' || cancelled.has(name)) continue
    findings.push({
      rule: 'unasked',
      subject: name,
      what: 'is cancelled, but nobody asked for that',
    })
  }
  return findings
}

type Moments = { readonly sent: number; readonly answered?: number | undefined }

/** It was seen ENQUEUED, and nothing can have taken it out of the queue before the answer. */
function wasQueued(
  { evidence, find }: Facts,
  subject: Subject,
  { sent, answered = sent }: Moments,
): boolean {
  const isIt = (one: { merchant: number; kind: Kind; id: string }): boolean =>
    find(one.merchant, one.kind, one.id) === subject
  const seen = evidence.looks.findLast(
    (look) =>
      look.answered !== undefined &&
      look.answered < sent &&
      look.record?.status === 'ENQUEUED' &&
      isIt(look),
  )
  if (seen === undefined || subject.record === undefined || subject.owner !== undefined)
    return false
  const { provider } = accountOf(subject.record)
  const switches = evidence.switches.filter(
    (one) =>
      one.merchant === subject.merchant &&
      one.provider === provider &&
      one.operation === subject.kind.toUpperCase() &&
      one.sent < answered,
  )
  const isDelayed = switches.toSorted((one, other) => one.answered - other.answered).at(-1)
  const isCancelled = evidence.orders.some(
    (one) => one.what === 'cancel' && one.reply !== 'REJECTED' && one.sent < answered && isIt(one),
  )
  return isDelayed?.status === 'DELAYED' && isDelayed.answered < seen.sent && !isCancelled
}

/** When the final state of each payment was last acknowledged. */
function lastEnds({ evidence }: Facts): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { merchant, kind, body, at, answered } of evidence.callbacks) {
    const record = parsed(body)
    if (answered !== 200 || !isFinal(record)) continue
    const name = nameOf(merchant, kind, record[ID_FIELDS[kind as Kind]])
    ends.set(name, Math.max(at, ends.get(name) ?? 0))
  }
  return ends
}
