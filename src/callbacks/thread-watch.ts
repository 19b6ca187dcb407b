/**
 * Notices that a thread does nothing with what it has. It counts looks of its own instead of asking a
 * clock, so that a machine which stood still for a while, both threads included, is none the worse.
 */
export type ThreadWatch = { stop(): void }

export type WatchTimes = {
  readonly everyMs: number
  /** So many looks at the same oldest job are more than any job takes. */
  readonly looks: number
}

export function watchThread(
  { everyMs, looks }: WatchTimes,
  oldestJob: () => number | undefined,
  hangs: () => void,
): ThreadWatch {
  let seen: number | undefined
  let times = 0
  const look = (): void => {
    const oldest = oldestJob()
    times = oldest !== undefined && oldest === seen ? times + 1 : 0
    seen = oldest
    if (times >= looks) hangs()
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
