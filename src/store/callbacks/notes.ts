/**
 * The notes of attempts that this process has written, each a row of `sendings`: see decision 0022.
 * Those whose attempts have all ended are deleted by the statement that records the next ones.
 */
export type Notes = {
  /** The number of a new one. */
  next(): number
  /** It was written, and names so many attempts: the answer gives each a way to say that it ended. */
  begun(batch: number, attempts: number): () => () => void
  /** A write that deletes those that are over. */
  withOver<T>(write: (over: readonly number[]) => Promise<T>): Promise<T>
}

export function createNotes(): Notes {
  let batches = 0
  let over: number[] = []
  return {
    next: () => {
      batches += 1
      return batches
    },
    begun: (batch, attempts) => {
      let underWay = attempts
      return () => {
        let isUnderWay = true
        return () => {
          if (isUnderWay) underWay -= 1
          if (isUnderWay && underWay === 0) over.push(batch)
          isUnderWay = false
        }
      }
    },
    withOver: async (write) => {
      const taken = over
      over = []
      return write(taken).catch((error) => {
        over.push(...taken)
        throw error
      })
    },
  }
}
