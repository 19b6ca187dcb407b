import type { Database } from '../../store/engine/database.ts'
import { beginSnapshot, CHECKS, type Finding, runCheck } from '../../store/verify/books.ts'

type CheckResult = { readonly name: string; readonly findings: readonly Finding[] }

/** Recomputes every balance and checks every invariant on one snapshot; reports each as it ends. */
export async function verifyBooks(
  database: Database,
  progress: (done: number, of: number, result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  return database.inLongTransaction(async (tx) => {
    await beginSnapshot(tx)
    const results: CheckResult[] = []
    for (const check of CHECKS) {
      const result = { name: check.name, findings: await runCheck(tx, check) }
      results.push(result)
      progress(results.length, CHECKS.length, result)
    }
    return results
  })
}
