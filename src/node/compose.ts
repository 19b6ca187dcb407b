import type { FastifyInstance } from 'fastify'
import { createCallbackSender } from '../callbacks/send.ts'
import {
  createReadLimiter,
  createRefusals,
  createRequestLimiter,
  isOverloaded,
} from '../http/admission-control.ts'
import { createApp } from '../http/app.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { feedEndpoint } from '../http/feed.ts'
import { healthRoutes } from '../http/health.ts'
import { metricsRoute } from '../http/metrics-route.ts'
import { sandboxEndpoints } from '../http/sandbox/controls.ts'
import { migrationEndpoint } from '../http/sandbox/migration.ts'
import { statementDownloadRoute } from '../http/statement-download.ts'
import { legacyEndpoints } from '../http/v1/endpoints.ts'
import { checkoutEndpoints } from '../http/v2/checkouts.ts'
import { depositEndpoints } from '../http/v2/deposits.ts'
import { financeEndpoints } from '../http/v2/finances.ts'
import { paymentPageEndpoint } from '../http/v2/payment-page.ts'
import { payoutEndpoints } from '../http/v2/payouts.ts'
import { refundEndpoints } from '../http/v2/refunds.ts'
import { remittanceEndpoints } from '../http/v2/remittances.ts'
import { splitPaymentEndpoints } from '../http/v2/split-payments.ts'
import { statementEndpoints } from '../http/v2/statements.ts'
import { toolkitEndpoints } from '../http/v2/toolkit.ts'
import { ADDRESS_POLICIES } from '../outbound/address-guard.ts'
import { createSender, type SenderOptions } from '../outbound/request.ts'
import { VERSION } from '../package-root.ts'
import { createAttemptGroup, createReleaseGroup } from '../store/callbacks/callbacks.ts'
import { createSendingGroup } from '../store/callbacks/sendings.ts'
import { readState } from '../store/cluster/service-state.ts'
import type { Database } from '../store/engine/database.ts'
import { createTurns } from '../store/engine/turns.ts'
import { createAcceptGroup } from '../store/payments/accept.ts'
import { createAdvanceGroup } from '../store/payments/advance.ts'
import { createAuthoriseGroup } from '../store/payments/authorisations.ts'
import { createParkGroup } from '../store/payments/enqueued.ts'
import { createHoldGroup } from '../store/payments/hold.ts'
import { createRefundGroup } from '../store/payments/refunds.ts'
import { createLegacyUsage } from '../usecases/accounts/legacy-usage.ts'
import { createMerchantDirectory } from '../usecases/accounts/merchant-directory.ts'
import { createSignatureChecks } from '../usecases/accounts/signature-checks.ts'
import { loadSigningKeys } from '../usecases/accounts/signing-keys.ts'
import type { Context, Log } from '../usecases/context.ts'
import { createChangeWatch } from '../usecases/hosted/change-watch.ts'
import { createHostedLinks } from '../usecases/hosted/links.ts'
import { createHostedPages, type HostedPages } from '../usecases/hosted/pages.ts'
import { createPhoneWatch } from '../usecases/sandbox/phone-watch.ts'
import { createSandboxSessions, type SandboxSessions } from '../usecases/sandbox/sessions.ts'
import { createWalletLinks } from '../usecases/sandbox/wallet-links.ts'
import { createStatementLinks } from '../usecases/statements/statement-links.ts'
import { customerPageRoutes, strayCustomerPage } from '../web/pay/routes.ts'
import { sandboxPageRoutes } from '../web/sandbox/routes.ts'
import { createMembership, type NodeMembership } from '../workers/membership.ts'
import { createWorkers, type Workers } from '../workers/workers.ts'
import { createClock, createKeys } from './clock.ts'
import type { Config } from './config.ts'
import { readGauges } from './gauges.ts'
import { isProcessAlive, machineName } from './machine.ts'
import { createMaintenance } from './maintenance.ts'
import { createMetrics } from './metrics.ts'
import { createProviders } from './provider-set.ts'
import { createSettingsWatch } from './settings-watch.ts'
import { sitePages } from './site-pages.ts'

/** One node, built and not yet started: the only place that knows every part. */
export type Node = {
  readonly app: FastifyInstance
  readonly ctx: Context
  readonly endpoints: readonly Endpoint[]
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
export type Network = Pick<SenderOptions, 'resolve' | 'ca'>

const REQUESTS_HAVE_MS = 2500
const RECEIVERS_HAVE_MS = 2000

export async function compose(
  config: Config,
  database: Database,
  log: Log,
  publicUrl: () => string,
  network: Network = {},
): Promise<Node> {
  const metrics = createMetrics()
  const lifeline = database.another(1)
  const { clockOffsetMs: offsetMs } = await readState(database)
  const clock = createClock(offsetMs)
  const merchants = createMerchantDirectory(database)
  const walletLinks = createWalletLinks(config.secretKey, publicUrl)
  const { registry: providers, notifications } = createProviders(
    config,
    database,
    clock,
    merchants,
    walletLinks,
    () => membership.mayAct(),
  )
  const legacyUsage = createLegacyUsage(database, clock.now)
  const signatureChecks = createSignatureChecks(database, clock.realNow)
  const signingKeys = await loadSigningKeys(lifeline, config.secretKey, clock.realNow)
  const policy = ADDRESS_POLICIES[config.environment]
  const hostedLinks = createHostedLinks(config.secretKey, publicUrl)
  const changes = createChangeWatch(database)
  const sender = createSender({ policy, ...network })

  // Context, workers and membership know each other; the two late ones are reached through these.
  let workers: Workers
  let membership: NodeMembership
  let draining = false
  const ctx: Context = {
    environment: config.environment,
    db: database,
    writes: {
      accept: createAcceptGroup(database, metrics.onAccepted),
      hold: createHoldGroup(database, metrics.onAccepted),
      refund: createRefundGroup(database),
      park: createParkGroup(database),
      advance: createAdvanceGroup(database),
      authorise: createAuthoriseGroup(database),
      attempts: createAttemptGroup(database),
      release: createReleaseGroup(database),
      sendings: createSendingGroup(database),
    },
    clock,
    newKey: createKeys(clock),
    random: Math.random,
    merchants,
    providers,
    notifications,
    callbacks: createCallbackSender({
      sender,
      policy,
      signingKey: () => signingKeys.current,
      realNow: clock.realNow,
      linkOf: hostedLinks.ofCheckout,
      mayPretend: config.environment === 'sandbox',
    }),
    signingKeys,
    statementLinks: createStatementLinks(config.secretKey, publicUrl),
    walletLinks,
    phones: createPhoneWatch(database),
    hostedLinks,
    changes,
    legacyUsage,
    signatureChecks,
    node: {
      id: () => membership.id(),
      mayAct: () => membership.mayAct(),
      restoredAt: () => membership.restoredAt(),
      lineage: () => membership.lineage(),
    },
    work: {
      hasRoom: () => workers.hasRoom(),
      takePayment: (payment) => workers.takePayment(payment),
      takeCallback: (owed) => workers.takeCallback(owed),
      breakerOf: (merchantId, url) => workers.breakerOf(merchantId, url),
      wake: () => workers.wake(),
      startOver: (wentBackMs) => workers.startOver(wentBackMs),
      interrupted: (error) => workers.interrupted(error),
    },
    inTurn: createTurns(),
    measure: metrics.measure,
  }
  workers = createWorkers(ctx, log, () => membership.renew())
  const settings = createSettingsWatch(ctx, workers, log)
  const maintenance = createMaintenance(
    async () => {
      await settings.keepListening()
      await workers.sweep()
      await legacyUsage.flush()
      await signatureChecks.flush()
    },
    (error) => {
      log.warn({ reason: error.message }, 'the database cannot be reached')
      membership.renew()
    },
  )
  membership = createMembership({
    // However many requests hold the others, this node can tell that it lives.
    db: lifeline,
    log,
    machine: machineName(),
    pid: process.pid,
    version: VERSION,
    startedAt: clock.realNow(),
    now: clock.now,
    realNow: clock.realNow,
    isProcessAlive,
    onBeat: async ({ configVersion, clockOffsetMs }) => {
      await settings.follow(configVersion, clockOffsetMs)
      await maintenance.run()
    },
    onLost: () => workers.forget(),
  })

  const operations = [
    ...depositEndpoints(ctx),
    ...payoutEndpoints(ctx),
    ...refundEndpoints(ctx),
    ...remittanceEndpoints(ctx),
    ...splitPaymentEndpoints(ctx),
    ...checkoutEndpoints(ctx),
    paymentPageEndpoint(ctx),
    ...financeEndpoints(ctx),
    ...statementEndpoints(ctx),
    ...toolkitEndpoints(ctx, publicUrl),
    feedEndpoint(ctx),
    ...legacyEndpoints(ctx),
  ]
  const controls =
    config.environment === 'sandbox' ? [...sandboxEndpoints(ctx), migrationEndpoint(ctx)] : []
  const endpoints = [...operations, ...controls]
  const readiness = () => {
    if (draining) return { ready: false, reason: 'shutting down' }
    return membership.isJoined()
      ? { ready: true }
      : { ready: false, reason: 'the database cannot be reached' }
  }
  const edge = {
    ctx,
    log,
    requestLimiter: createRequestLimiter(),
    readLimiter: createReadLimiter(2 * config.databaseConnections),
    refusals: createRefusals(),
    maxConnections: config.maxConnections,
    defaultPort: publicUrl().startsWith('https:') ? 443 : 80,
    onAnswer: metrics.onAnswer,
  }
  const hosted = createHostedPages(ctx)
  const sandboxSessions = createSandboxSessions(ctx, config.secretKey)
  const metricsText = async (): Promise<string> =>
    metrics.text({ ...(await readGauges(ctx, workers)), isJoined: readiness().ready })
  const pages = [
    ...healthRoutes(readiness),
    metricsRoute(config.metricsToken, metricsText),
    statementDownloadRoute(ctx),
    ...customerPageRoutes({ ...edge, hosted, publicUrl, isOverloaded: () => isOverloaded(ctx) }),
    ...(config.environment === 'sandbox'
      ? sandboxPageRoutes({ ctx, log, sandboxSessions, publicUrl })
      : []),
    ...sitePages({ ctx, workers, endpoints, publicUrl, isReady: () => membership.isJoined() }),
  ]
  const app = createApp(edge, endpoints, pages, strayCustomerPage(ctx))

  return {
    app,
    ctx,
    endpoints,
    hosted,
    sandboxSessions,
    start: async () => {
      await membership.start()
      workers.start()
    },
    stop: async () => {
      draining = true
      changes.stop()
      await closeServer(app)
      // A receiver that hangs must not hold up the end; its callback is tried again later.
      const cutOff = setTimeout(() => void sender.cutOff(), RECEIVERS_HAVE_MS)
      await workers.stop()
      clearTimeout(cutOff)
      await legacyUsage.flush().catch(() => {})
      await signatureChecks.flush().catch(() => {})
      await maintenance.stop()
      await settings.stop()
      await membership.stop()
      await sender.cutOff()
    },
  }
}

/** Answers what is under way; a client that stops in the middle of a request is not waited for. */
async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = app.close()
  // A connection is idle as soon as its last answer is out, which may be after the closing began.
  const idle = setInterval(() => app.server.closeIdleConnections(), 20)
  const late = setTimeout(() => app.server.closeAllConnections(), REQUESTS_HAVE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
