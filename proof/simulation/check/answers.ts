import { isDeepStrictEqual } from 'node:util'
import { checkContent } from './content.ts'
import {
  type Facts,
  type Finding,
  isFinal,
  type Note,
  nameOf,
  requestsWith,
  type Subject,
} from './facts.ts'
import { checkOrders } from './orders.ts'

/** Compares the answers with what exists in the end. */
export function checkAnswers(facts: Facts): Finding[] {
  const findings: Finding[] = []
  for (const subject of facts.subjects.values()) {
    const note: Note = (rule, what) => {
      findings.push({ rule, subject: subject.name, what })
    }
    checkReplies(subject, note)
    checkExistence(subject, facts, note)
    if (subject.record !== undefined) checkContent(subject, facts, note)
  }
  return [...findings, ...checkRows(facts), ...checkLooks(facts), ...checkOrders(facts)]
}

/** Accepted at most once; from then on every repeat is answered as a repeat. */
function checkReplies(subject: Subject, note: Note): void {
  const accepted = requestsWith(subject, 'ACCEPTED')
  if (accepted.length > 1) note('answers', `was accepted ${accepted.length} times`)
  const first = accepted[0]?.answered ?? Number.POSITIVE_INFINITY
  const begun = requestsWith(subject, 'STARTED')[0]?.answered ?? Number.POSITIVE_INFINITY
  for (const { reply, sent, body, gaveUp } of subject.requests) {
    if (gaveUp === true) note('answered', 'was requested again and again, and never answered')
    if (sent > begun && reply === 'REJECTED')
      note('answers', 'had started, but its page forgot that')
    if (reply === 'REFUSED') note('answers', `a valid request was refused: ${JSON.stringify(body)}`)
    if (reply === 'INVALID') note('answers', 'was answered with an unknown status')
    if (sent > first && reply !== 'DUPLICATE_IGNORED' && reply !== 'UNKNOWN') {
      note('answers', `had been accepted before, but a repeat was ${reply}`)
    }
  }
  const isRepeatOfNothing = accepted.length === 0 && requestsWith(subject, 'UNKNOWN').length === 0
  if (isRepeatOfNothing && requestsWith(subject, 'DUPLICATE_IGNORED').length > 0) {
    note('answers', 'was answered as a repeat, but nothing came before')
  }
}

function checkExistence(subject: Subject, facts: Facts, note: Note): void {
  const { owner, kind, record } = subject
  const wasAccepted = requestsWith(subject, 'ACCEPTED', 'DUPLICATE_IGNORED', 'STARTED').length > 0
  const mayExist = wasAccepted || requestsWith(subject, 'UNKNOWN').length > 0
  const split = owner?.split
  const isDue =
    split === undefined ? wasAccepted : split.record !== undefined && isKept(subject, facts)
  if (isDue && record === undefined) note('missing', 'was accepted, but there is no record')
  const isPossible = split === undefined ? mayExist : split.record !== undefined
  if (!isPossible && record !== undefined) note('unasked', 'was never accepted, but exists')
  const isStored =
    kind === 'splitPayment'
      ? facts.evidence.splits.some((row) => nameOf(row.merchant, kind, row.id) === subject.name)
      : subject.row !== undefined
  if (isDue && !isStored) note('missing', 'was accepted, but is not in the database')
  if (isStored !== (record !== undefined)) {
    note('status', `is ${isStored ? '' : 'not '}in the database, but the status check disagrees`)
  }
}

/** Payouts of a split payment exist from its acceptance, unless its deposit fails. */
function isKept({ kind, merchant, owner }: Subject, facts: Facts): boolean {
  if (kind === 'deposit') return true
  return facts.find(merchant, 'deposit', owner?.split.id)?.record?.status !== 'FAILED'
}

function checkRows({ evidence, subjects }: Facts): Finding[] {
  const splits = evidence.splits.map((row) => ({ ...row, kind: 'splitPayment' }))
  return [...evidence.payments, ...splits].flatMap(({ merchant, kind, id }) => {
    const subject = nameOf(merchant, kind, id)
    const what = 'is in the database, but was never sent'
    return subjects.has(subject) ? [] : [{ rule: 'unasked' as const, subject, what }]
  })
}

/** What was ACCEPTED is found from then on, on every node; a final state never changes. */
function checkLooks({ evidence, find }: Facts): Finding[] {
  const ended = new Map<Subject, number>()
  for (const { merchant, kind, id, answered, record } of evidence.looks) {
    const subject = find(merchant, kind, id)
    if (subject === undefined || answered === undefined || !isFinal(record ?? {})) continue
    ended.set(subject, Math.min(answered, ended.get(subject) ?? answered))
  }
  return evidence.looks.flatMap(({ merchant, kind, id, generation, sent, record }): Finding[] => {
    const subject = find(merchant, kind, id)
    if (subject === undefined || record === undefined) return []
    const wasOver = sent > (ended.get(subject) ?? Number.POSITIVE_INFINITY)
    if (wasOver && !isFinal(record ?? {})) {
      const what = `had been seen as final, and later as ${record?.status ?? 'not found'}`
      return [{ rule: 'answers', subject: subject.name, what }]
    }
    const accepted = requestsWith(subject, 'ACCEPTED').some(({ answered = 0 }) => answered < sent)
    if (record === null) {
      const what = 'was accepted, but a later status check did not find it'
      return accepted ? [{ rule: 'missing', subject: subject.name, what }] : []
    }
    const end = generation === 'v1' ? subject.earlier : subject.record
    if (!isFinal(record) || isDeepStrictEqual(record, end)) return []
    const what = `was seen as ${JSON.stringify(record)}, but is ${JSON.stringify(end)} now`
    return [{ rule: 'answers', subject: subject.name, what }]
  })
}
