import { readFileSync } from 'node:fs'
import { openConnection, statusRequest } from './http-client.ts'

/** Asks for the status of payments one after another, on a few connections. */
type Job = {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly requests: number
  /** A file with one identifier on each line. */
  readonly ids: string
}

export type StatusResult = { readonly p50Ms: number; readonly p99Ms: number }

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const ids = readFileSync(job.ids, 'utf8').split('\n')
const latencies: number[] = []
let next = 0

async function drive(): Promise<void> {
  const connection = await openConnection(job.port)
  while (next < job.requests) {
    const id = ids[next % ids.length] ?? ''
    next += 1
    const sentAt = performance.now()
    const answer = await connection.send(statusRequest(job.port, job.token, id))
    latencies.push(performance.now() - sentAt)
    if (!answer.includes('"FOUND"')) throw new Error(`${id}: ${answer}`)
  }
  connection.close()
}

await Promise.all(Array.from({ length: job.connections }, drive))
latencies.sort((a, b) => a - b)
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
process.stdout.write(JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99) } satisfies StatusResult))
process.exit(0)
