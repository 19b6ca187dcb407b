/**
 * The waits and limits of time of what happens beside payments: in milliseconds unless the name says
 * otherwise. They are never scaled. `timing.test.ts` asserts the relations; see `timing.ts`.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What a node keeps tidy, mails, measures and reports, and what protects its sign-in. */
export const UPKEEP = {
  /** Signatures that count once are deleted so often, … */
  usedSignaturesSweptEveryMs: MINUTE,
  /** … so long after their end: on a node whose clock is slow they are accepted for longer. */
  usedSignaturesKeptForMs: 5 * MINUTE,
  /** What the log of requests keeps no longer is deleted so often. */
  requestsSweptEveryMs: MINUTE,
  /** What was exchanged with operators and is kept no longer is deleted so often. */
  exchangesSweptEveryMs: 5 * MINUTE,
  /** When tokens, keys and addresses were last used is written so often. */
  lastUsesEveryMs: 5 * SECOND,
  /** That a person was seen is written so often, … */
  seenEveryMs: MINUTE,
  /** … and so is that a listener of callbacks asked. */
  listenerNotedEveryMs: MINUTE,
  /** What signing in left behind is deleted so often. */
  peopleSweptEveryMs: 10 * MINUTE,
  /** Failed attempts to sign in make the next one wait for so long at most, … */
  signInWaitAtMostMs: MINUTE,
  /** … and are forgotten after this. */
  failuresForgottenMs: HOUR,
  /** What a company's provider says about itself is asked for again after this. */
  companyProviderKnownMs: 10 * MINUTE,
  /** It has so long for an answer, in seconds as its library wants it. */
  companyProviderSeconds: 10,
  /** A mail server has so long to connect, to greet, and for each answer. */
  mailWithinMs: 20 * SECOND,
  /** Mail that it did not take is tried again after these. */
  mailAgainMs: [2 * SECOND, 15 * SECOND],
  /** A person gets mail about the status of operators so often at most. */
  statusMailsApartMs: MINUTE,
  /** One that was not sent is tried again after this, and then more and more rarely, … */
  statusMailAgainMs: 2 * MINUTE,
  /** … up to this. */
  statusMailAgainMaxMs: HOUR,
  /** Spans that ended are sent so often; that some were lost is logged so often. */
  spansSentEveryMs: SECOND,
  spansLostEveryMs: MINUTE,
  /** Stopping: a receiver of spans that hangs does not hold it up for longer. */
  spansClosedWithinMs: 2 * SECOND,
  /** How late the event loop is, is measured so often, … */
  loopMeasuredEveryMs: 20,
  /** … and reported for windows of so long. */
  loopWindowMs: MINUTE,
  /** Sandbox: a phone that answers late does so after this, when its payment is in reconciliation. */
  phoneLateMs: 90 * SECOND,
  /** A throw-away sandbox has so long to stop: nothing of it will be needed. */
  throwAwayStopMs: 3 * SECOND,
  /** It looks so often whether the one who started it is gone. */
  throwAwayLooksEveryMs: 200,
  /** A half-made template of it that is older was left behind. */
  throwAwayDraftMs: HOUR,
} as const

/** What the owner of the embedded database server waits for. */
export const EMBEDDED = {
  /** While the server is opened, its state is looked at so often; that it takes long is reported so often. */
  openLooksEveryMs: 20,
  openSaysEveryMs: 10 * SECOND,
  /** Processes of a former server hold its memory for no longer. */
  memoryHeldMs: MINUTE,
  /** An owner looks for its socket so often, and restarts a server that has lost it, … */
  socketLooksEveryMs: 2 * SECOND,
  /** … so a server without a socket for longer has no owner. */
  socketLostMs: 6 * SECOND,
  /** A server takes a moment to notice that its owner died: its lock is tried again after this. */
  lockAgainMs: 50,
  /** It has so long to stop in each way; whether it is gone is looked at so often. */
  stopWithinMs: 6 * SECOND,
  stopLooksEveryMs: 20,
  /** A server that died is started again after this, then after twice as long each time, … */
  startAgainMs: 50,
  /** … up to this. */
  startAgainMaxMs: 5 * SECOND,
  /** One that lived for longer had no trouble with its start: the pauses begin anew. */
  isStableAfterMs: 10 * SECOND,
} as const
