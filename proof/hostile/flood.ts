import { randomUUID } from 'node:crypto'
import { openWire } from '../fuzz/wire.ts'

/** A separate program: sends as fast as it is answered, on many connections, several at once. */
export type FloodJob = {
  readonly port: number
  readonly token: string
  readonly what: 'deposits' | 'look-ups'
  readonly connections: number
  readonly atOnce: number
  readonly seconds: number
}

export type FloodResult = {
  readonly perSecond: number
  readonly statuses: Readonly<Record<string, number>>
  /** 503 answers with Retry-After. */
  readonly withRetryAfter: number
  /** When the last request was sent, by the system clock: answers may come later. */
  readonly lastSentAt: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as FloodJob
const statuses: Record<string, number> = {}
let withRetryAfter = 0
let lastSentAt = 0
const startedAt = performance.now()

function request(): Buffer {
  const head = `Host: 127.0.0.1:${job.port}\r\nAuthorization: Bearer ${job.token}\r\n`
  if (job.what === 'look-ups') {
    return Buffer.from(`GET /v2/deposits/${randomUUID()} HTTP/1.1\r\n${head}\r\n`)
  }
  const body = JSON.stringify({
    depositId: randomUUID(),
    amount: '15',
    currency: 'ZMW',
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
    },
  })
  return Buffer.from(
    `POST /v2/deposits HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
}

async function drive(): Promise<void> {
  const wire = await openWire(job.port)
  while (performance.now() < startedAt + job.seconds * 1000 && wire.isOpen()) {
    const requests = Array.from({ length: job.atOnce }, () => ({ bytes: request(), isHead: false }))
    lastSentAt = performance.timeOrigin + performance.now()
    for (const answer of await wire.exchange(requests)) {
      const name = String(answer?.status ?? 'none')
      statuses[name] = (statuses[name] ?? 0) + 1
      if (answer?.status === 503 && answer.headers.has('retry-after')) withRetryAfter += 1
    }
  }
  wire.close()
}

await Promise.all(Array.from({ length: job.connections }, drive))
const total = Object.values(statuses).reduce((sum, count) => sum + count, 0)
const perSecond = total / ((performance.now() - startedAt) / 1000)
const result: FloodResult = { perSecond, statuses, withRetryAfter, lastSentAt }
process.stdout.write(JSON.stringify(result))
process.exit(0)
