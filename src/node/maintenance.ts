/**
 * What is done after each heartbeat waits for connections like everything else; the next heartbeat
 * must not, or a busy node would be taken for dead. The first time is waited for: a node serves
 * after it.
 */
type Maintenance = {
  run(): Promise<void>
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

export function createMaintenance(
  work: () => Promise<void>,
  failed: (error: Error) => void,
): Maintenance {
  let wasDone = false
  let underWay: Promise<void> | undefined
  let stopped = false
  return {
    run: async () => {
      if (stopped || underWay !== undefined) return
      if (wasDone) {
        underWay = work()
          .catch(failed)
          .finally(() => {
            underWay = undefined
          })
        return
      }
      await work()
      wasDone = true
    },
    stop: async () => {
      stopped = true
      await underWay
    },
  }
}
