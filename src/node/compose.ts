import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { createDispatch, type Dispatch } from '../callbacks/dispatch.ts'
import { createThreadedDispatch } from '../callbacks/threaded-dispatch.ts'
import { present } from '../domain/present.ts'
import { LIMITS, type NodeTiming, scaledTiming } from '../domain/timing.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PageRoute } from '../http/pages.ts'
import { ADDRESS_POLICIES } from '../outbound/address-guard.ts'
import { createSender, type SenderOptions } from '../outbound/request.ts'
import { VERSION } from '../package-root.ts'
import { readState } from '../store/cluster/service-state.ts'
import type { Database } from '../store/engine/database.ts'
import { loadSigningKeys } from '../usecases/accounts/signing-keys.ts'
import type { Clock, Log } from '../usecases/context.ts'
import type { HostedPages } from '../usecases/hosted/pages.ts'
import type { SandboxSessions } from '../usecases/sandbox/sessions.ts'
import { createMembership, type NodeMembership } from '../workers/membership.ts'
import { createPulse } from '../workers/pulse.ts'
import type { Workers } from '../workers/workers.ts'
import { type Background, createBackground } from './background.ts'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import type { NodeContext } from './context.ts'
import { createContext } from './context.ts'
import { createEdge } from './edge.ts'
import { isProcessAlive, machineName } from './machine.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOperatorClient } from './operator-client.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { Traces } from './traces/open.ts'

/** One node, built and not yet started: the only place that knows every part. */
export type Node = {
  readonly app: FastifyInstance
  readonly ctx: NodeContext
  readonly endpoints: readonly Endpoint[]
  readonly pages: readonly PageRoute[]
  /** What customers do on the pages that are hosted here. */
  readonly hosted: HostedPages
  /** How developers get into the sandbox with a browser. */
  readonly sandboxSessions: SandboxSessions
  /** Joins the other nodes and begins to work. */
  start(): Promise<void>
  /** Refuses to be ready, ends what is under way, gives back what it holds. */
  stop(): Promise<void>
}

/** What stands in for the world outside: the resolver of names, certificates to trust. */
export type Network = Pick<SenderOptions, 'resolve' | 'ca' | 'connectTimeoutMs' | 'totalTimeoutMs'>

export async function compose(
  config: Config,
  database: Database,
  log: Log,
  publicUrl: () => string,
  network: Network = {},
): Promise<Node> {
  // However many requests hold the other connections, this node can report that it lives.
  const lifeline = database.another(1)
  const { clockOffsetMs } = await readState(database)
  const clock = createClock(clockOffsetMs)
  const timing = scaledTiming(config.timeScale)
  const metrics = createMetrics()
  const traces = config.traces && (await loadTraces(config.traces, log, metrics))
  const dispatch = dispatchOf(config, network, log)
  const operatorClient = createOperatorClient(network)
  const signingKeys = await loadSigningKeys(lifeline, config.secretKey, clock.realNow)
  const membership = membershipOf(lifeline, clock, log, timing)
  const pulse = createPulse(lifeline.connection, timing, membership.id)
  const ctx = createContext({
    config,
    database,
    clock,
    metrics,
    dispatch,
    signingKeys,
    membership,
    timing,
    log,
    operatorClient,
    publicUrl,
    traces,
    work: () => workers,
  })
  await ctx.operators.refresh()
  const background: Background = createBackground(ctx, log, membership.renew)
  const { workers } = background
  const { isJoined } = membership
  const edge = createEdge({ config, ctx, log, metrics, workers, isJoined, publicUrl, traces })
  const { app, endpoints, pages, hosted, sandboxSessions } = edge
  return {
    app,
    ctx,
    endpoints,
    pages,
    hosted,
    sandboxSessions,
    start: async () => {
      await membership.start(background.onMembership)
      pulse.start()
      workers.start()
    },
    stop: async () => {
      await edge.close()
      await finishWork(workers, [dispatch, operatorClient], timing.receiversEndWithinMs)
      await background.stop()
      pulse.stop()
      await membership.stop()
      await dispatch.close()
      await operatorClient.close()
      await traces?.close()
    },
  }
}

/** The libraries of traces are large: they are loaded where something is traced. */
async function loadTraces(settings: TraceSettings, log: Log, metrics: Metrics): Promise<Traces> {
  const { openTraces } = await import('./traces/open.ts')
  return openTraces(settings, log, metrics.onSpans)
}

const THREAD_ENDED =
  'the thread that sends callbacks ended; what it was sending is tried again by a new one'

/** In a thread of its own where there is a second processor for it. */
function dispatchOf({ environment }: Config, network: Network, log: Log): Dispatch {
  const { resolve, ca } = network
  const options = {
    policy: ADDRESS_POLICIES[environment],
    connectTimeoutMs: network.connectTimeoutMs ?? LIMITS.callbackConnectMs,
    totalTimeoutMs: network.totalTimeoutMs ?? LIMITS.callbackTotalMs,
    ...present({ ca }),
  }
  if (resolve === undefined && availableParallelism() > 1) {
    return createThreadedDispatch(options, (err) => log.error({ err }, THREAD_ENDED))
  }
  return createDispatch(createSender({ ...options, ...present({ resolve }) }), options.policy)
}

function membershipOf(db: Database, clock: Clock, log: Log, timing: NodeTiming): NodeMembership {
  return createMembership({
    db,
    log,
    timing,
    machine: machineName(),
    pid: process.pid,
    version: VERSION,
    startedAt: clock.realNow(),
    now: clock.now,
    realNow: clock.realNow,
    isProcessAlive,
  })
}

/**
 * Receivers and operators that hang must not hold up the end: a callback is tried again later, and
 * an order that may have left is looked up.
 */
async function finishWork(
  workers: Workers,
  clients: readonly { readonly cutOff: () => unknown }[],
  withinMs: number,
): Promise<void> {
  const cutOff = setTimeout(() => clients.map((client) => client.cutOff()), withinMs)
  await workers.stop()
  clearTimeout(cutOff)
}
