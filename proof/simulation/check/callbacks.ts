import { isDeepStrictEqual } from 'node:util'
import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { CallbackSeen } from '../evidence.ts'
import { type Body, type Kind, REDIRECTING_PROVIDER, scriptedStory } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  generationsFor,
  isFinal,
  type Note,
  nameOf,
  parsed,
  type Subject,
} from './facts.ts'
import { problemWith } from './signature.ts'

type Told = { readonly seen: CallbackSeen; readonly body: Body }

/** What arrived at the merchants' servers, in the order in which it came. */
export function checkCallbacks(facts: Facts): Finding[] {
  const { evidence } = facts
  const findings: Finding[] = []
  const told = new Map<string, Told[]>()
  for (const seen of evidence.callbacks) {
    const problem = problemWith(seen, evidence.keys)
    const body = parsed(seen.body)
    const name = nameOf(seen.merchant, seen.kind, body[ID_FIELDS[seen.kind as Kind]])
    if (problem !== undefined) findings.push({ rule: 'signed', subject: name, what: problem })
    if (seen.kind === 'checkout') continue
    told.set(name, [...(told.get(name) ?? []), { seen, body }])
    const isListening = evidence.merchants[seen.merchant]?.listens.some((one) => one === seen.kind)
    if (facts.subjects.get(name)?.record === undefined || isListening !== true) {
      const what = `somebody was told who should not be: ${seen.body}`
      findings.push({ rule: 'same', subject: name, what })
    }
  }
  for (const subject of facts.subjects.values()) {
    if (subject.record === undefined) continue
    const note: Note = (rule, what) => {
      findings.push({ rule, subject: subject.name, what })
    }
    const listens = evidence.merchants[subject.merchant]?.listens.includes(subject.kind) === true
    checkTold(subject, told.get(subject.name) ?? [], listens, note)
  }
  return [...findings, ...checkOwed(facts, told), ...checkPages(facts)]
}

const isAcknowledged = ({ seen }: Told): boolean => seen.answered === 200

function checkTold(subject: Subject, all: readonly Told[], listens: boolean, note: Note): void {
  const { record = {}, earlier } = subject
  const ends = all.filter(({ body }) => isFinal(body))
  if (listens && isFinal(record) && !ends.some(isAcknowledged)) {
    note('complete', `is ${record.status}, and nobody acknowledged that`)
  }
  const spoken = generationsFor(subject)
  const wanted = [spoken.has('v2') ? record : undefined, spoken.has('v1') ? earlier : undefined]
  for (const { body } of ends) {
    if (wanted.some((one) => one !== undefined && isDeepStrictEqual(body, one))) continue
    note('same', `was told as ${JSON.stringify(body)}, and is ${JSON.stringify(wanted)}`)
  }
  checkOnTheWay(subject, all, note)
}

/** What the service takes for delivered was acknowledged; what it gave up is no longer of use. */
function checkOwed(facts: Facts, told: ReadonlyMap<string, readonly Told[]>): Finding[] {
  return facts.evidence.owed.flatMap(({ merchant, kind, id, state, status }): Finding[] => {
    const name = nameOf(merchant, kind, id)
    if (facts.evidence.merchants[merchant]?.listens.includes(kind) !== true) return []
    const isEnd = isFinal({ status: state })
    const all = (told.get(name) ?? []).filter(({ body }) => isFinal(body) === isEnd)
    const isOver = isFinal(facts.subjects.get(name)?.record)
    const isSettled = status === 'DELIVERED' ? all.some(isAcknowledged) : !isEnd && isOver
    if (isSettled && status !== 'PENDING') return []
    const what = `the callback of ${state} is ${status}, and ${all.length} arrived`
    return [{ rule: 'complete', subject: name, what }]
  })
}

const leadsToPage = ({ kind, record = {} }: Subject): boolean =>
  kind === 'deposit' && accountOf(record).provider === REDIRECTING_PROVIDER

/**
 * An operator with a page says where it is before anything else, so each of its deposits owes a
 * callback of that, once; but not where the end was told unasked, which may come first.
 */
function checkPages({ evidence, subjects }: Facts): Finding[] {
  const owed = new Map<string, number>()
  for (const { merchant, kind, id, state } of evidence.owed) {
    const name = nameOf(merchant, kind, id)
    if (!isFinal({ status: state })) owed.set(name, (owed.get(name) ?? 0) + 1)
  }
  return [...subjects.values()].flatMap((subject): Finding[] => {
    const { name, merchant, record } = subject
    const listens = evidence.merchants[merchant]?.listens.includes('deposit') === true
    if (record === undefined || !listens || !leadsToPage(subject)) return []
    const script = scriptedStory(accountOf(record).phoneNumber)?.script ?? []
    if (script.some(({ answer }) => UNASKED.includes(answer))) return []
    const what = `leads to a page, and ${owed.get(name) ?? 0} callbacks of that are owed`
    return owed.get(name) === 1 ? [] : [{ rule: 'complete', subject: name, what }]
  })
}

const UNASKED = ['duplicate', 'contradict']

const ON_THE_WAY = ['PROCESSING', 'IN_RECONCILIATION']

/** Before its end a deposit is told of once, where the customer has to be led to a page. */
function checkOnTheWay(subject: Subject, all: readonly Told[], note: Note): void {
  const isRedirected = leadsToPage(subject)
  const early = all.filter(({ body }) => !isFinal(body))
  if (!isRedirected && early.length > 0) note('order', 'was told before its end')
  for (const { body } of early) {
    const { status, nextStep, authorizationUrl } = body
    const isWhole = ON_THE_WAY.includes(String(status)) && nextStep === 'REDIRECT_TO_AUTH_URL'
    if (isRedirected && !(isWhole && typeof authorizationUrl === 'string')) {
      note('same', `does not lead to a page: ${JSON.stringify(body)}`)
    }
  }
  const end = all.findIndex((one) => isFinal(one.body) && isAcknowledged(one))
  if (end >= 0 && all.slice(end).some(({ body }) => !isFinal(body))) {
    note('order', 'an earlier state came after the end had been acknowledged')
  }
}
