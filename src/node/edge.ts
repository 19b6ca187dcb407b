import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../domain/timing.ts'
import {
  createLimiter,
  createRefusals,
  createTurnLimiter,
  INITIATING_MAX,
  isOverloaded,
  readingOf,
  UNDER_WAY_MAX,
} from '../http/admission-control.ts'
import { createApp } from '../http/app.ts'
import { BODIES_MAX } from '../http/bodies.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { healthRoutes } from '../http/health.ts'
import { type MetricsFormat, metricsRoute } from '../http/metrics-route.ts'
import { operatorCallbackRoutes } from '../http/operator-callbacks.ts'
import type { PageRequest, PageRoute } from '../http/pages.ts'
import type { Edge as ServedEdge } from '../http/serve.ts'
import { statementDownloadRoute } from '../http/statement-download.ts'
import type { Log } from '../usecases/context.ts'
import { createHostedPages, type HostedPages } from '../usecases/hosted/pages.ts'
import { addressRanges, clientAddress } from '../usecases/operators/address-ranges.ts'
import { createSandboxSessions, type SandboxSessions } from '../usecases/sandbox/sessions.ts'
import { dashboardRoutes } from '../web/dashboard/routes.ts'
import { customerPageRoutes, strayCustomerPage } from '../web/pay/routes.ts'
import { sandboxPageRoutes } from '../web/sandbox/routes.ts'
import { missingPage } from '../web/site/missing.tsx'
import type { Workers } from '../workers/workers.ts'
import type { Config } from './config.ts'
import type { NodeContext } from './context.ts'
import { endpointsOf } from './endpoints.ts'
import { readGauges } from './gauges.ts'
import type { Metrics } from './metrics.ts'
import { sitePages } from './site-pages.ts'
import type { Traces } from './traces/open.ts'

type EdgeParts = {
  readonly config: Config
  readonly ctx: NodeContext
  readonly log: Log
  readonly metrics: Metrics
  readonly workers: Workers
  readonly isJoined: () => boolean
  readonly publicUrl: () => string
  readonly traces: Traces | undefined
}

/** What clients reach: the operations, the pages, and the server that serves both. */
type Edge = {
  readonly app: FastifyInstance
  readonly endpoints: readonly Endpoint[]
  readonly pages: readonly PageRoute[]
  readonly hosted: HostedPages
  readonly sandboxSessions: SandboxSessions
  /** Refuses to be ready, and ends what is under way. */
  close(): Promise<void>
}

export function createEdge(parts: EdgeParts): Edge {
  const { config, ctx, publicUrl } = parts
  let isClosing = false
  const endpoints = endpointsOf(ctx, publicUrl)
  const served = servedEdge(parts)
  const hosted = createHostedPages(ctx)
  const sandboxSessions = createSandboxSessions(ctx, config.secretKey)
  const site = sitePages({
    ctx,
    workers: parts.workers,
    endpoints,
    publicUrl,
    isReady: parts.isJoined,
  })
  const pages = [
    ...operatorRoutes(parts, () => isClosing),
    statementDownloadRoute(ctx),
    ...operatorCallbackRoutes(ctx, parts.log, config.trustedProxies),
    ...customerPageRoutes({
      ...served,
      hosted,
      publicUrl,
      reading: readingOf(served.requestLimiter, served.readLimiter),
      isOverloaded: () => isOverloaded(ctx),
    }),
    ...dashboardRoutes({ ctx, log: parts.log, publicUrl, addressOf: addressReader(config) }),
    ...(config.environment === 'sandbox'
      ? sandboxPageRoutes({ ctx, log: parts.log, sandboxSessions, publicUrl })
      : []),
    ...site.routes,
  ]
  const strayCustomer = strayCustomerPage(ctx)
  const missing = missingPage(config.environment === 'sandbox')
  const app = createApp(
    served,
    endpoints,
    pages,
    (...stray) => strayCustomer(...stray) ?? site.strayPage(...stray) ?? missing(...stray),
  )
  const close = async (): Promise<void> => {
    isClosing = true
    ctx.changes.stop()
    ctx.arrivals.stop()
    await closeServer(app, ctx.timing.requestsEndWithinMs)
  }
  return { app, endpoints, pages, hosted, sandboxSessions, close }
}

/** Where a request came from, as far as proxies are known. */
function addressReader({ trustedProxies }: Config): (request: PageRequest) => string {
  const proxies = addressRanges(trustedProxies)
  return ({ remoteAddress, headers }) =>
    clientAddress(proxies, remoteAddress, headers['x-forwarded-for']?.toString())
}

function servedEdge({ config, ctx, log, metrics, publicUrl, traces }: EdgeParts): ServedEdge {
  return {
    ctx,
    log,
    requestLimiter: createLimiter(UNDER_WAY_MAX),
    bodyRoom: createLimiter(BODIES_MAX),
    readLimiter: createTurnLimiter(2 * config.databaseConnections),
    initiateLimiter: createTurnLimiter(INITIATING_MAX),
    refusals: createRefusals(),
    maxConnections: config.maxConnections,
    defaultPort: publicUrl().startsWith('https:') ? 443 : 80,
    onAnswer: metrics.onAnswer,
    traces: traces?.calls,
  }
}

/** For the people and programs that run the service. */
function operatorRoutes(parts: EdgeParts, isClosing: () => boolean): PageRoute[] {
  const { config, ctx, metrics, workers } = parts
  const readiness = () => {
    if (isClosing()) return { ready: false, reason: 'shutting down' }
    if (!ctx.providers.hasOperator()) return { ready: false, reason: 'no operator account' }
    if (ctx.db.space.isFull()) return { ready: false, reason: 'the disk of the database is full' }
    return parts.isJoined()
      ? { ready: true }
      : { ready: false, reason: 'the database cannot be reached' }
  }
  const metricsText = async (format: MetricsFormat): Promise<string> =>
    metrics.text({ ...(await readGauges(ctx, workers)), isJoined: readiness().ready }, format)
  return [...healthRoutes(readiness), metricsRoute(config.metricsToken, metricsText)]
}

/** Answers what is under way; a client that stops in the middle of a request is not waited for. */
async function closeServer(app: FastifyInstance, withinMs: number): Promise<void> {
  const closed = app.close()
  // A connection is idle as soon as its last answer is out, which may be after the closing began.
  const idle = setInterval(() => app.server.closeIdleConnections(), LIMITS.closeIdleEveryMs)
  const late = setTimeout(() => app.server.closeAllConnections(), withinMs)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
