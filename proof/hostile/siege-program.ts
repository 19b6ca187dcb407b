import { readFileSync } from 'node:fs'
import { dribble, fill, hammer, idle, wave } from './sieges.ts'

/**
 * A program of its own, so that what it costs to attack does not slow down the one who measures:
 * runs one siege and prints its report.
 */
export type SiegeJob = {
  readonly how: keyof typeof SIEGES
  readonly port: number
  readonly count: number
  readonly seconds: number
  /** A file with the bytes that each connection sends. */
  readonly bytesIn?: string
}

const SIEGES = { dribble, fill, hammer, idle, wave }

const { how, port, count, seconds, bytesIn } = JSON.parse(process.argv[2] ?? '{}') as SiegeJob
const bytes = bytesIn === undefined ? Buffer.alloc(0) : readFileSync(bytesIn)
process.stdout.write(JSON.stringify(await SIEGES[how](port, count, seconds, bytes)))
process.exit(0)
