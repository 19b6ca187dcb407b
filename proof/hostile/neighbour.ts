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

const CONNECTIONS = 4
const PAUSE_MS = 15

export function watchNeighbour(port: number, token: string): { stop(): Promise<Fare> } {
  const latencies: number[] = []
  let refused = 0
  let stopped = false

  const ask = async (wire: Wire, text: string): Promise<void> => {
    const sentAt = performance.now()
    const [answer] = await wire.exchange([{ bytes: Buffer.from(text), isHead: false }])
    latencies.push(performance.now() - sentAt)
    if (answer?.status !== 200) refused += 1
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
    stop: async () => {
      stopped = true
      await lives
      const sorted = latencies.toSorted((a, b) => a - b)
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
      return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), refused }
    },
  }
}
