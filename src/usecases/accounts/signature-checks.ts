import type { MerchantId } from '../../domain/ids.ts'
import type { ProblemCode } from '../../signing/signature-problems.ts'
import {
  addChecks,
  type CheckCount,
  type CheckSum,
  deleteChecksBefore,
  sumChecks,
} from '../../store/accounts/signature-checks.ts'
import type { Db } from '../../store/engine/database.ts'
import { createRecent } from '../../store/engine/recent.ts'
import { createTurns } from '../../store/engine/turns.ts'

/**
 * What became of the signatures of initiations, whether they are required or not: the figure that
 * somebody looks at before requiring them. Counted in memory and written with the heartbeat of the
 * node, so that a request costs an addition; a crash, or a write that fails, loses the counts of a
 * second.
 */
export type SignatureChecks = {
  note(merchantId: MerchantId, verdict: ProblemCode | 'VERIFIED'): void
  /** Counts a signature that was seen before and could still be used. */
  noteReplay(merchantId: MerchantId, seen: SeenSignature): void
  flush(): Promise<void>
}

type SeenSignature = {
  readonly fingerprints: readonly string[]
  readonly expiresMs: number | undefined
}

type Counter = CheckCount & { count: number; lastAt: number }

/** How many days the figure covers, today included. */
export const DAYS_SHOWN = 7

export function createSignatureChecks(db: Db, now: () => number): SignatureChecks {
  let counts = new Map<MerchantId, Map<string, Counter>>()
  const inTurn = createTurns()
  let cleanedOn = ''
  const seen = createSeenSignatures()

  const note = (merchantId: MerchantId, verdict: string): void => {
    const ofMerchant = counts.get(merchantId) ?? new Map<string, Counter>()
    if (ofMerchant.size === 0) counts.set(merchantId, ofMerchant)
    const lastAt = now()
    const counter = ofMerchant.get(verdict)
    if (counter !== undefined) {
      counter.count += 1
      counter.lastAt = lastAt
      return
    }
    ofMerchant.set(verdict, { merchantId, day: dayOf(lastAt), verdict, count: 1, lastAt })
  }
  const write = async (): Promise<void> => {
    if (counts.size === 0) return
    const written = [...counts.values()].flatMap((one) => [...one.values()])
    counts = new Map()
    await addChecks(db, written)
    const today = dayOf(now())
    if (today === cleanedOn) return
    await deleteChecksBefore(db, firstDay(now()))
    cleanedOn = today
  }
  return {
    note,
    noteReplay: (merchantId, one) => {
      if (seen.isRepeated(merchantId, one, now())) note(merchantId, 'REPLAYED')
    },
    // One after the other: who waits for a flush also waits for what an earlier one has taken.
    flush: () => inTurn(write),
  }
}

const SEEN_KEPT = 20_000

/** The latest signatures of this node; older ones are forgotten before the memory grows. */
function createSeenSignatures() {
  const recent = createRecent<number>(SEEN_KEPT)
  return {
    isRepeated: (owner: MerchantId, one: SeenSignature, nowMs: number) => {
      const { fingerprints, expiresMs } = one
      const name = `${owner} ${fingerprints[0]}`
      const until = recent.get(name)
      if (until !== undefined) return until >= nowMs
      recent.set(name, expiresMs ?? Number.POSITIVE_INFINITY)
      return false
    },
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const firstDay = (ms: number): string => dayOf(ms - (DAYS_SHOWN - 1) * 86_400_000)

/** Initiations of the last days: how many passed, how many would not have, and why. */
export type CheckReport = {
  readonly passed: number
  readonly failed: number
  readonly replayed: number
  readonly verdicts: readonly CheckSum[]
}

export async function readSignatureChecks(
  db: Db,
  merchantId: MerchantId,
  nowMs: number,
): Promise<CheckReport> {
  const verdicts = await sumChecks(db, merchantId, firstDay(nowMs))
  const countOf = (name: string): number =>
    verdicts.find(({ verdict }) => verdict === name)?.count ?? 0
  const [passed, replayed] = [countOf('VERIFIED'), countOf('REPLAYED')]
  const all = verdicts.reduce((sum, { count }) => sum + count, 0)
  return { passed, replayed, failed: all - passed - replayed, verdicts }
}
