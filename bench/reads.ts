import { readFileSync } from 'node:fs'
import { getRequest, openConnection } from './http-client.ts'

/** Reads one path after another, on a few connections. */
type Job = {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly requests: number
  /** A file with one path on each line. */
  readonly paths: string
  /** Text that every answer contains. */
  readonly holds: string
}

export type ReadsResult = { readonly p50Ms: number; readonly p99Ms: number }

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const paths = readFileSync(job.paths, 'utf8').split('\n')
const latencies: number[] = []
let next = 0

async function drive(): Promise<void> {
  const connection = await openConnection(job.port)
  while (next < job.requests) {
    const path = paths[next % paths.length] ?? ''
    next += 1
    const sentAt = performance.now()
    const answer = await connection.send(getRequest(job.port, job.token, path))
    latencies.push(performance.now() - sentAt)
    if (!answer.includes(job.holds)) throw new Error(`${path}: ${answer}`)
  }
  connection.close()
}

await Promise.all(Array.from({ length: job.connections }, drive))
latencies.sort((a, b) => a - b)
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
process.stdout.write(JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99) } satisfies ReadsResult))
process.exit(0)
