import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, type Service } from '../../harness/service.ts'
import { PACKAGE_ROOT } from '../../src/package-root.ts'
import type { Entry } from '../../src/providers/stand-in/book.ts'
import type { RunningStandIn } from '../../src/providers/stand-in/server.ts'
import { findExchanges, type KeptExchange } from '../../src/store/operators/exchanges.ts'
import { findPaymentsById } from '../../src/store/payments/list-payments.ts'
import type { Kind, Subject } from './contract.ts'

/** What the contract lends to the run that the documents show. */
type Stage = {
  readonly subject: Subject
  readonly service: Service
  readonly operator: RunningStandIn
  number(): string
  /** Asks for a payment and waits until its order is on its way. */
  start(kind: Kind, phoneNumber: string): Promise<string>
  /** Waits for the state; moves the test clock until then, unless only a callback can bring it. */
  reaches(kind: Kind, id: string, status: string): Promise<Readonly<Record<string, unknown>>>
  quiet(kind: Kind): void
  loseAnswer(): void
}

/** Compares a run with the one in the documents, or writes it there with MALIPO_RECORD=1. */
export async function assertRecorded(stage: Stage): Promise<void> {
  const { name } = stage.subject.standIn
  const file = join(PACKAGE_ROOT, `docs/operator-runs/${name}.md`)
  const text = await record(stage)
  if (process.env.MALIPO_RECORD === '1') await writeFile(file, text)
  assert.equal(
    await readFile(file, 'utf8'),
    text,
    `Record it again: MALIPO_RECORD=1 npm test -- providers/${name}`,
  )
}

async function record(stage: Stage): Promise<string> {
  const { subject } = stage
  const { name } = subject.standIn
  const sections: string[] = []
  let depositId = ''
  for (const kind of subject.kinds) {
    if (kind === 'refund') continue
    const party = stage.number()
    stage.quiet(kind)
    const id = await startAndEnd(stage, kind, party)
    await stage.reaches(kind, id, 'COMPLETED')
    if (kind === 'deposit') depositId = id
    sections.push(await recorded(stage, `A ${kind} that succeeds`, { kind, id, party }))
  }
  if (subject.kinds.includes('refund')) sections.push(await refund(stage, depositId))
  for (const { kind, reason, means } of subject.failures ?? []) {
    const party = stage.number()
    stage.quiet(kind)
    stage.operator.setEnding(party, { says: 'failure', reason })
    stage.operator.setEnding(localPart(party), { says: 'failure', reason })
    const id = await startAndEnd(stage, kind, party)
    await stage.reaches(kind, id, 'FAILED')
    sections.push(await recorded(stage, `A ${kind} that fails: ${means}`, { kind, id, party }))
  }
  sections.push(await lostAnswer(stage))
  return `# A run with the stand-in of ${name}\n\n${HEAD(name)}\n${sections.join('\n')}`
}

const HEAD = (name: string): string => `\
Requests to the public API of Malipo, and what it exchanged with the stand-in operator because of
them. Written by \`npm test -- providers/${name}\`, which compares it with what happens. Identifiers,
times and secrets are replaced; look-ups that found a payment still open are left out. No operator
has seen this: the stand-in is our own reading of its documents.
`

/** The first look-up finds it ended, on any machine. */
async function startAndEnd(stage: Stage, kind: Kind, party: string): Promise<string> {
  const id = await stage.start(kind, party)
  await eventually(() => {
    const [entry] = entriesOf(stage, party)
    assert.ok(entry !== undefined, `${kind} of ${party} is not in the book`)
    assert.ok(entry.endsAt < Date.now(), `${kind} of ${party} has not ended`)
  })
  return id
}

async function refund(stage: Stage, depositId: string): Promise<string> {
  const { amount, currency } = stage.subject
  const refundId = randomUUID()
  const known = new Set(stage.operator.book.all().map(({ reference }) => reference))
  stage.quiet('refund')
  const { body } = await stage.service.post('/v2/refunds', {
    ...{ refundId, depositId, amount, currency },
  })
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  const newOnes = (): readonly Entry[] =>
    stage.operator.book.all().filter(({ reference }) => !known.has(reference))
  // A clock that is moved before it has left would have it looked up first.
  await eventually(() => {
    assert.ok(newOnes().length > 0, 'the refund is not in the book')
    assert.ok(newOnes().every(({ endsAt }) => endsAt < Date.now()))
  })
  await stage.reaches('refund', refundId, 'COMPLETED')
  const entries = newOnes()
  return recorded(stage, 'A refund that succeeds', { kind: 'refund', id: refundId, entries })
}

async function lostAnswer(stage: Stage): Promise<string> {
  const { isFoundByOurReference } = stage.subject.traits
  const party = stage.number()
  stage.loseAnswer()
  const id = await startAndEnd(stage, 'deposit', party)
  await stage.reaches('deposit', id, isFoundByOurReference ? 'COMPLETED' : 'IN_RECONCILIATION')
  return recorded(stage, 'A deposit whose answer gets lost', { kind: 'deposit', id, party })
}

type Recorded = {
  readonly kind: Kind
  readonly id: string
  readonly party?: string
  readonly entries?: readonly Entry[]
}

/** One payment: what was asked, what was exchanged, how it ended on both sides. */
async function recorded(stage: Stage, title: string, payment: Recorded): Promise<string> {
  const { subject, service } = stage
  const { kind, id, party } = payment
  const record = (await service.get(`/v2/${kind}s/${id}`)).body.data
  const isOver = kind === 'refund' && subject.traits.isRefundFinalAtOnce === true
  const exchanges = await keptOf(service, id, isOver ? /./ : FINAL[record.status])
  const entries = payment.entries ?? entriesOf(stage, party ?? '')
  assert.equal(entries.length, 1, `${title}: ${entries.length} orders at the operator`)
  const [entry] = entries as [Entry]
  const byCallback = subject.traits.endedByCallback?.includes(kind) === true
  const lines = exchanges
    .filter(({ what, outcome }) => what !== 'query' || !/^(PENDING|NOT_FOUND)/.test(outcome ?? ''))
    .filter(({ what }) => what !== 'callback' || byCallback)
    .map(exchangeText)
  const unlike = lines.filter((line, at) => line !== lines[at - 1])
  const failure = record.failureReason?.failureCode
  const ended = [record.status, failure, record.providerTransactionId && '<transaction>']
  const text = [
    `POST /v2/${kind}s`,
    '    ACCEPTED',
    ...unlike,
    `GET /v2/${kind}s/<id>`,
    `    ${ended.filter((one) => one !== undefined).join(' ')}`,
  ].join('\n')
  const others = stage.operator.book.all().filter(({ reference }) => reference !== entry.reference)
  const plain = withoutIds(text, id, entry, others)
  const state = entry.ending.says === 'failure' ? `failed (${entry.ending.reason})` : 'succeeded'
  return `## ${title}\n\n\`\`\`text\n${plain}\n\`\`\`\n\nAt the operator: one order, which ${state}.\n`
}

const FINAL: Readonly<Record<string, RegExp>> = { COMPLETED: /^DONE/, FAILED: /^(FAILED|REFUSED)/ }

/** Exchanges are written a moment after what they lead to. */
async function keptOf(
  service: Service,
  id: string,
  last: RegExp | undefined,
): Promise<readonly KeptExchange[]> {
  const [payment] = await findPaymentsById(service.database, id)
  assert.ok(payment !== undefined)
  return eventually(async () => {
    const kept = await findExchanges(service.database, payment.merchantId, payment.key)
    const isLast = ({ what, outcome = '' }: KeptExchange): boolean =>
      what === 'callback' || last === undefined || last.test(outcome)
    assert.ok(kept.some(isLast), JSON.stringify(kept))
    return kept
  })
}

function exchangeText({ what, request, httpStatus, answer, outcome }: KeptExchange): string {
  const [line = '', ...body] = request.split('\n')
  const to = what === 'callback' ? 'The operator calls back' : `To the operator: ${line}`
  const sent = what === 'callback' ? [request] : body
  const result = httpStatus === undefined ? 'no answer' : String(httpStatus)
  const meaning = outcome === undefined ? '' : ` (${outcome})`
  const given = answer === undefined || answer === '' ? [] : [answer]
  return [to, ...sent.map(indented), `    ${result}${meaning}`, ...given.map(indented)].join('\n')
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

/** What differs from run to run. The other orders are there for the deposit that a refund names. */
function withoutIds(text: string, id: string, entry: Entry, others: readonly Entry[]): string {
  const names: readonly (readonly [string, string])[] = [
    [id, '<id>'],
    [entry.reference, '<reference>'],
    [entry.transactionId, '<transaction>'],
    ...others.flatMap(({ reference, transactionId }) => [
      [reference, '<reference of the deposit>'] as const,
      [transactionId, '<transaction of the deposit>'] as const,
    ]),
  ]
  const isWord = (value: string): RegExp =>
    new RegExp(`(?<!\\w)${value.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'g')
  return names
    .reduce((plain, [value, name]) => plain.replaceAll(isWord(value), name), text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replaceAll(/("(?:AccountReference|Occassion)":")\w+/g, '$1<random>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/AG_\w+|\bR?[0-9a-f]{8,}\b|\b\d+-\d+-\d+\b/g, '<random>')
    .replaceAll(/\d*\*{3}\d+/g, '<number>')
}

const localPart = (party: string): string => party.slice(3)

const entriesOf = ({ operator }: Stage, party: string): readonly Entry[] =>
  operator.book.all().filter((one) => party.endsWith(one.party.replace(/^\+/, '')))
