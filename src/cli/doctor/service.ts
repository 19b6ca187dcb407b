import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import { NODE_TIMING } from '../../domain/timing.ts'
import { machineName } from '../../node/machine.ts'
import { VERSION } from '../../package-root.ts'
import { findCallbackLoad } from '../../store/callbacks/endpoints.ts'
import { type JoinedNode, listNodes } from '../../store/cluster/nodes.ts'
import { findQueueAge } from '../../store/cluster/work-state.ts'
import type { Database } from '../../store/engine/database.ts'
import { findCaseLoad } from '../../store/payments/cases.ts'
import { bad, type Check, DAY_MS, durationText, good, plural } from './check.ts'

/** The nodes, what they serve, and what waits for them. */

export type Nodes = {
  readonly alive: readonly JoinedNode[]
  readonly silent: readonly JoinedNode[]
}

/** A node is alive when its sign of life changes; no longer is waited than nodes do themselves. */
export async function watchNodes(database: Database): Promise<Nodes> {
  const first = await listNodes(database)
  const until = performance.now() + NODE_TIMING.deadAfterMs
  for (let nodes = first; ; nodes = await listNodes(database)) {
    const alive = nodes.filter(({ nodeId, signOfLife }) => {
      const before = first.find((one) => one.nodeId === nodeId)
      return before?.signOfLife !== signOfLife
    })
    const silent = nodes.filter((one) => !alive.includes(one))
    if (silent.length === 0 || performance.now() > until) return { alive, silent }
    await pause(COMMAND_TIMING.nodesLookEveryMs)
  }
}

export const isHere = ({ machine }: JoinedNode): boolean => machine === machineName()

const nodeText = ({ version, machine, pid }: JoinedNode): string =>
  `${version} on ${machine.split('/')[0]}, process ${pid}`

export function nodeCheck({ alive, silent }: Nodes): Check {
  const others = alive.filter(({ version }) => version !== VERSION)
  const shown = alive.map(nodeText).join('; ')
  if (silent.length > 0) {
    const [one] = silent
    const way =
      alive.length > 0
        ? 'The others take over what it held.'
        : 'Start the service: it takes over what it held.'
    return bad(
      'nodes',
      `${plural(silent.length, 'node')} ended without a word (${one && nodeText(one)}). ${way}`,
    )
  }
  if (others.length > 0) {
    return bad(
      'nodes',
      `${shown}. This is ${VERSION}: finish the upgrade, see docs/operating/upgrades.md.`,
    )
  }
  return good('nodes', alive.length === 0 ? 'none is running' : shown)
}

/** Undefined where nothing listens. */
export async function readiness(url: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(COMMAND_TIMING.readyWithinMs)
  return fetch(`${url}/readyz`, { signal }).catch(() => undefined)
}

export async function serviceCheck(
  url: string,
  answer: Response | undefined,
  { alive, silent }: Nodes,
): Promise<Check> {
  if (answer === undefined) {
    if (alive.length + silent.length === 0) {
      return good('service', 'not running; what needs it was not checked. Start it: malipo start')
    }
    return bad(
      'service',
      `Nothing answers at ${url}, though a node has joined. If it runs, set PORT as for it, or ` +
        'give --service.',
    )
  }
  const text = await answer.text()
  if (answer.ok) return good('service', `ready at ${url}`)
  const [, reason] = /"reason":"([^"]*)"/.exec(text) ?? []
  const message = reason ?? `it answers ${answer.status}, which is not how Malipo answers`
  return bad('service', `Not ready at ${url}: ${message}. See docs/operating/troubleshooting.md.`)
}

/** What is late has a command that shows it. */
export async function queueChecks(
  database: Database,
  now: number,
  { alive }: Nodes,
): Promise<readonly Check[]> {
  const [age, callbacks, cases] = await Promise.all([
    findQueueAge(database, now),
    findCallbackLoad(database, now),
    findCaseLoad(database, now),
  ])
  return [paymentQueue(age, alive.length > 0), callbackQueue(callbacks), caseQueue(cases)]
}

function paymentQueue(age: number, isServed: boolean): Check {
  if (age <= COMMAND_TIMING.paymentLateMs) return good('payments', 'none is late')
  const way = isServed
    ? 'The nodes do not keep up: see docs/operating/sizing.md and the log.'
    : 'No node is running: start the service.'
  return bad('payments', `The oldest that is due waits for ${durationText(age)}. ${way}`)
}

function callbackQueue(load: Awaited<ReturnType<typeof findCallbackLoad>>): Check {
  const { pausedEndpoints, oldestPendingMs } = load
  const paused =
    pausedEndpoints === 0
      ? ''
      : `${plural(pausedEndpoints, 'address is', 'addresses are')} paused. `
  const isLate = oldestPendingMs > COMMAND_TIMING.callbackLateMs
  const late = isLate ? `The oldest waits for ${durationText(oldestPendingMs)}. ` : ''
  if (paused === '' && late === '') return good('callback queue', 'none is late')
  return bad('callback queue', `${paused}${late}See malipo callbacks list.`)
}

function caseQueue({
  CONTRADICTION,
  UNKNOWN_OUTCOME,
}: Awaited<ReturnType<typeof findCaseLoad>>): Check {
  const doubts = plural(UNKNOWN_OUTCOME.open, 'outcome is', 'outcomes are')
  if (CONTRADICTION.open > 0) {
    const count = plural(CONTRADICTION.open, 'contradiction')
    return bad('cases', `${count} of an operator needs a person. See malipo case list.`)
  }
  if (UNKNOWN_OUTCOME.oldestMs > DAY_MS) {
    const age = durationText(UNKNOWN_OUTCOME.oldestMs)
    return bad('cases', `${doubts} not known, the oldest for ${age}. See malipo case list.`)
  }
  return good('cases', UNKNOWN_OUTCOME.open === 0 ? 'none is open' : `${doubts} not known yet`)
}
