import { verifyBooks } from '../../src/usecases/verify-books.ts'
import { brokenBytes } from './bytes.ts'
import { acceptedIn, faultOf } from './judge.ts'
import { diceOf, type FuzzRequest, requestOf, type World, wholeOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { fingerprints, rowCounts, startedBy } from './traces.ts'
import { answersIn, openWire, sendBytes, type Wire, type WireAnswer } from './wire.ts'

export type FuzzOptions = {
  readonly requests: number
  readonly seed: number
  /** Called now and then, with how far it is. */
  readonly onProgress?: (done: number) => void
}

export type FuzzReport = {
  readonly requests: number
  readonly broken: number
  readonly accepted: number
  readonly shed: number
  readonly seconds: number
  /** By generation and status. */
  readonly statuses: ReadonlyMap<string, number>
  /** Rows that came into each table. */
  readonly rows: ReadonlyMap<string, number>
  readonly faults: readonly Fault[]
}

export type Fault = { readonly what: string; readonly number?: number; readonly replay?: string }

const CONNECTIONS = 48
const AT_ONCE_MAX = 12
/** Every so many requests are broken on the wire, each on a connection of its own. */
const BROKEN_ONE_IN = 40
const BROKEN_MS = 5000
const FAULTS_MAX = 20

type Tally = {
  next: number
  broken: number
  shed: number
  readonly statuses: Map<string, number>
  readonly accepted: Set<string>
  /** Sent, and nobody knows what became of them. */
  readonly doubtful: Set<string>
  /** What came back to requests that were broken on the wire, by their identifiers. */
  readonly said: Map<string, string>
  readonly faults: Fault[]
}

/** Sends so many hostile requests, judges every answer, and then looks for what should not be there. */
export async function fuzz(stage: Stage, options: FuzzOptions): Promise<FuzzReport> {
  const world: World = { ...stage.world, seed: options.seed }
  const [prints, rowsBefore, stored] = await lookAround(stage)
  const tally: Tally = {
    next: 0,
    broken: 0,
    shed: 0,
    statuses: new Map(),
    accepted: new Set(),
    doubtful: new Set(),
    said: new Map(),
    faults: [],
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(stage, world, options, tally)))
  const seconds = (performance.now() - startedAt) / 1000
  await stage.settled()
  const [printsAfter, rowsAfter, storedAfter] = await lookAround(stage)
  for (const [table, print] of prints) {
    if (printsAfter.get(table) !== print) {
      tally.faults.push({ what: `${table} has changed: ${print}, now ${printsAfter.get(table)}` })
    }
  }
  compareStored(tally, stored, storedAfter)
  tally.faults.push(...(await checkOthers(stage)))
  return {
    requests: options.requests,
    broken: tally.broken,
    accepted: tally.accepted.size,
    shed: tally.shed,
    seconds,
    statuses: tally.statuses,
    rows: new Map(
      [...rowsAfter].map(([name, count]) => [name, count - (rowsBefore.get(name) ?? 0)]),
    ),
    faults: tally.faults,
  }
}

const lookAround = ({ database, merchantId, signedMerchantId }: Stage) =>
  Promise.all([
    fingerprints(database, merchantId),
    rowCounts(database),
    startedBy(database, [merchantId, signedMerchantId]),
  ])

async function drive(
  stage: Stage,
  world: World,
  options: FuzzOptions,
  tally: Tally,
): Promise<void> {
  let wire: Wire | undefined
  while (tally.next < options.requests && tally.faults.length < FAULTS_MAX) {
    const batch: FuzzRequest[] = []
    const dice = diceOf(world, tally.next)
    const wanted = dice.between(1, AT_ONCE_MAX)
    while (batch.length < wanted && tally.next < options.requests) {
      const number = tally.next
      tally.next += 1
      if (number % 1000 === 0) options.onProgress?.(number)
      const request = requestOf(world, number)
      if (diceOf(world, number).oneIn(BROKEN_ONE_IN)) await sendBroken(stage, world, request, tally)
      else batch.push(request)
      // What is too large closes the connection for those behind it.
      if (request.body.length > 1_000_000) break
    }
    if (batch.length === 0) continue
    if (wire === undefined || !wire.isOpen()) wire = await reach(stage, tally)
    if (wire === undefined) return
    const sent = batch.map((one) => ({ bytes: wholeOf(one), isHead: one.method === 'HEAD' }))
    let answers = await wire.exchange(sent)
    if (answers[0] === undefined) {
      // An idle connection may be closed as it is used; a new one may not.
      for (const one of batch) for (const id of idsIn(one)) tally.doubtful.add(id)
      wire = await reach(stage, tally)
      answers = (await wire?.exchange(sent)) ?? []
    }
    judge(batch, answers, tally)
  }
  wire?.close()
}

async function reach({ port }: Stage, tally: Tally): Promise<Wire | undefined> {
  try {
    return await openWire(port)
  } catch (error) {
    tally.faults.push({ what: `the service cannot be reached: ${(error as Error).message}` })
    return undefined
  }
}

function judge(
  batch: readonly FuzzRequest[],
  answers: readonly (WireAnswer | undefined)[],
  tally: Tally,
): void {
  let isClosed = false
  for (const [at, request] of batch.entries()) {
    const answer = answers[at]
    if (answer === undefined) {
      for (const id of idsIn(request)) tally.doubtful.add(id)
      // Behind an answer that closes the connection nothing more is answered.
      if (!isClosed) tally.faults.push(faultIn(request, 'there was no answer'))
      isClosed = true
      continue
    }
    isClosed = answer.headers.get('connection') === 'close'
    note(request, answer, tally)
    const fault = faultOf(request, answer)
    if (fault !== undefined) {
      tally.faults.push(faultIn(request, `${fault}: ${answer.status} ${answer.body.slice(0, 300)}`))
    }
  }
}

function note(request: FuzzRequest, answer: WireAnswer, tally: Tally): void {
  const name = `${request.target.generation} ${answer.status}`
  tally.statuses.set(name, (tally.statuses.get(name) ?? 0) + 1)
  if (answer.status === 503) tally.shed += 1
  for (const one of acceptedIn(request, answer)) tally.accepted.add(one)
}

/** Whatever comes back must be whole answers in order; nothing may come back as well. */
async function sendBroken(
  stage: Stage,
  world: World,
  request: FuzzRequest,
  tally: Tally,
): Promise<void> {
  const dice = diceOf(world, request.number + 1e9)
  const pieces = brokenBytes(request.head, request.body, dice)
  // Whoever says at once that nothing more comes is not answered any more.
  const patienceMs = dice.oneIn(2) ? 0 : 200
  tally.broken += 1
  const text = await sendBytes(stage.port, pieces, { ms: BROKEN_MS, patienceMs }).catch(
    (error: Error) => {
      tally.faults.push({ what: `the service cannot be reached: ${error.message}` })
      return ''
    },
  )
  const answers = answersIn(text).filter(({ status }) => status >= 200)
  for (const id of idsIn(request)) {
    if (answers.length === 0) tally.doubtful.add(id)
    else tally.said.set(id, text.slice(0, 600))
  }
  for (const answer of answers) {
    // Its first line may have become another one, so only what holds for all is asked.
    const asPage = { ...request, target: { ...request.target, generation: 'page' as const } }
    const fault = faultOf(asPage, answer)
    const replay = Buffer.concat(pieces).toString('hex')
    if (fault !== undefined) {
      tally.faults.push({ what: `${fault}: ${text.slice(0, 300)}`, number: request.number, replay })
    }
    note({ ...request, target: { ...request.target, generation: 'page' } }, answer, tally)
    for (const one of acceptedIn(request, answer)) tally.accepted.add(one)
  }
}

/** Also those that a change has made of others. */
const idsIn = ({ ids, body }: FuzzRequest): readonly string[] => [
  ...ids,
  ...(body.toString('latin1').toLowerCase().match(UUIDS) ?? []),
]

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What was accepted is there, and nothing else. */
function compareStored(
  { accepted, doubtful, said, faults }: Tally,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): void {
  const idOf = (name: string): string => name.slice(name.indexOf('/') + 1)
  for (const name of after) {
    if (before.has(name) || accepted.has(name) || doubtful.has(idOf(name))) continue
    const instead = said.get(idOf(name)) ?? 'not what'
    faults.push({ what: `${name} is stored, and nobody was told ACCEPTED but ${instead}` })
  }
  for (const name of accepted) {
    if (after.has(name) || NOT_BY_ID.test(name)) continue
    faults.push({ what: `${name} was accepted and is not there` })
  }
}

/** A page has a session that is found by the token in its address. */
const NOT_BY_ID = /^(session|paymentPage)\//

/** Whoever requires signatures got none, and the books are in order. */
async function checkOthers({ database, signedMerchantId }: Stage): Promise<readonly Fault[]> {
  const started = await startedBy(database, [signedMerchantId])
  const books = await verifyBooks(database, () => {})
  return [
    ...[...started]
      // Only what starts payments is signed; checkouts let customers start them.
      .filter((name) => !/^(statement|checkout)\//.test(name))
      .map((name) => ({ what: `${name} was stored without its signature` })),
    ...books.flatMap(({ name, findings }) =>
      findings.map((one) => ({ what: `${name}: ${JSON.stringify(one)}` })),
    ),
  ]
}

function faultIn(request: FuzzRequest, what: string): Fault {
  return { what, number: request.number, replay: replayOf(request) }
}

/** For a shell where that can be written; else the bytes. */
export function replayOf(request: FuzzRequest): string {
  const whole = wholeOf(request)
  const text = whole.toString('latin1')
  if (whole.length > 4000 || /[^\x20-\x7e\r\n]/.test(text)) return whole.toString('hex')
  const lines = request.head.trimEnd().split('\r\n').slice(2)
  const headers = lines
    .filter((line) => !/^content-length/i.test(line))
    .map((line) => ` -H ${quoted(line)}`)
  const host = /Host: (\S+)/.exec(request.head)?.[1]
  const data = request.body.length > 0 ? ` --data-binary ${quoted(request.body.toString())}` : ''
  const address = request.address.startsWith('/')
    ? `http://${host}${request.address}`
    : request.address
  return `curl -gi --path-as-is -X ${request.method} ${quoted(address)}${headers.join('')}${data}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
