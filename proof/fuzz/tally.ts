import { acceptedIn, isDone } from './judge.ts'
import { replayOf } from './replay.ts'
import type { FuzzRequest } from './requests.ts'
import { nameOf } from './targets.ts'
import type { WireAnswer } from './wire.ts'

export type Fault = { readonly what: string; readonly number?: number; readonly replay?: string }

/** The results of the calls of one target. */
export type OperationCount = {
  calls: number
  /** Sent as any merchant or customer would. */
  good: number
  /** Successful, whatever was wrong with the request. */
  done: number
  readonly statuses: Map<number, number>
}

export type Tally = {
  next: number
  broken: number
  shed: number
  clockAheadMs: number
  /** Valid calls in flight. */
  tending: Promise<void> | undefined
  /** Requests in flight that are broken on the wire. */
  readonly breaking: Set<Promise<void>>
  readonly statuses: Map<string, number>
  readonly operations: Map<string, OperationCount>
  readonly accepted: Set<string>
  /** The same with the merchant's token, as two merchants may use one identifier. */
  readonly acceptedBy: Set<string>
  /** May be stored or not: customers are sent back to the page whatever their form did. */
  readonly allowed: Set<string>
  /** Sent, with an unknown outcome. */
  readonly doubtful: Set<string>
  /** At most this many statements may be among those: the service assigns their identifiers. */
  doubtfulStatements: number
  /** What came back to requests that were broken on the wire, by their identifiers. */
  readonly answers: Map<string, string>
  readonly faults: Fault[]
}

/**
 * `earlier` are attempts on checkouts from before: the count continues from there. `accepted` is
 * what was accepted before, as written by `acceptedName`.
 */
export const newTally = (
  earlier: readonly string[] = [],
  accepted: readonly string[] = [],
): Tally => ({
  next: 0,
  broken: 0,
  shed: 0,
  clockAheadMs: 0,
  tending: undefined,
  breaking: new Set(),
  statuses: new Map(),
  operations: new Map(),
  accepted: new Set(),
  acceptedBy: new Set(accepted),
  allowed: new Set(earlier),
  doubtful: new Set(),
  doubtfulStatements: 0,
  answers: new Map(),
  faults: [],
})

/** Counts an answer and what it says is stored; `generation` as it is reported. */
export function note(
  request: FuzzRequest,
  answer: WireAnswer,
  tally: Tally,
  generation: string = request.target.generation,
): void {
  const { statuses, accepted, allowed } = tally
  const name = `${generation} ${answer.status}`
  statuses.set(name, (statuses.get(name) ?? 0) + 1)
  if (answer.status === 503) tally.shed += 1
  for (const one of acceptedIn(request, answer)) {
    accepted.add(one)
    const name = acceptedName(tokenIn(request.head), one)
    if (tally.acceptedBy.has(name)) tally.faults.push(faultIn(request, `${one} was accepted twice`))
    tally.acceptedBy.add(name)
  }
  const paid = paidBy(request, answer, allowed)
  if (paid !== undefined) allowed.add(paid)
}

/** By its token, which is what a request says about its merchant. */
export const acceptedName = (token: string, name: string): string => `${token} ${name}`

/** However it is written, a merchant has one token here. */
const tokenIn = (head: string): string => /^Authorization:.*?(\S+)\s*$/im.exec(head)?.[1] ?? ''

/** The deposit that a customer's form may have started: only 303 says that it did. */
function paidBy(
  { target, method, link }: FuzzRequest,
  { status }: WireAnswer,
  allowed: ReadonlySet<string>,
): string | undefined {
  if (status !== 303 || method !== 'POST' || link === undefined) return undefined
  if (target.path === '/pay/{link}') return `pageDeposit/${link.id}`
  if (target.path !== '/checkout/{link}') return undefined
  let attempt = 1
  while (allowed.has(`attempt/${link.id}/${attempt}`)) attempt += 1
  return `attempt/${link.id}/${attempt}`
}

export function countOperation(request: FuzzRequest, answer: WireAnswer, tally: Tally): void {
  const name = nameOf(request.target)
  const count = tally.operations.get(name) ?? { calls: 0, good: 0, done: 0, statuses: new Map() }
  tally.operations.set(name, count)
  count.calls += 1
  count.statuses.set(answer.status, (count.statuses.get(answer.status) ?? 0) + 1)
  if (!request.isMutated) count.good += 1
  if (request.arrives && isDone(answer)) count.done += 1
}

export function doubt(request: FuzzRequest, tally: Tally): void {
  for (const id of idsIn(request)) tally.doubtful.add(id)
  if (request.target.path === '/v2/statements') tally.doubtfulStatements += TIMES_MAX
}

/** How often a request may be repeated when it is broken on the wire. */
const TIMES_MAX = 3

/** Including those that a change has turned into others, and what a link leads to. */
export const idsIn = ({ ids, body, link }: FuzzRequest): readonly string[] => [
  ...ids,
  ...(link === undefined ? [] : [link.id]),
  ...(body.toString('latin1').toLowerCase().match(UUIDS) ?? []),
]

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export function faultIn(request: FuzzRequest, what: string): Fault {
  return { what, number: request.number, replay: replayOf(request) }
}
