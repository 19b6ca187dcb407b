import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { CaseRow, Evidence } from '../evidence.ts'
import { type Kind, scriptedStory } from '../world.ts'
import { type Facts, type Finding, isFinal, nameOf, parsed, type Subject } from './facts.ts'

/** Doubt about an outcome is a case for a person; without doubt there is none. */
export function checkCases(facts: Facts): Finding[] {
  const { evidence, subjects } = facts
  const doubted = seenInDoubt(evidence)
  const findings: Finding[] = []
  for (const subject of subjects.values()) {
    if (subject.record === undefined || subject.kind === 'splitPayment') continue
    const wrong = [
      wrongContradiction(subject, facts),
      wrongDoubt(subject, facts, doubted.has(subject.name)),
    ]
    for (const what of wrong) {
      if (what !== undefined) findings.push({ rule: 'cases', subject: subject.name, what })
    }
  }
  const strange = evidence.cases.flatMap(({ merchant, kind, id }): Finding[] => {
    const subject = nameOf(merchant, kind, id)
    const what = 'has a case, but there is no such payment'
    return subjects.get(subject)?.record === undefined ? [{ rule: 'cases', subject, what }] : []
  })
  return [...findings, ...strange]
}

/** The operator contradicts itself about every order whose script says so, and no other. */
function wrongContradiction(subject: Subject, facts: Facts): string | undefined {
  const order = facts.orderOf(subject)
  const reported = order === undefined ? undefined : scriptedStory(order.phoneNumber)?.contradicts
  const found = facts.caseOf(subject, 'CONTRADICTION')
  if (found?.reported === reported) {
    return found?.resolution
      ? 'its case of a contradiction is closed, but nobody closed it'
      : undefined
  }
  if (reported === undefined) return 'has a case of a contradiction, but there was none'
  const kept = found === undefined ? 'no case' : `a case of ${found.reported}`
  return `the operator contradicted itself and says ${reported}, but there is ${kept}`
}

/** Open while the outcome is unknown, closed by it, and never without cause. */
function wrongDoubt(subject: Subject, facts: Facts, wasSeen: boolean): string | undefined {
  const { record = {} } = subject
  const found = facts.caseOf(subject, 'UNKNOWN_OUTCOME')
  const isInDoubt = record.status === 'IN_RECONCILIATION'
  if (found === undefined) {
    return wasSeen || isInDoubt ? 'its outcome was unknown, but there is no case' : undefined
  }
  const resolution = isFinal(record) ? record.status : null
  if (found.resolution !== resolution || isInDoubt !== (found.resolution === null)) {
    return `is ${record.status}, but its case of an unknown outcome is ${found.resolution ?? 'open'}`
  }
  return mayBeUnknown(subject, facts, found)
    ? undefined
    : 'has a case of an unknown outcome, but had an answer'
}

const LEAVES_OPEN = ['silent', 'unknown']
/** Nodes that lost their database or another node look up the outcomes again within this time. */
const LOOKED_UP_WITHIN_MS = 10_000

/** Either the operator does not answer, or something was killed while the payment was sent. */
function mayBeUnknown(subject: Subject, facts: Facts, { seenAt = Infinity }: CaseRow): boolean {
  const script = scriptedStory(facts.orderOf(subject)?.phoneNumber ?? '')?.script ?? []
  if (script.some(({ answer }) => LEAVES_OPEN.includes(answer))) return true
  const asked = (subject.owner?.split ?? subject).requests.map(({ at }) => at)
  const since = Math.min(...asked)
  return facts.evidence.outages.some(
    ({ from, until = Infinity }) => from <= seenAt && until + LOOKED_UP_WITHIN_MS >= since,
  )
}

/** Payments that a callback or status check has shown as IN_RECONCILIATION. */
function seenInDoubt({ looks, callbacks }: Evidence): ReadonlySet<string> {
  const received = callbacks.map(({ merchant, kind, body }) => {
    const record = parsed(body)
    return { name: nameOf(merchant, kind, record[ID_FIELDS[kind as Kind]]), record }
  })
  const seen = looks.map(({ merchant, kind, id, record }) => ({
    name: nameOf(merchant, kind, id),
    record,
  }))
  const doubted = [...received, ...seen].filter(
    ({ record }) => record?.status === 'IN_RECONCILIATION',
  )
  return new Set(doubted.map(({ name }) => name))
}
