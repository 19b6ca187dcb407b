/**
 * What clients, browsers and commands wait for, and how long they are waited for: in milliseconds
 * unless the name says otherwise. It is never scaled. `timing.test.ts` asserts the relations, also to
 * what nodes do by themselves (`timing.ts`).
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What clients of the service have for their connections and requests. */
export const CONNECTIONS = {
  /** Headers are small and come at once, … */
  headersWithinMs: 10 * SECOND,
  /** … while a whole request has more time, for slow networks. */
  requestWithinMs: 30 * SECOND,
  /** Both are looked at so often. */
  lookEveryMs: 2 * SECOND,
  /** Longer than proxies keep their connections, so that they close first. */
  keepAliveMs: 75 * SECOND,
  /** A client that takes no byte of its answer for so long is gone. */
  silentMs: 90 * SECOND,
  /** To make room, connections that have sent no request for this long are closed first. */
  firstRequestWithinMs: 500,
  /** A body that has not come so long after its connection was opened is not waited for either. */
  bodyWithinMs: 10 * SECOND,
  /** Room is made so often at most, … */
  sweepEveryMs: 100,
  /** … and that connections are refused is logged so often. */
  fullLoggedEveryMs: 10 * SECOND,
  /** Of the refusals of a service that is full, so many at a time leave, so often. */
  refusalsEveryMs: 10,
  /** Of the bodies that nobody needs, so many pieces at a time are dropped, so often. */
  dropsEveryMs: 5,
  /** A request that waits for a change is held for so long at most, in seconds as requests state it. */
  heldSeconds: 25,
} as const

/** What pages do by themselves while a person looks at them, and what browsers keep. */
export const PAGES = {
  /** How soon a page for customers asks again, in seconds: at once after a change, … */
  againSeconds: 0.2,
  /** … later if its request was not held, … */
  unheldAgainSeconds: 5,
  /** … which is when its answer took no longer than this. */
  wasHeldMs: 500,
  /** How to bring a prompt back is shown after so many seconds: it should have been there. */
  promptThereSeconds: 12,
  /** A payment is called slow after this, … */
  slowMs: 90 * SECOND,
  /** … and then is being confirmed. */
  confirmingMs: 3 * MINUTE,
  /** A customer who has less than this to pay is warned. */
  shortMs: 2 * MINUTE,
  /** The shop of the sandbox looks again after so many seconds. */
  shopAgainSeconds: 2,
  /** Clocks of machines differ by less: one that is further ahead was moved. */
  clocksDifferMs: MINUTE,
  /** A browser keeps which attempt on a checkout it started, and the shop its order, for so long. */
  checkoutKeptSeconds: 3600,
  /** What the next page says once. */
  flashSeconds: 60,
  /** The language of a person, and which browser it is. */
  browserKeptSeconds: 31_536_000,
} as const

/** What commands wait for. */
export const COMMAND_TIMING = {
  /** The service has so long for an answer. */
  answerWithinMs: 40 * SECOND,
  /** A request for callbacks waits for so many seconds until there are any. */
  feedSeconds: 25,
  /** The receiver of a developer has so long, as receivers of the service have. */
  receiverHasMs: 10 * SECOND,
  /** A receiver or a service that is away is tried again after this. */
  listenAgainMs: 2 * SECOND,
  /** Signatures live for a minute; what has waited for half of one is read again. */
  callbacksFreshMs: 30 * SECOND,
  /** A payment of `malipo trigger` is looked at so often, and ends within this. */
  triggerLooksEveryMs: 250,
  triggerEndsWithinMs: MINUTE,
  /** Longer than the simulated operator takes by default: what it waits for is shown. */
  triggerSilentMs: 3 * SECOND,
  /** While a replay runs, how far it is. */
  replayLooksEveryMs: 500,
  /** A log that is followed. */
  logLooksEveryMs: 250,
  /** A payment of the demo. */
  demoLooksEveryMs: 25,
  /** Doctor: the signs of life of nodes. */
  nodesLookEveryMs: 250,
  /** Doctor: the service has so long to say whether it is ready. */
  readyWithinMs: 15 * SECOND,
  /** Doctor: a payment is late after this, … */
  paymentLateMs: MINUTE,
  /** … and a callback after this. */
  callbackLateMs: HOUR,
  /** Doctor: signatures live for a minute, and sessions and tokens end by the clock. */
  clocksApartMs: 2 * SECOND,
  /** Doctor: the mail server has so long for each answer. */
  mailWithinMs: 10 * SECOND,
  /** Doctor: a test payment is looked at so often, and ends within this. */
  testLooksEveryMs: 50,
  testEndsWithinMs: 30 * SECOND,
  /** Doctor: a certificate that ends within so many days has to be renewed. */
  certificateDays: 14,
} as const
