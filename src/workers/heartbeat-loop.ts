/** Sends heartbeats until it is stopped, each a while after the one before has ended. */
type HeartbeatLoop = {
  start(): void
  /** Sends no more, and waits for the one under way. */
  stop(): Promise<void>
}

export function createHeartbeatLoop(
  everyMs: number,
  send: () => Promise<void>,
  failed: (error: Error) => void,
): HeartbeatLoop {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let stopped = false

  const sendLater = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      underWay = send().catch(failed).then(sendLater)
    }, everyMs)
  }
  return {
    start: sendLater,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}
