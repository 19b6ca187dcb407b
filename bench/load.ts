import { randomUUID } from 'node:crypto'
import { openConnection, type PostedKind, paymentRequest } from './http-client.ts'

/** Posts payments as fast as they are answered, on several connections, for a given time. */
type Job = {
  readonly kind?: PostedKind
  readonly port: number
  readonly token: string
  readonly connections: number
  /** Warm-up, which is not counted: this program is still being compiled. */
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Every n-th request repeats an identifier; 0 for none. */
  readonly repeatEvery: number
}

export type LoadResult = {
  readonly perSecond: number
  readonly accepted: number
  readonly repeated: number
  readonly other: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const latencies: number[] = []
let accepted = 0
let repeated = 0
let other = 0
let count = 0
let firstOther = ''

const startedAt = performance.now() + job.warmUpSeconds * 1000
const endsAt = startedAt + job.seconds * 1000

async function drive(): Promise<void> {
  const connection = await openConnection(job.port)
  let id: string = randomUUID()
  while (performance.now() < endsAt) {
    count += 1
    const isRepeat = job.repeatEvery > 0 && count % job.repeatEvery === 0
    if (!isRepeat) id = randomUUID()
    const sentAt = performance.now()
    const answer = await connection.send(
      paymentRequest(job.port, job.token, job.kind ?? 'deposit', id),
    )
    if (performance.now() < startedAt) continue
    latencies.push(performance.now() - sentAt)
    if (answer.includes('"ACCEPTED"')) accepted += 1
    else if (answer.includes('"DUPLICATE_IGNORED"')) repeated += 1
    else {
      other += 1
      firstOther ||= answer
    }
  }
  connection.close()
}

await Promise.all(Array.from({ length: job.connections }, drive))
const seconds = (performance.now() - startedAt) / 1000
latencies.sort((a, b) => a - b)
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
const result: LoadResult = {
  perSecond: (accepted + repeated) / seconds,
  accepted,
  repeated,
  other,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
}
if (firstOther !== '') process.stderr.write(`${firstOther}\n`)
process.stdout.write(JSON.stringify(result))
process.exit(0)
