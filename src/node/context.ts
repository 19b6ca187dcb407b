import { randomBytes } from 'node:crypto'
import type { Dispatch } from '../callbacks/dispatch.ts'
import { type CallbackSender, createCallbackSender } from '../callbacks/send.ts'
import { present } from '../domain/present.ts'
import type { NodeTiming } from '../domain/timing.ts'
import { ADDRESS_POLICIES } from '../outbound/address-guard.ts'
import type { Catalog } from '../providers/catalog.ts'
import { createAttemptGroup } from '../store/callbacks/attempts.ts'
import { createReleaseGroup } from '../store/callbacks/callbacks.ts'
import { createNotes } from '../store/callbacks/notes.ts'
import { createSendingGroup } from '../store/callbacks/sendings.ts'
import type { Database } from '../store/engine/database.ts'
import { createTurns } from '../store/engine/turns.ts'
import { createExchangeGroup } from '../store/operators/exchanges.ts'
import { createAcceptGroup } from '../store/payments/accept.ts'
import { createAdvanceGroup } from '../store/payments/advance.ts'
import { createAuthoriseGroup } from '../store/payments/authorisations.ts'
import { createDoubtGroup } from '../store/payments/doubts.ts'
import { createParkGroup } from '../store/payments/enqueued.ts'
import { createHoldGroup } from '../store/payments/hold.ts'
import { createRefundGroup } from '../store/payments/refunds.ts'
import { createRoutingGroup } from '../store/payments/routing.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import { createLastUses } from '../usecases/accounts/last-uses.ts'
import { createLegacyUsage } from '../usecases/accounts/legacy-usage.ts'
import { createMerchantDirectory } from '../usecases/accounts/merchant-directory.ts'
import { createRequestLog } from '../usecases/accounts/request-log.ts'
import { createSignatureChecks } from '../usecases/accounts/signature-checks.ts'
import type { SigningKeys } from '../usecases/accounts/signing-keys.ts'
import { createUsedSignatures } from '../usecases/accounts/used-signatures.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import type { Clock, Log, Membership, WorkIntake } from '../usecases/context.ts'
import { createChangeWatch } from '../usecases/hosted/change-watch.ts'
import type { HostedContext } from '../usecases/hosted/context.ts'
import { createHostedLinks, type HostedLinks } from '../usecases/hosted/links.ts'
import type { OperatorContext } from '../usecases/operators/context.ts'
import { createOperatorDirectory } from '../usecases/operators/directory.ts'
import { createArrivals } from '../usecases/payments/arrivals.ts'
import { createChallenges } from '../usecases/people/challenges.ts'
import { createCompanyProviders } from '../usecases/people/company-providers.ts'
import type { PeopleContext } from '../usecases/people/context.ts'
import { createDevices } from '../usecases/people/devices.ts'
import type { SandboxContext } from '../usecases/sandbox/context.ts'
import { createPhoneWatch } from '../usecases/sandbox/phone-watch.ts'
import { createWalletLinks } from '../usecases/sandbox/wallet-links.ts'
import type { StatementContext } from '../usecases/statements/context.ts'
import { createStatementLinks } from '../usecases/statements/statement-links.ts'
import { statementPdf } from '../web/dashboard/money/statement-pdf.ts'
import { statusMail } from '../web/dashboard/providers/mail.ts'
import { createBehind } from './behind.ts'
import { createKeys } from './clock.ts'
import { commonPasswords } from './common-passwords.ts'
import type { Config } from './config.ts'
import { createMailer } from './mailer.ts'
import type { Metrics } from './metrics.ts'
import type { OperatorClient } from './operator-client.ts'
import { createProviders } from './provider-set.ts'
import type { Traces } from './traces/open.ts'

/** Everything that any use case needs. */
export type NodeContext = HostedContext &
  CallbackContext &
  StatementContext &
  AccountContext &
  SandboxContext &
  OperatorContext &
  PeopleContext

type ContextParts = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Metrics
  readonly dispatch: Dispatch
  readonly signingKeys: SigningKeys
  readonly membership: Membership
  readonly timing: NodeTiming
  readonly log: Log
  readonly operatorClient: OperatorClient
  readonly publicUrl: () => string
  readonly traces: Traces | undefined
  /** The workers are built from the context, so it reaches them only when it is used. */
  readonly work: () => WorkIntake
}

/** Builds what the use cases work with. */
export function createContext(parts: ContextParts): NodeContext {
  const { config, database, clock, metrics, signingKeys, publicUrl, traces } = parts
  const { mayAct } = parts.membership
  const merchants = createMerchantDirectory(database, clock.realNow)
  const walletLinks = createWalletLinks(config.secretKey, publicUrl)
  const hostedLinks = createHostedLinks(config.secretKey, publicUrl)
  const {
    registry: providers,
    notifications,
    referenceOf,
  } = createProviders(config, database, clock, merchants, walletLinks, mayAct, traces?.connector)
  const operators = createOperatorDirectory({
    db: database,
    log: parts.log,
    world: {
      catalog: providers.catalog,
      secretKey: config.secretKey,
      referenceOf,
      publicUrl,
      now: clock.now,
      realNow: clock.realNow,
      maySend: mayAct,
      send: traces?.operatorSend(parts.operatorClient.send) ?? parts.operatorClient.send,
    },
    registry: providers,
    exchanges: createExchangeGroup(database),
    measure: metrics.operators,
    hasSimulator: config.environment === 'sandbox',
    returnUrlOf: (payment) => hostedLinks.ofPayment(payment)?.redirectUrl,
  })
  return {
    environment: config.environment,
    db: database,
    operators,
    writes: createWrites(database, metrics, mayAct, traces),
    clock,
    newKey: createKeys(clock),
    random: Math.random,
    merchants,
    providers,
    notifications,
    callbacks: callbackSender(parts, hostedLinks),
    signingKeys,
    statementLinks: createStatementLinks(config.secretKey, publicUrl),
    files: { statementPdf },
    walletLinks,
    phones: createPhoneWatch(database),
    hostedLinks,
    changes: createChangeWatch(database),
    arrivals: createArrivals(database, clock),
    ...createCounts(parts, providers.catalog),
    node: parts.membership,
    get work() {
      return parts.work()
    },
    timing: parts.timing,
    inTurn: createTurns(),
    people: peopleParts(parts),
    measure: metrics.measure,
    ...present({ beginTrace: traces?.beginPayment }),
  }
}

/** What is kept in memory about calls and written behind them. */
function createCounts(
  { database: db, clock: { now, realNow }, metrics, log }: ContextParts,
  catalog: Catalog,
): Pick<
  NodeContext,
  'legacyUsage' | 'signatureChecks' | 'usedSignatures' | 'lastUses' | 'requestLog'
> {
  return {
    legacyUsage: createLegacyUsage(db, now),
    signatureChecks: createSignatureChecks(db, realNow),
    usedSignatures: createUsedSignatures(db, realNow),
    lastUses: createLastUses(db, realNow),
    requestLog: createRequestLog({ db, realNow, catalog, log, dropped: metrics.onRequestDropped }),
  }
}

function peopleParts({
  config,
  database,
  clock,
  log,
  publicUrl,
}: ContextParts): PeopleContext['people'] {
  const { secretKey } = config
  const { realNow } = clock
  return {
    secretKey,
    devices: createDevices(secretKey, () => randomBytes(12), realNow),
    challenges: createChallenges(secretKey, () => randomBytes(16), realNow),
    companies: createCompanyProviders({ allowsHttp: config.environment === 'sandbox', realNow }),
    mailer: createMailer({ config, db: database, log, realNow }),
    statusMail: (notice) => statusMail(publicUrl(), notice),
    behind: createBehind(log, {
      failed: 'an entry of the audit log was not written',
      atOnce: 1,
      waitingMax: 1000,
    }),
    commonPasswords,
  }
}

function createWrites(
  database: Database,
  { onAccepted }: Metrics,
  mayAct: () => boolean,
  traces: Traces | undefined,
): NodeContext['writes'] {
  const notes = createNotes()
  const writes = {
    accept: createAcceptGroup(database, onAccepted, mayAct),
    hold: createHoldGroup(database, onAccepted),
    refund: createRefundGroup(database),
    park: createParkGroup(database),
    advance: createAdvanceGroup(database, notes),
    authorise: createAuthoriseGroup(database),
    doubt: createDoubtGroup(database),
    route: createRoutingGroup(database),
    attempts: createAttemptGroup(database, notes),
    release: createReleaseGroup(database),
    sendings: createSendingGroup(database, notes),
  }
  return traces?.writes(writes) ?? writes
}

function callbackSender(parts: ContextParts, hostedLinks: HostedLinks): CallbackSender {
  const { config, clock, dispatch, signingKeys, traces } = parts
  const sender = createCallbackSender({
    dispatch,
    policy: ADDRESS_POLICIES[config.environment],
    signingKey: () => signingKeys.current,
    realNow: clock.realNow,
    linkOf: hostedLinks.ofCheckout,
    receiversMayFail: config.environment === 'sandbox',
  })
  return traces?.callbacks(sender) ?? sender
}
