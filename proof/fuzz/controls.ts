import type { Stage } from '../hostile/stage.ts'
import { faultOf } from './judge.ts'
import { replayOf } from './replay.ts'
import { type FuzzRequest, requestOf, wholeOf } from './requests.ts'
import type { Fault } from './tally.ts'
import { changesIn, type Prints, printsOf, watchesOf } from './traces.ts'
import { openWire, type Wire, type WireAnswer } from './wire.ts'
import type { World } from './world.ts'

/** Hostile calls of controls, each checked by itself. */
export type ControlReport = {
  readonly sent: number
  readonly refused: number
  /** Granted, and something was stored. */
  readonly changed: number
  readonly faults: readonly Fault[]
}

const SHARE = 0.01
const FEWEST = 100
const MOST = 3000
const FAULTS_MAX = 5

/** How many of them for a run of this many requests. */
export const controlsFor = (requests: number): number =>
  Math.min(MOST, Math.max(FEWEST, Math.ceil(requests * SHARE)))

/** Calls as a merchant that does nothing else, so that each trace belongs to one request. */
export async function askControls(
  stage: Stage,
  seed: number,
  count: number,
): Promise<ControlReport> {
  const { database, lone, port } = stage
  const watches = await watchesOf(database, lone.merchantId)
  const world: World = {
    ...stage.world,
    seed,
    targets: stage.world.targets.filter((one) => one.isControl),
    token: lone.token,
    controlToken: lone.token,
    session: lone.session,
  }
  const requests = Array.from({ length: count }, (_, number) => requestOf(world, number))
  const asker = askerAt(port)
  try {
    return await tracesOf(requests, asker.ask, () => printsOf(database, watches))
  } finally {
    asker.close()
  }
}

/** One request after the other: what is refused leaves everything as it was. */
export async function tracesOf(
  requests: readonly FuzzRequest[],
  ask: (request: FuzzRequest) => Promise<WireAnswer | undefined>,
  look: () => Promise<Prints>,
): Promise<ControlReport> {
  const faults: Fault[] = []
  let [sent, refused, changed] = [0, 0, 0]
  let before = await look()
  for (const request of requests) {
    if (faults.length >= FAULTS_MAX) break
    const answer = await ask(request)
    const after = await look()
    const changes = changesIn(before, after)
    before = after
    sent += 1
    if (answer !== undefined && answer.status >= 400) refused += 1
    else if (changes.length > 0) changed += 1
    const what = problemOf(request, answer, changes)
    // Numbered from the first control, so not the number of a request of the run.
    if (what !== undefined) {
      faults.push({ what: `control ${request.number}: ${what}`, replay: replayOf(request) })
    }
  }
  return { sent, refused, changed, faults }
}

function problemOf(
  request: FuzzRequest,
  answer: WireAnswer | undefined,
  changes: readonly string[],
): string | undefined {
  if (answer === undefined) return 'there was no answer'
  const { status, body } = answer
  const fault = faultOf(request, answer)
  if (fault !== undefined) return `${fault}: ${status} ${body.slice(0, 300)}`
  if (status < 400 || changes.length === 0) return undefined
  return `it was refused with ${status}, and ${changes.join('; ')}`
}

type Asker = {
  ask(request: FuzzRequest): Promise<WireAnswer | undefined>
  close(): void
}

function askerAt(port: number): Asker {
  let wire: Wire | undefined
  return {
    ask: async (request) => {
      if (wire?.isOpen() !== true) wire = await openWire(port)
      const isHead = request.method === 'HEAD'
      const [answer] = await wire.exchange([{ bytes: wholeOf(request), isHead }])
      if (answer?.headers.get('connection') === 'close') {
        wire.close()
        wire = undefined
      }
      return answer
    },
    close: () => wire?.close(),
  }
}
