/** Operators that take back their word about payments that are over, in both directions. */
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Ending } from '../../src/providers/stand-in/book.ts'
import type { Database } from '../../src/store/engine/database.ts'
import type { Ask } from './accounts.ts'
import type { StandInProcess } from './stand-ins.ts'

type Parts = {
  readonly database: Database
  readonly operators: readonly StandInProcess[]
  readonly asks: readonly Ask[]
}

const PAUSE_MS = 400
/** Payments so far back are over, most of them. */
const LOOKS_BACK = 400
const REPORTED_WITHIN_MS = 120_000

export function startContradictions(parts: Parts & { readonly seed: number }): {
  stop(): Promise<void>
} {
  let isOver = false
  const chance = chanceOf(parts.seed + 1000)
  const work = async (): Promise<void> => {
    while (!isOver) {
      await sleep(PAUSE_MS)
      const ask = parts.asks.at(-1 - chance.below(LOOKS_BACK))
      if (ask?.isAccepted && ask.hadEnded === undefined) await takeBack(parts, ask)
    }
  }
  const working = work()
  return {
    stop: () => {
      isOver = true
      return working
    },
  }
}

async function takeBack(parts: Parts, ask: Ask): Promise<void> {
  const [row] = await parts.database.query<{ state: string }>(
    'select state from payments where id = $1',
    [ask.id],
  )
  const state = row?.state
  if (state !== 'COMPLETED' && state !== 'FAILED') return
  const isTaken = await sayOpposite(parts, ask, state)
  if (isTaken) ask.hadEnded = state
}

/** False where its operator has no order of it, or is dead at this moment. */
async function sayOpposite(
  { operators }: Pick<Parts, 'operators'>,
  { line, number }: Ask,
  state: 'COMPLETED' | 'FAILED',
): Promise<boolean> {
  const operator = operators.find(({ connector }) => connector === line.connector)
  const [entry] = (await operator?.book(number).catch(() => [])) ?? []
  if (operator === undefined || entry === undefined) return false
  const opposite: Ending =
    state === 'FAILED' ? { says: 'success' } : { says: 'failure', reason: line.declined }
  await operator.end(entry.reference, opposite)
  return true
}

/** Operators repeat callbacks; once all are up, each of these is received. */
export async function repeatContradictions(parts: Parts): Promise<void> {
  const deadline = performance.now() + REPORTED_WITHIN_MS
  for (;;) {
    const rows = await parts.database.query<{ id: string }>(
      `select payment_id as id from cases where cause = 'CONTRADICTION'`,
    )
    const reported = new Set(rows.map(({ id }) => id))
    const silent = parts.asks.filter(
      ({ id, hadEnded }) => hadEnded !== undefined && !reported.has(id),
    )
    if (silent.length === 0 || performance.now() > deadline) return
    for (const ask of silent) await sayOpposite(parts, ask, ask.hadEnded ?? 'COMPLETED')
    await sleep(1000)
  }
}
