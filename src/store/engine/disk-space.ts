/**
 * Whether the server has room for more data. A full disk refuses what needs another page of a file;
 * what fits into one is written all the same, so a write that passes says nothing.
 */
export type DiskSpace = {
  /** Looks at why a statement failed. */
  note(error: unknown): void
  isFull(): boolean
  /** Where it was full: tries whether there is room again. */
  check(query: (text: string) => Promise<unknown>): Promise<void>
}

const DISK_FULL = '53100'

export function createDiskSpace(): DiskSpace {
  let full = false
  return {
    note: (error) => {
      if ((error as { code?: unknown } | undefined)?.code === DISK_FULL) full = true
    },
    isFull: () => full,
    check: async (query) => {
      if (!full) return
      try {
        await query(TAKE_SOME_ROOM)
      } catch (error) {
        if ((error as { code?: unknown }).code === DISK_FULL) return
      }
      full = false
    },
  }
}

/** A file of about a megabyte, gone with the statement. */
const TAKE_SOME_ROOM =
  'create temporary table room on commit drop as select n from generate_series(1, 25000) as n'
