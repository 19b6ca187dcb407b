import type { CaseRow } from './evidence.ts'
import type { Rig } from './rig.ts'

/**
 * When each case was first seen, in real milliseconds: its own time is that of the test clock, which
 * jumps, and not on all nodes at the same moment.
 */
export type CaseWatch = {
  look(): Promise<void>
  seenAt(one: Pick<CaseRow, 'merchant' | 'key' | 'cause'>): { readonly seenAt?: number }
}

type Found = { readonly name: string }

export function watchCases({ database }: Rig): CaseWatch {
  const seen = new Map<string, number>()
  return {
    look: async () => {
      // If the database has just been killed, the next query sees it.
      const rows = await database.query<Found>(NAMES).catch(() => [])
      const now = Date.now()
      for (const { name } of rows) if (!seen.has(name)) seen.set(name, now)
    },
    seenAt: ({ merchant, key, cause }) => {
      const at = seen.get(`${merchant}/${key}/${cause}`)
      return at === undefined ? {} : { seenAt: at }
    },
  }
}

const NAMES = `select merchant_id || '/' || payment_key || '/' || cause as name from cases`
