import type { MerchantId } from '../../domain/ids.ts'
import {
  addUsage,
  findUsage,
  type Usage,
  type UsageCount,
} from '../../store/accounts/legacy-usage.ts'
import type { Db } from '../../store/engine/database.ts'

/**
 * Who still uses which call and field of the earlier generation. Counted in memory and written with
 * the beat of the node, so that a call costs an addition; a crash, or a write that fails, loses the
 * counts of a second.
 */
export type LegacyUsage = {
  note(merchantId: MerchantId, call: string, fields: readonly string[]): void
  flush(): Promise<void>
  read(merchantId: MerchantId): Promise<readonly Usage[]>
}

export function createLegacyUsage(db: Db, now: () => number): LegacyUsage {
  let counts = new Map<string, UsageCount>()
  let writing = Promise.resolve()

  const count = (merchantId: MerchantId, call: string, field: string): void => {
    const name = `${merchantId} ${call} ${field}`
    const before = counts.get(name)?.count ?? 0
    counts.set(name, { merchantId, call, field, count: before + 1, lastUsed: now() })
  }
  const write = async (): Promise<void> => {
    if (counts.size === 0) return
    const written = counts
    counts = new Map()
    await addUsage(db, [...written.values()])
  }
  // One after the other: who waits for a flush also waits for what an earlier one has taken.
  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  return {
    note: (merchantId, call, fields) => {
      count(merchantId, call, '')
      for (const field of fields) count(merchantId, call, field)
    },
    flush,
    read: async (merchantId) => {
      await flush()
      return findUsage(db, merchantId)
    },
  }
}
