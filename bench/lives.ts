import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { openConnection, type PostedKind, paymentRequest } from './http-client.ts'

/**
 * Whole lives: posts a payment, and another one whenever the callback of one has arrived and was
 * acknowledged. The number of lives under way is limited, so that no backlog can grow; or else
 * payments come at a steady rate, however long their callbacks take.
 */
type Job = {
  readonly kind: PostedKind
  readonly port: number
  readonly token: string
  readonly receiverPort: number
  readonly connections: number
  /** Lives under way at once; 1 measures the latency of an idle system. */
  readonly window: number
  readonly seconds: number
  readonly lives: number
  /** Absent: as fast as the window allows. */
  readonly ratePerSecond?: number
}

export type LivesResult = {
  readonly lives: number
  readonly perSecond: number
  readonly firstHalfPerSecond: number
  readonly secondHalfPerSecond: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  /** Accepted when the load ended, and not delivered by then. */
  readonly leftOver: number
  readonly missing: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const ID_FIELD = `"${job.kind}Id":"`
const startOf = new Map<string, number>()
const latencies: number[] = []
const arrivals: number[] = []
let wake: (() => void)[] = []

const ACKNOWLEDGED = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const receiver = createServer({ noDelay: true }, (socket) => {
  let buffered = ''
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    buffered += chunk
    for (;;) {
      const headEnd = buffered.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, headEnd))?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (buffered.length < end) return
      arrived(buffered.slice(headEnd + 4, end))
      buffered = buffered.slice(end)
      socket.write(ACKNOWLEDGED)
    }
  })
})

function arrived(body: string): void {
  const at = body.indexOf(ID_FIELD) + ID_FIELD.length
  const id = body.slice(at, at + 36)
  const startedAt = startOf.get(id)
  if (startedAt === undefined) return
  startOf.delete(id)
  const now = performance.now()
  latencies.push(now - startedAt)
  arrivals.push(now)
  wake.shift()?.()
}

await new Promise<void>((resolve) => receiver.listen(job.receiverPort, '127.0.0.1', resolve))
const startedAt = performance.now()
const endsAt = startedAt + job.seconds * 1000
let posted = 0
const more = (): boolean => performance.now() < endsAt && posted < job.lives

async function drive(): Promise<void> {
  const connection = await openConnection(job.port)
  while (more()) {
    if (startOf.size >= job.window) {
      await new Promise<void>((resolve) => {
        wake.push(resolve)
        setTimeout(resolve, 1000).unref()
      })
      continue
    }
    posted += 1
    await isItsTurn(posted)
    const id = randomUUID()
    startOf.set(id, performance.now())
    const answer = await connection.send(paymentRequest(job.port, job.token, job.kind, id))
    if (!answer.includes('"ACCEPTED"')) throw new Error(answer)
  }
  connection.close()
}

/** At a steady rate each payment has its time; one that is late is sent at once. */
async function isItsTurn(number: number): Promise<void> {
  if (job.ratePerSecond === undefined) return
  const waitMs = startedAt + (number * 1000) / job.ratePerSecond - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

await Promise.all(Array.from({ length: job.connections }, drive))
const stoppedAt = performance.now()
const leftOver = startOf.size
while (startOf.size > 0 && performance.now() < stoppedAt + 20_000) {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
for (const resume of wake) resume()
wake = []
const inTime = arrivals.filter((at) => at <= stoppedAt)
const middle = (startedAt + stoppedAt) / 2
const rate = (from: number, to: number): number =>
  inTime.filter((at) => at >= from && at < to).length / ((to - from) / 1000)
latencies.sort((a, b) => a - b)
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
const result: LivesResult = {
  lives: latencies.length,
  perSecond: rate(startedAt, stoppedAt),
  firstHalfPerSecond: rate(startedAt, middle),
  secondHalfPerSecond: rate(middle, stoppedAt),
  p50Ms: at(0.5),
  p90Ms: at(0.9),
  p99Ms: at(0.99),
  leftOver,
  missing: startOf.size,
}
process.stdout.write(JSON.stringify(result))
process.exit(0)
