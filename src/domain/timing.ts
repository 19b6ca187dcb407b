/**
 * Every lease, wait and limit of time that nodes rely on, in milliseconds unless the name says
 * otherwise. Those of clients, pages and commands are in `client-timing.ts`, those of what happens
 * beside payments in `upkeep-timing.ts`. Some of them are safe only in relation to others;
 * `timing.test.ts` asserts these relations. Schedules are where they are read: of callbacks that are
 * tried again in `callbacks/callback.ts`, of questions about a payment in `payments/look-up.ts`, of
 * trials of an operator in `operators/breaker.ts`.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * What nodes wait for by themselves, and nobody outside sees. A sandbox can scale all of it
 * (`MALIPO_SANDBOX_TIME_SCALE`).
 */
export const NODE_TIMING = {
  /** From the end of one heartbeat of a node to the next. */
  heartbeatEveryMs: SECOND,
  /** A node asks no operator and claims nothing once its last heartbeat is older. */
  mayActForMs: 3500,
  /** A node whose heartbeat has stood still for so long is dead, and so is a silent server. */
  deadAfterMs: 5 * SECOND,
  /** While its main thread is busy for longer, another thread shows that the node lives, … */
  pulseAfterMs: 1500,
  /** … and gives up after this: a thread that is busy for so long never comes back. */
  pulseForMs: MINUTE,
  /** From one look at what is due in the database to the next. */
  claimEveryMs: 250,
  /** From one round of counting the payments of hours that are over to the next. */
  countHoursEveryMs: MINUTE,
  /** A step that failed by a bug is tried again after this. */
  retryAfterBugMs: 30 * SECOND,
  /** Two callbacks of one payment take turns: the second looks again after this. */
  callbackTurnMs: 100,
  /** A callback that finds no place in memory comes back from the database after this at the latest. */
  callbackBackMs: 10 * SECOND,
  /** Accepting comes first for so long; what lasts longer is no burst. */
  burstForMs: 10 * SECOND,
  /** A burst is over when accepting was not busy for so long. */
  burstOverMs: SECOND,
  /** In a burst, payments look so often whether it is over. */
  burstLookMs: 5,
  /** Stopping: what is under way is waited for, part by part. */
  settleWithinMs: 3 * SECOND,
  /** Stopping: clients have so long to finish their requests. */
  requestsEndWithinMs: 2500,
  /** Stopping: receivers of callbacks have so long to answer. */
  receiversEndWithinMs: 2 * SECOND,
}

export type NodeTiming = Readonly<typeof NODE_TIMING>

/** All the waits of a node, each the same part of what it is. */
export function scaledTiming(scale: number): NodeTiming {
  const scaled = Object.entries(NODE_TIMING).map(([name, ms]) => [name, ms * scale])
  return { ...NODE_TIMING, ...Object.fromEntries(scaled) }
}

/** What depends on others: operators, receivers, the database, people. It is never scaled. */
export const LIMITS = {
  /** A process that was asked to stop ends within this, whatever is under way. */
  stopWithinMs: 10 * SECOND,
  /** It ends by itself so long before that, and says what it could not finish. */
  stopMarginMs: 500,
  /** Stopping: connections whose last answer is out are closed so often. */
  closeIdleEveryMs: 20,
  /** Stopping: whether what is under way is over is looked at so often. */
  settledLookEveryMs: 10,
  /** The server ends a transaction in which a node has stood still for so long. */
  transactionIdleMs: 10 * SECOND,
  /** A new connection to the database has to be there within this. */
  connectWithinMs: 5 * SECOND,
  /** A database server that took a connection within this is not the one that has fallen silent. */
  serverIsNewForMs: 4 * SECOND,
  /** A connection to the database that nobody uses is closed after this. */
  databaseIdleMs: MINUTE,
  /** Items no longer come in once the thread has had nothing to do for so long after a write. */
  groupBusyMs: 5,
  /** After a group that was not simple, its successors are taken for the same for so long. */
  groupCarefulMs: SECOND,
  /** A payment is stored within this after the time in its key, whatever its node goes through. */
  storedWithinMs: 15 * MINUTE,
  /** Movements that are older are all there: none with an earlier time is still to be written. */
  movementsSettledMs: MINUTE,
  /** Whether other nodes send heartbeats is looked at so often, by one that waits for them. */
  othersLookEveryMs: 250,
  /** Nodes follow a change of an account of an operator within this. */
  changeFollowedMs: 1500,
  /** A receiver has so long to take a connection. */
  callbackConnectMs: 5 * SECOND,
  /** A receiver has so long for its whole answer. */
  callbackTotalMs: 10 * SECOND,
  /** A receiver that asks for a pause by Retry-After gets it, up to this. */
  retryAfterAtMostMs: DAY,
  /** The addresses of a host are there within this, or nothing is sent to it. */
  lookupWithinMs: 5 * SECOND,
  /** A name server has so long for an answer, each time it is asked. */
  nameServerMs: 2 * SECOND,
  /** Connections to a host that nothing is sent to are closed after this. */
  hostIdleMs: MINUTE,
  /** What requests to others are sent with is loaded so long after the start, or for the first one. */
  clientLoadedAfterMs: 2 * SECOND,
  /** A probe of an address has to be connected within this. */
  probeWithinMs: 5 * SECOND,
  /** A callback leaves its node within this after the node made sure that it may act. */
  crossWithinMs: 5 * SECOND,
  /** An attempt that a lost node had under way is over by then. */
  attemptOverMs: 15 * SECOND,
  /** A payment whose reference was stored with it is sent without another write until then. */
  sentAtOnceWithinMs: 2 * SECOND,
  /** An order that left its node has reached the operator by then, or it never will. */
  orderArrivesWithinMs: 5 * SECOND,
  /** An operator has so long to take a connection. */
  operatorConnectMs: 5 * SECOND,
  /** A request that had no turn at its operator by then is not sent: far too much was asked for. */
  operatorTurnMs: 30 * SECOND,
  /** A token of an operator that lives for long is renewed so long before its end. */
  tokenRenewBeforeMs: MINUTE,
  /** An operator that does not take a new token yet is asked again after this. */
  tokenSettlesMs: 2 * SECOND,
  /** An operator that is out of reach again within this counts its trials on. */
  breakerForgottenMs: HOUR,
  /** The money of an account is asked for so often. */
  balancesEveryMs: 15 * MINUTE,
  /** What explains a difference to it began within this, … */
  balanceOpenForMs: 2 * DAY,
  /** … and is open still or ended within this. */
  balanceEndedWithinMs: 5 * MINUTE,
  /** A difference that lasts for longer is a finding. */
  balanceDiffersMs: HOUR,
  /** Callbacks of an operator about one payment lead to one question to it within this. */
  hintsApartMs: SECOND,
  /** A payment that no account takes looks again after this. */
  routeAgainMs: SECOND,
  /** One that has to wait for the account that refused it looks again after this. */
  boundAgainMs: 15 * SECOND,
  /** A deposit that could not be sent is given up after this: its customer has gone. */
  depositUnsentMs: 30 * SECOND,
  /** A payout that its operator does not know is sent again until then. */
  resubmitWithinMs: DAY,
  /** What was sent is recorded even through an outage of the database, tried so often. */
  recordAgainMs: 250,
  /** While a customer waits on a page, the payment is looked at so often. */
  pageLooksEveryMs: 250,
  /** While somebody looks at a list of the dashboard, new payments are looked for so often. */
  listLooksEveryMs: 2 * SECOND,
  /** One that comes to match the list later than this after its acceptance is not announced. */
  newForMs: 15 * MINUTE,
  /** A stream in which nothing happens says so this often, for proxies that end what is silent. */
  signOfLifeMs: 15 * SECOND,
  /** After this a browser comes in anew, with the rights that the person has by then. */
  watchEndsAfterMs: 5 * 60 * SECOND,
  /** While a program waits for a change on a phone of the sandbox, it is looked at so often. */
  phoneLooksEveryMs: 200,
  /** While a program waits for callbacks in the feed, they are looked for so often. */
  feedLooksEveryMs: 250,
  /** A replay of callbacks goes on in steps of so long. */
  replayStepMs: SECOND,
  /** A bulk payout goes on in steps of so long; all sent, its payouts are looked at so often, … */
  bulkStepMs: SECOND,
  /** … and the longer that takes the more rarely, up to this. */
  bulkLookMaxMs: MINUTE,
  /** A payment that need not be looked at for longer than this waits in the database. */
  parkAfterMs: MINUTE,
  /** The longest that a timer is set for; the clock of the sandbox may be moved meanwhile. */
  alarmAtMostMs: MINUTE,
  /** Callbacks that find no place in the lane of an open breaker come back after this or later, … */
  deferAtLeastMs: 10 * SECOND,
  /** … and after this at the latest. */
  deferAtMostMs: 5 * MINUTE,
  /** Each that was deferred before adds so much. */
  deferEachMs: 100,
  /** What was learnt about an endpoint is kept for so long after the last attempt. */
  laneKeptMs: HOUR,
} as const

/** How long things live that merchants, customers and developers hold in their hands. */
export const LIFETIMES = {
  /** A session of the Payment Page, in which the customer may pay. */
  pageSessionMs: 15 * MINUTE,
  /** After its end, a session still shows what came of it. */
  pageReadableMs: 7 * DAY,
  /** The link to the file of a statement, counted from its completion. */
  statementLinkMs: DAY,
  /** The file of a statement. */
  statementFileMs: 90 * DAY,
  /** A file that a person asked for on the dashboard, counted from its completion. */
  exportFileMs: 90 * DAY,
  /** A developer who signed in to the sandbox with a browser. */
  sandboxSessionMs: DAY,
  /** The link with which they open the phone of the sandbox on another device. */
  deviceLinkMs: 15 * MINUTE,
  /** A person who signed in and does nothing. */
  sessionIdleMs: 30 * MINUTE,
  /** A person who signed in, whatever they do. */
  sessionMs: 12 * HOUR,
  /** A browser that need not give the second factor again. */
  trustedDeviceMs: 30 * DAY,
  /** Between the password and the second factor. */
  secondFactorMs: 10 * MINUTE,
  /** A code that was mailed as the second factor. */
  mailedCodeMs: 10 * MINUTE,
  /** A sensitive change asks again who it is, once the last proof is older. */
  confirmedMs: 10 * MINUTE,
  /** A link with which a person sets a password. */
  passwordLinkMs: 7 * DAY,
  /** Mail that the sandbox keeps instead of sending it. */
  keptMailMs: 30 * DAY,
  /** What a passkey has to sign. */
  challengeMs: 10 * MINUTE,
  /** Between the way to a company's provider and the way back. */
  companySignInMs: 10 * MINUTE,
  /** The link in the banner with which a person signs in. */
  signInLinkMs: DAY,
  /** A listener of callbacks that does not come back. */
  listenerMs: 7 * DAY,
  /** What was exchanged with an operator about a payment. */
  exchangeMs: 400 * DAY,
  /** A year can be archived so long after its end. */
  beforeArchiveMs: 90 * DAY,
  /** What a merchant asked of the API, and what was answered. */
  apiRequestMs: 14 * DAY,
  /** A retired signing key stays published: a day is promised, and clocks may differ. */
  retiredKeyMs: 2 * DAY,
  /** The signature of a callback or an answer, in seconds as its fields have it. */
  signatureSeconds: 60,
} as const
