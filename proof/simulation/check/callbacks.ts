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

type Received = { readonly seen: CallbackSeen; readonly body: Body }

/** What the merchants' servers received, in order of arrival. */
export function checkCallbacks(facts: Facts): Finding[] {
  const { evidence } = facts
  const findings: Finding[] = []
  const received = new Map<string, Received[]>()
  for (const seen of evidence.callbacks) {
    const problem = problemWith(seen, evidence.keys)
    const body = parsed(seen.body)
    const name = nameOf(seen.merchant, seen.kind, body[ID_FIELDS[seen.kind as Kind]])
    if (problem !== undefined) findings.push({ rule: 'signed', subject: name, what: problem })
    if (seen.kind === 'checkout') continue
    received.set(name, [...(received.get(name) ?? []), { seen, body }])
    const isListening = evidence.merchants[seen.merchant]?.listens.some((one) => one === seen.kind)
    if (facts.subjects.get(name)?.record === undefined || isListening !== true) {
      const what = `was sent to a merchant that should not get it: ${seen.body}`
      findings.push({ rule: 'same', subject: name, what })
    }
  }
  for (const subject of facts.subjects.values()) {
    if (subject.record === undefined) continue
    const note: Note = (rule, what) => {
      findings.push({ rule, subject: subject.name, what })
    }
    const listens = evidence.merchants[subject.merchant]?.listens.includes(subject.kind) === true
    checkReceived(subject, received.get(subject.name) ?? [], listens, note)
  }
  return [...findings, ...checkOwed(facts, received), ...checkPages(facts)]
}

const isAcknowledged = ({ seen }: Received): boolean => seen.answered === 200

function checkReceived(
  subject: Subject,
  all: readonly Received[],
  listens: boolean,
  note: Note,
): void {
  const { record = {}, earlier } = subject
  const ends = all.filter(({ body }) => isFinal(body))
  if (listens && isFinal(record) && !ends.some(isAcknowledged)) {
    note('complete', `is ${record.status}, but no callback of that was acknowledged`)
  }
  const spoken = generationsFor(subject)
  const wanted = [spoken.has('v2') ? record : undefined, spoken.has('v1') ? earlier : undefined]
  for (const { body } of ends) {
    if (wanted.some((one) => one !== undefined && isDeepStrictEqual(body, one))) continue
    note('same', `was sent as ${JSON.stringify(body)}, but is ${JSON.stringify(wanted)}`)
  }
  checkOnTheWay(subject, all, note)
}

/** What the service stored as delivered was acknowledged; what it gave up is out of date. */
function checkOwed(facts: Facts, received: ReadonlyMap<string, readonly Received[]>): Finding[] {
  return facts.evidence.owed.flatMap(({ merchant, kind, id, state, status }): Finding[] => {
    const name = nameOf(merchant, kind, id)
    if (facts.evidence.merchants[merchant]?.listens.includes(kind) !== true) return []
    const isEnd = isFinal({ status: state })
    const all = (received.get(name) ?? []).filter(({ body }) => isFinal(body) === isEnd)
    const isOver = isFinal(facts.subjects.get(name)?.record)
    const isSettled = status === 'DELIVERED' ? all.some(isAcknowledged) : !isEnd && isOver
    if (isSettled && status !== 'PENDING') return []
    const what = `the callback of ${state} is ${status}, but ${all.length} arrived`
    return [{ rule: 'complete', subject: name, what }]
  })
}

const leadsToPage = ({ kind, record = {} }: Subject): boolean =>
  kind === 'deposit' && accountOf(record).provider === REDIRECTING_PROVIDER

/**
 * An operator with a page says where it is before anything else, so each of its deposits has one
 * callback of that; except where the operator sends the outcome unasked, which may come first.
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
    const what = `leads to a page, but has ${owed.get(name) ?? 0} callbacks of that`
    return owed.get(name) === 1 ? [] : [{ rule: 'complete', subject: name, what }]
  })
}

const UNASKED = ['duplicate', 'contradict']

const ON_THE_WAY = ['PROCESSING', 'IN_RECONCILIATION']

/** Before its final state a deposit has one callback, if the customer is sent to a page. */
function checkOnTheWay(subject: Subject, all: readonly Received[], note: Note): void {
  const isRedirected = leadsToPage(subject)
  const early = all.filter(({ body }) => !isFinal(body))
  if (!isRedirected && early.length > 0) note('order', 'had a callback before its final state')
  for (const { body } of early) {
    const { status, nextStep, authorizationUrl } = body
    const isWhole = ON_THE_WAY.includes(String(status)) && nextStep === 'REDIRECT_TO_AUTH_URL'
    if (isRedirected && !(isWhole && typeof authorizationUrl === 'string')) {
      note('same', `does not lead to a page: ${JSON.stringify(body)}`)
    }
  }
  const end = all.findIndex((one) => isFinal(one.body) && isAcknowledged(one))
  if (end >= 0 && all.slice(end).some(({ body }) => !isFinal(body))) {
    note('order', 'an earlier state arrived after the final one had been acknowledged')
  }
}
