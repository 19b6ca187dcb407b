import type { Stage } from '../hostile/stage.ts'
import { faultsAfter, lookAround } from './aftermath.ts'
import { brokenBytes } from './bytes.ts'
import { askControls, type ControlReport, controlsFor } from './controls.ts'
import { coverageGaps } from './coverage.ts'
import { faultOf } from './judge.ts'
import { type FuzzRequest, requestOf, wholeOf } from './requests.ts'
import {
  acceptedName,
  countOperation,
  doubt,
  type Fault,
  faultIn,
  idsIn,
  newTally,
  note,
  type OperationCount,
  type Tally,
} from './tally.ts'
import { clockAheadMs, startedBy } from './traces.ts'
import { answersIn, openWire, sendBytes, type Wire, type WireAnswer } from './wire.ts'
import { diceOf, type World } from './world.ts'

type FuzzOptions = {
  readonly requests: number
  readonly seed: number
  /** Called now and then with the progress. */
  readonly onProgress?: (done: number) => void
}

export type FuzzReport = {
  readonly requests: number
  readonly broken: number
  readonly accepted: number
  /** Deposits that customers may have started on pages. */
  readonly paid: number
  readonly shed: number
  readonly seconds: number
  /** By generation and status. */
  readonly statuses: ReadonlyMap<string, number>
  /** By method and path. */
  readonly operations: ReadonlyMap<string, OperationCount>
  /** Rows added to each table. */
  readonly rows: ReadonlyMap<string, number>
  /** Controls that were called one by one afterwards. */
  readonly controls: Omit<ControlReport, 'faults'>
  readonly faults: readonly Fault[]
}

const CONNECTIONS = 48
const AT_ONCE_MAX = 12
/** Every n-th request is broken on the wire, each on its own connection. */
const BROKEN_ONE_IN = 40
const BROKEN_MS = 5000
/** How many of them at once. */
const BREAKING_MAX = 150
const FAULTS_MAX = 20
const PROGRESS_EVERY = 1000
const TEND_EVERY = 2000

/** Sends hostile requests, judges every answer, and then looks for what should not be stored. */
export async function fuzz(stage: Stage, options: FuzzOptions): Promise<FuzzReport> {
  const world: World = { ...stage.world, seed: options.seed }
  const before = await lookAround(stage)
  const earlier = [...before.stored.keys()].filter((name) => name.startsWith('attempt/'))
  const mine = await startedBy(stage.database, [stage.merchantId])
  const tally = newTally(
    earlier,
    [...mine.keys()].map((name) => acceptedName(world.token, name)),
  )
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(stage, world, options, tally)))
  const seconds = (performance.now() - startedAt) / 1000
  await Promise.all(tally.breaking)
  await tally.tending
  await stage.settled()
  await watchClock(stage, tally)
  const after = await lookAround(stage)
  tally.faults.push(...(await faultsAfter(stage, tally, before, after)))
  const gaps = coverageGaps(world.targets, tally.operations, tally.next)
  tally.faults.push(...gaps.map((what) => ({ what })))
  // Last, as it moves the clock as well.
  const { faults, ...controls } = await askControls(stage, options.seed, controlsFor(tally.next))
  tally.faults.push(...faults)
  return {
    requests: tally.next,
    broken: tally.broken,
    accepted: tally.accepted.size,
    paid: tally.allowed.size - earlier.length,
    shed: tally.shed,
    seconds,
    statuses: tally.statuses,
    operations: tally.operations,
    rows: new Map(
      [...after.rows].map(([name, count]) => [name, count - (before.rows.get(name) ?? 0)]),
    ),
    controls,
    faults: tally.faults,
  }
}

async function watchClock({ database }: Stage, tally: Tally): Promise<void> {
  tally.clockAheadMs = Math.max(tally.clockAheadMs, await clockAheadMs(database))
}

async function drive(
  stage: Stage,
  world: World,
  options: FuzzOptions,
  tally: Tally,
): Promise<void> {
  let wire: Wire | undefined
  while (tally.next < options.requests && tally.faults.length < FAULTS_MAX) {
    const batch: FuzzRequest[] = []
    const wanted = diceOf(world, tally.next, 'batch').between(1, AT_ONCE_MAX)
    while (batch.length < wanted && tally.next < options.requests) {
      const number = tally.next
      tally.next += 1
      if (number % PROGRESS_EVERY === 0) options.onProgress?.(number)
      if (number % TEND_EVERY === TEND_EVERY - 1) tend(stage, tally)
      const request = requestOf(world, number)
      const breaks = diceOf(world, number, 'breaks').oneIn(BROKEN_ONE_IN)
      if (breaks) await beside(tally, sendBroken(stage, world, request, tally))
      else batch.push(request)
      // A body that is too large closes the connection for the requests behind it.
      if (request.body.length > 1_000_000) break
    }
    if (batch.length === 0) continue
    if (wire === undefined || !wire.isOpen()) wire = await reach(stage, tally)
    if (wire === undefined) return
    const sent = batch.map((one) => ({ bytes: wholeOf(one), isHead: one.method === 'HEAD' }))
    let answers = await wire.exchange(sent)
    if (answers[0] === undefined) {
      // An idle connection may be closed just as it is used; a new one may not.
      for (const one of batch) doubt(one, tally)
      wire = await reach(stage, tally)
      answers = (await wire?.exchange(sent)) ?? []
    }
    judge(batch, answers, tally)
  }
  wire?.close()
}

/** For some broken requests the service waits for seconds; the others go on meanwhile. */
async function beside({ breaking }: Tally, work: Promise<void>): Promise<void> {
  breaking.add(work)
  work.finally(() => breaking.delete(work))
  if (breaking.size > BREAKING_MAX) await Promise.race(breaking)
}

/** In parallel to the hostile requests; one at a time. */
function tend(stage: Stage, tally: Tally): void {
  tally.tending ??= watchClock(stage, tally)
    .then(stage.tend)
    .catch((error: Error) => {
      tally.faults.push({ what: `a valid call failed: ${error.message}` })
    })
    .finally(() => {
      tally.tending = undefined
    })
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
      doubt(request, tally)
      // After an answer that closes the connection nothing more is answered.
      if (!isClosed) tally.faults.push(faultIn(request, 'there was no answer'))
      isClosed = true
      continue
    }
    isClosed = answer.headers.get('connection') === 'close'
    note(request, answer, tally)
    countOperation(request, answer, tally)
    const fault = faultOf(request, answer)
    if (fault !== undefined) {
      tally.faults.push(faultIn(request, `${fault}: ${answer.status} ${answer.body.slice(0, 300)}`))
    }
  }
}

/** Each call of these creates another one, also with the same identifier. */
const MAKES_ANEW = /^\/(v2\/paymentpage|v1\/widget\/sessions|v2\/statements)$/

/** What comes back must be complete answers in order; no answer is allowed too. */
async function sendBroken(
  stage: Stage,
  world: World,
  request: FuzzRequest,
  tally: Tally,
): Promise<void> {
  const dice = diceOf(world, request.number, 'bytes')
  const pieces = brokenBytes(request.head, request.body, dice)
  // A client that closes its side at once is not answered.
  const waitMs = dice.oneIn(2) ? 0 : 200
  tally.broken += 1
  const text = await sendBytes(stage.port, pieces, { ms: BROKEN_MS, waitMs }).catch(
    (error: Error) => {
      tally.faults.push({ what: `the service cannot be reached: ${error.message}` })
      return ''
    },
  )
  const answers = answersIn(text).filter(({ status }) => status >= 200)
  // Sent several times, it may have created more than was answered.
  const makesAnew = request.link !== undefined || MAKES_ANEW.test(request.target.path)
  if (answers.length === 0 || makesAnew) doubt(request, tally)
  else for (const id of idsIn(request)) tally.answers.set(id, text.slice(0, 600))
  for (const answer of answers) {
    // Its first line may have changed, so only what holds for all targets is checked.
    const asPage = { ...request, target: { ...request.target, generation: 'page' as const } }
    const fault = faultOf(asPage, answer)
    const replay = Buffer.concat(pieces).toString('hex')
    if (fault !== undefined) {
      tally.faults.push({ what: `${fault}: ${text.slice(0, 300)}`, number: request.number, replay })
    }
    note(request, answer, tally, 'page')
  }
}
