import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { CaseRow, Evidence } from '../evidence.ts'
import { type Kind, scriptedStory } from '../world.ts'
import { type Facts, type Finding, isFinal, nameOf, parsed, type Subject } from './facts.ts'

/** Doubt about outcomes: a case for a person where there is any, and none where there is not. */
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
    const what = 'has a case, and there is no such payment'
    return subjects.get(subject)?.record === undefined ? [{ rule: 'cases', subject, what }] : []
  })
  return [...findings, ...strange]
}

/** The operator speaks against its own word about every order whose script says so, and no other. */
function wrongContradiction(subject: Subject, facts: Facts): string | undefined {
  const order = facts.orderOf(subject)
  const said = order === undefined ? undefined : scriptedStory(order.phoneNumber)?.takesBack
  const found = facts.caseOf(subject, 'CONTRADICTION')
  if (found?.said === said) {
    return found?.resolution ? 'the operator took back its word, and nobody closed that' : undefined
  }
  if (said === undefined) return 'has a case of a word taken back, and none was'
  const kept = found === undefined ? 'no case' : `a case of ${found.said}`
  return `the operator took back its word and says ${said}, and there is ${kept}`
}

/** Open while nobody knows the outcome, closed by it, and never without a silence before. */
function wrongDoubt(subject: Subject, facts: Facts, wasSeen: boolean): string | undefined {
  const { record = {} } = subject
  const found = facts.caseOf(subject, 'UNKNOWN_OUTCOME')
  const isInDoubt = record.status === 'IN_RECONCILIATION'
  if (found === undefined) {
    return wasSeen || isInDoubt ? 'its outcome was unknown, and there is no case' : undefined
  }
  const resolution = isFinal(record) ? record.status : null
  if (found.resolution !== resolution || isInDoubt !== (found.resolution === null)) {
    return `is ${record.status}, and its case of an unknown outcome is ${found.resolution ?? 'open'}`
  }
  return mayBeUnknown(subject, facts, found) ? undefined : 'has a case, and nobody was silent'
}

const LEAVES_OPEN = ['silent', 'unknown']
/** Nodes that lost their database or a neighbour give up their work and sort it out meanwhile. */
const SORTED_WITHIN_MS = 10_000

/** Either the operator does not say, or something was killed while the payment was on its way. */
function mayBeUnknown(subject: Subject, facts: Facts, { seenAt = Infinity }: CaseRow): boolean {
  const script = scriptedStory(facts.orderOf(subject)?.phoneNumber ?? '')?.script ?? []
  if (script.some(({ answer }) => LEAVES_OPEN.includes(answer))) return true
  const asked = (subject.owner?.split ?? subject).requests.map(({ at }) => at)
  const since = Math.min(...asked)
  return facts.evidence.outages.some(
    ({ from, until = Infinity }) => from <= seenAt && until + SORTED_WITHIN_MS >= since,
  )
}

/** Payments that anybody was told of as being in doubt, on the way. */
function seenInDoubt({ looks, callbacks }: Evidence): ReadonlySet<string> {
  const told = callbacks.map(({ merchant, kind, body }) => {
    const record = parsed(body)
    return { name: nameOf(merchant, kind, record[ID_FIELDS[kind as Kind]]), record }
  })
  const seen = looks.map(({ merchant, kind, id, record }) => ({
    name: nameOf(merchant, kind, id),
    record,
  }))
  const doubted = [...told, ...seen].filter(({ record }) => record?.status === 'IN_RECONCILIATION')
  return new Set(doubted.map(({ name }) => name))
}
