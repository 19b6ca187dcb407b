import { isDeepStrictEqual } from 'node:util'
import {
  accountOf,
  causesOf,
  type Facts,
  type Finding,
  failureCodeOf,
  heard,
  isFinal,
  nameOf,
  type Rule,
  type Subject,
  unitsOf,
} from './facts.ts'

/** What the merchants were told, against what is there in the end. */
export function checkAnswers(facts: Facts): Finding[] {
  const findings: Finding[] = []
  for (const subject of facts.subjects.values()) {
    const note = (rule: Rule, what: string): void => {
      findings.push({ rule, subject: subject.name, what })
    }
    checkSaid(subject, note)
    checkExistence(subject, facts, note)
    if (subject.record !== undefined) checkContent(subject, note)
  }
  return [...findings, ...checkRows(facts), ...checkLooks(facts), ...checkOrders(facts)]
}

type Note = (rule: Rule, what: string) => void

/** Accepted once at most; from then on every repeat is called one. */
function checkSaid(subject: Subject, note: Note): void {
  const accepted = heard(subject, 'ACCEPTED')
  if (accepted.length > 1) note('answers', `was accepted ${accepted.length} times`)
  const first = accepted[0]?.answered ?? Number.POSITIVE_INFINITY
  for (const { said, sent, body } of subject.requests) {
    if (said === 'REFUSED') note('answers', `a sound request was refused: ${JSON.stringify(body)}`)
    if (said === 'ODD') note('answers', 'was answered with a word that there is not')
    if (sent > first && said !== 'DUPLICATE_IGNORED' && said !== 'UNKNOWN') {
      note('answers', `had been accepted before, and a repeat was ${said}`)
    }
  }
  const isRepeatOfNothing = accepted.length === 0 && heard(subject, 'UNKNOWN').length === 0
  if (isRepeatOfNothing && heard(subject, 'DUPLICATE_IGNORED').length > 0) {
    note('answers', 'was called a repeat, and nothing came before')
  }
}

function checkExistence(subject: Subject, facts: Facts, note: Note): void {
  const { owner, kind, record } = subject
  const wasTold = heard(subject, 'ACCEPTED', 'DUPLICATE_IGNORED', 'STARTED').length > 0
  const mayBe = wasTold || heard(subject, 'UNKNOWN').length > 0
  const split = owner?.split
  const isDue =
    split === undefined ? wasTold : split.record !== undefined && isBegun(subject, facts)
  if (isDue && record === undefined) note('missing', 'was accepted, and there is no record')
  const isPossible = split === undefined ? mayBe : split.record !== undefined
  if (!isPossible && record !== undefined) note('unasked', 'was never accepted, and is there')
  const isStored =
    kind === 'splitPayment'
      ? facts.evidence.splits.some((row) => nameOf(row.merchant, kind, row.id) === subject.name)
      : subject.row !== undefined
  if (isDue && !isStored) note('missing', 'was accepted, and is not in the database')
  if (isStored !== (record !== undefined)) {
    note('status', `is ${isStored ? '' : 'not '}in the database, and the status check disagrees`)
  }
}

/** Payouts of a split payment come into being when its deposit is complete. */
function isBegun({ kind, merchant, owner }: Subject, facts: Facts): boolean {
  if (kind === 'deposit') return true
  return facts.find(merchant, 'deposit', owner?.split.id)?.record?.status === 'COMPLETED'
}

/** The record says what was asked for, in both generations, and what the database says. */
function checkContent(subject: Subject, note: Note): void {
  const { record = {}, earlier, row, kind } = subject
  const causes = causesOf(subject)
  if (!causes.some(({ body }) => fits(subject, body))) {
    note('content', `is not what anybody asked for: ${JSON.stringify(record)}`)
  }
  for (const { said, created } of subject.requests) {
    const hasTime = said === 'ACCEPTED' || said === 'DUPLICATE_IGNORED'
    if (hasTime && created !== record.created) {
      note('answers', `began at ${record.created}, and an answer said ${created}`)
    }
  }
  if (kind === 'splitPayment' || row === undefined) return
  const told = [record.status, failureCodeOf(record) ?? null, unitsOf(record.amount)]
  const stored = [row.state, row.failureCode, unitsOf(row.amount)]
  if (!isDeepStrictEqual(told, stored))
    note('status', `is told as ${told}, and stored as ${stored}`)
  if (earlier === undefined) return
  const inOldWords = isFinal(record) || record.status === 'ACCEPTED' || record.status === 'ENQUEUED'
  if (earlier.status !== (inOldWords ? record.status : 'SUBMITTED')) {
    note('status', `is ${record.status}, and ${earlier.status} in the earlier generation`)
  }
}

function fits({ record = {}, kind }: Subject, body: Readonly<Record<string, unknown>>): boolean {
  const isAmount = body.amount === undefined || unitsOf(record.amount) === unitsOf(body.amount)
  if (kind === 'refund') return isAmount && isSameId(record.depositId, body.depositId)
  const has = accountOf(record)
  const wanted = accountOf(body)
  // The payouts of a split payment are in its currency.
  const isCurrency = body.currency === undefined || record.currency === body.currency
  const isAccount = has.phoneNumber === wanted.phoneNumber && has.provider === wanted.provider
  return isAmount && isCurrency && isAccount
}

const isSameId = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

function checkRows({ evidence, subjects }: Facts): Finding[] {
  const splits = evidence.splits.map((row) => ({ ...row, kind: 'splitPayment' }))
  return [...evidence.payments, ...splits].flatMap(({ merchant, kind, id }) => {
    const subject = nameOf(merchant, kind, id)
    const what = 'is in the database, and nobody ever sent it'
    return subjects.has(subject) ? [] : [{ rule: 'unasked' as const, subject, what }]
  })
}

/** Who was told ACCEPTED finds it from then on, on every node; what was final stays as it was. */
function checkLooks({ evidence, find }: Facts): Finding[] {
  return evidence.looks.flatMap(({ merchant, kind, id, generation, sent, record }): Finding[] => {
    const subject = find(merchant, kind, id)
    if (subject === undefined || record === undefined) return []
    const accepted = heard(subject, 'ACCEPTED').some(({ answered = 0 }) => answered < sent)
    if (record === null) {
      const what = 'was accepted, and a status check after that did not find it'
      return accepted ? [{ rule: 'missing', subject: subject.name, what }] : []
    }
    const end = generation === 'v1' ? subject.earlier : subject.record
    if (!isFinal(record) || isDeepStrictEqual(record, end)) return []
    const what = `was seen as ${JSON.stringify(record)}, and is ${JSON.stringify(end)} now`
    return [{ rule: 'answers', subject: subject.name, what }]
  })
}

/** Cancelled is what somebody cancelled, and what was cancelled stays so. */
function checkOrders({ evidence, subjects, find }: Facts): Finding[] {
  const asked = new Set<Subject>()
  const findings: Finding[] = []
  for (const { what, merchant, kind, id, said } of evidence.orders) {
    const subject = find(merchant, kind, id)
    if (what !== 'cancel' || subject === undefined || said === 'REJECTED') continue
    asked.add(subject)
    const code = failureCodeOf(subject.record)
    if (said === 'ACCEPTED' && code !== 'MANUALLY_CANCELLED') {
      const end = `was cancelled, and is ${subject.record?.status} ${code ?? ''}`
      findings.push({ rule: 'answers', subject: subject.name, what: end })
    }
  }
  for (const subject of subjects.values()) {
    if (failureCodeOf(subject.record) !== 'MANUALLY_CANCELLED' || asked.has(subject)) continue
    const what = 'is cancelled, and nobody asked for that'
    findings.push({ rule: 'unasked', subject: subject.name, what })
  }
  return findings
}
