import { readFileSync } from 'node:fs'
import { dribble, fill, hammer, idle, wave } from './connection-attacks.ts'

/**
 * Runs one attack and prints its report. A separate program, so that the cost of attacking does not
 * slow down the measurement.
 */
export type AttackJob = {
  readonly how: keyof typeof ATTACKS
  readonly port: number
  readonly count: number
  readonly seconds: number
  /** A file with the bytes that each connection sends. */
  readonly bytesIn?: string
}

const ATTACKS = { dribble, fill, hammer, idle, wave }

const { how, port, count, seconds, bytesIn } = JSON.parse(process.argv[2] ?? '{}') as AttackJob
const bytes = bytesIn === undefined ? Buffer.alloc(0) : readFileSync(bytesIn)
process.stdout.write(JSON.stringify(await ATTACKS[how](port, count, seconds, bytes)))
process.exit(0)
