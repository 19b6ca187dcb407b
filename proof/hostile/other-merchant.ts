import { setTimeout as pause } from 'node:timers/promises'
import { depositBody } from '../../harness/service.ts'
import { openWire, type Wire } from '../fuzz/wire.ts'

/** What another merchant sees during an attack: deposits and look-ups at an ordinary rate. */
export type Latency = {
  readonly requests: number
  /** Measured from the scheduled time; infinite if too few were answered. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 200, or none. */
  readonly refused: number
  /** Share of the processor time that the host gave to other machines. */
  readonly stolen?: number
}

/** One request of the other merchant. */
export type Asked = {
  /** The scheduled time: it may leave later, but its customer waits from here. */
  readonly sentAt: number
  /** When it was answered or failed; infinite until then. */
  endedAt: number
  isRefused: boolean
}

export type Watch = {
  readonly asked: readonly Asked[]
  /** Schedules nothing more, and gives requests in flight some time. */
  stop(): Promise<void>
}

export type WatchOptions = {
  /** Every n-th request goes on a new connection; none if absent. */
  readonly newEvery?: number
  /** How many connections are kept at most. */
  readonly keeps?: number
  /** How many are open from the beginning, as those of a proxy are. */
  readonly opens?: number
  /** How long to wait for answers after the last request. */
  readonly graceMs?: number
}

/** The rate of four clients that send a deposit, look it up and pause for 15 ms. */
const EVERY_MS = 2.15
/** About the requests of one second: waiting for a slot lengthens no time within a bound. */
const UNDER_WAY_MAX = 512
const OPENS = 128
const GRACE_MS = 30_000

type Planned = { readonly one: Asked; readonly text: string; readonly isNew: boolean }

/** Sends on a fixed schedule, whether or not the last request was answered, as customers do. */
export function watchOtherMerchant(port: number, token: string, options: WatchOptions = {}): Watch {
  const { newEvery = Infinity, keeps = UNDER_WAY_MAX, opens = OPENS, graceMs = GRACE_MS } = options
  const asked: Asked[] = []
  const waiting: Planned[] = []
  const pool = poolAt(port, keeps)
  const texts = textsFor(`Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`)
  let underWay = 0
  let isStopped = false

  const send = async ({ one, text, isNew }: Planned): Promise<void> => {
    underWay += 1
    one.isRefused = (await pool.ask(text, isNew)) !== 200
    one.endedAt = performance.now()
    underWay -= 1
    sendSome()
  }
  const sendSome = (): void => {
    while (underWay < UNDER_WAY_MAX) {
      const next = waiting.shift()
      if (next === undefined) return
      void send(next)
    }
  }
  const plan = async (): Promise<void> => {
    await pool.open(Math.min(opens, keeps))
    for (let sentAt = performance.now(); !isStopped; ) {
      while (sentAt <= performance.now()) {
        const one: Asked = { sentAt, endedAt: Infinity, isRefused: false }
        asked.push(one)
        waiting.push({ one, text: texts(), isNew: asked.length % newEvery === 0 })
        sentAt += EVERY_MS
      }
      sendSome()
      await pause(1)
    }
  }
  const planning = plan()
  return {
    asked,
    stop: async () => {
      isStopped = true
      await planning
      const deadline = performance.now() + graceMs
      while (underWay > 0 && performance.now() < deadline) await pause(5)
      for (const one of asked) if (one.endedAt === Infinity) one.isRefused = true
      waiting.length = 0
      pool.close()
    },
  }
}

/** A deposit, then a look-up of the deposit before it, which has most likely been answered. */
function textsFor(head: string): () => string {
  let [at, before, last] = [0, depositBody().depositId, depositBody().depositId]
  return () => {
    at += 1
    if (at % 2 === 0) return `GET /v2/deposits/${before} HTTP/1.1\r\n${head}\r\n`
    const value = depositBody()
    ;[before, last] = [last, value.depositId]
    const body = JSON.stringify(value)
    return `POST /v2/deposits HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
  }
}

type Pool = {
  open(count: number): Promise<void>
  /** The status; undefined if there was no answer. */
  ask(text: string, isNew: boolean): Promise<number | undefined>
  close(): void
}

/** While all connections are in use another is opened, so that no request waits for one. */
function poolAt(port: number, keeps: number): Pool {
  const free: Wire[] = []
  let isClosed = false
  const take = (): Wire | undefined => {
    // The one idle for longest, so that none is idle for so long that the service closes it.
    for (let wire = free.shift(); wire !== undefined; wire = free.shift()) {
      if (wire.isOpen()) return wire
    }
    return undefined
  }
  return {
    open: async (count) => {
      free.push(...(await Promise.all(Array.from({ length: count }, () => openWire(port)))))
    },
    ask: async (text, isNew) => {
      try {
        const wire = (isNew ? undefined : take()) ?? (await openWire(port))
        const [answer] = await wire.exchange([{ bytes: Buffer.from(text), isHead: false }])
        if (isNew || isClosed || free.length >= keeps) wire.close()
        else free.push(wire)
        return answer?.status
      } catch {
        return undefined
      }
    },
    close: () => {
      isClosed = true
      for (const wire of free) wire.close()
    },
  }
}

/** With fewer answers a p99 means nothing. */
const ANSWERED_LEAST = 200

/** What is wrong with it; undefined if nothing is. */
export function latencyFault(latency: Latency, boundMs: number): string | undefined {
  const { requests, refused, p99Ms } = latency
  const answered = requests - refused
  if (refused > 0) return `${refused} of ${requests} refused`
  if (answered < ANSWERED_LEAST) return `${answered} answers are too few for a p99`
  return p99Ms <= boundMs ? undefined : `p99 above ${boundMs} ms`
}

/** Of the requests scheduled between the two times. */
export function latencyOf(asked: readonly Asked[], fromMs = 0, toMs = Infinity): Latency {
  const all = asked.filter(({ sentAt }) => sentAt >= fromMs && sentAt < toMs)
  const times = all.map(({ sentAt, endedAt }) => endedAt - sentAt)
  // Infinity minus Infinity is NaN.
  const sorted = times.toSorted((a, b) => a - b || 0)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Infinity
  const refused = all.filter(({ isRefused }) => isRefused).length
  return { requests: all.length, p50Ms: at(0.5), p99Ms: at(0.99), refused }
}

const STEP_MS = 50

/**
 * Milliseconds from `fromMs` until a second begins in which the p99 is within the bound and nothing
 * is refused; infinite if there was none. A request counts in each second that it touches, so one
 * that is not answered counts in all of them.
 */
export function calmAfter(
  asked: readonly Asked[],
  fromMs: number,
  { boundMs, nowMs }: { readonly boundMs: number; readonly nowMs: number },
): number {
  const since = asked.filter(({ endedAt }) => endedAt >= fromMs)
  // A request sent before this and not answered yet is late already.
  const lastMs = nowMs - boundMs - 1000
  for (let at = fromMs; at <= lastMs; at += STEP_MS) {
    const touching = since.filter(({ sentAt, endedAt }) => endedAt >= at && sentAt < at + 1000)
    const { requests, p99Ms, refused } = latencyOf(touching)
    if (requests > 0 && refused === 0 && p99Ms <= boundMs) return at - fromMs
  }
  return Infinity
}
