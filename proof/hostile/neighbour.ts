import { setTimeout as pause } from 'node:timers/promises'
import { depositBody } from '../../test/support/service.ts'
import { openWire, type Wire } from './wire.ts'

/** How another merchant fares meanwhile: deposits and look-ups at an ordinary pace. */
export type Fare = {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 200, or none. */
  readonly refused: number
}

/** One request of the neighbour. */
export type Asked = {
  readonly sentAt: number
  /** When it was answered or given up; infinite until then. */
  endedAt: number
  isRefused: boolean
}

export type Watch = {
  readonly asked: readonly Asked[]
  stop(): Promise<void>
}

const CONNECTIONS = 4
const PAUSE_MS = 15

export function watchNeighbour(port: number, token: string): Watch {
  const asked: Asked[] = []
  let stopped = false

  const ask = async (wire: Wire, text: string): Promise<void> => {
    const one: Asked = { sentAt: performance.now(), endedAt: Infinity, isRefused: false }
    asked.push(one)
    const [answer] = await wire.exchange([{ bytes: Buffer.from(text), isHead: false }])
    one.endedAt = performance.now()
    one.isRefused = answer?.status !== 200
  }
  const live = async (): Promise<void> => {
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
    let wire = await openWire(port)
    while (!stopped) {
      if (!wire.isOpen()) wire = await openWire(port)
      const body = JSON.stringify(depositBody())
      await ask(
        wire,
        `POST /v2/deposits HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
      )
      const { depositId } = JSON.parse(body)
      await ask(wire, `GET /v2/deposits/${depositId} HTTP/1.1\r\n${head}\r\n`)
      await pause(PAUSE_MS)
    }
    wire.close()
  }
  const lives = Promise.all(Array.from({ length: CONNECTIONS }, live))
  return {
    asked,
    stop: async () => {
      stopped = true
      await lives
    },
  }
}

/** Of the requests that were sent in this time. */
export function fareOf(asked: readonly Asked[], fromMs = 0, toMs = Infinity): Fare {
  const all = asked.filter(({ sentAt }) => sentAt >= fromMs && sentAt < toMs)
  const sorted = all.map(({ sentAt, endedAt }) => endedAt - sentAt).toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  const refused = all.filter(({ isRefused }) => isRefused).length
  return { requests: all.length, p50Ms: at(0.5), p99Ms: at(0.99), refused }
}

const STEP_MS = 50

/**
 * Milliseconds from `fromMs` until a second begins in which the p99 is within the bound and nothing
 * is refused; infinite while none has been seen. A request belongs to each second that it touches,
 * so one that is not answered counts in all of them.
 */
export function calmAfter(
  asked: readonly Asked[],
  fromMs: number,
  { boundMs, nowMs }: { readonly boundMs: number; readonly nowMs: number },
): number {
  const since = asked.filter(({ endedAt }) => endedAt >= fromMs)
  // What was asked before this and has no answer yet is late already.
  const lastMs = nowMs - boundMs - 1000
  for (let at = fromMs; at <= lastMs; at += STEP_MS) {
    const touching = since.filter(({ sentAt, endedAt }) => endedAt >= at && sentAt < at + 1000)
    const { requests, p99Ms, refused } = fareOf(touching)
    if (requests > 0 && refused === 0 && p99Ms <= boundMs) return at - fromMs
  }
  return Infinity
}
