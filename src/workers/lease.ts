/** How long ago the database has confirmed that this node lives. */
type Lease = {
  /** To be taken before a heartbeat is sent: the lease counts from there once it is confirmed. */
  moment(): Moment
  renew(sentAt: Moment): void
  drop(): void
  /** Infinite where nothing was confirmed yet. */
  ageMs(): number
}

/**
 * The steady clock stands still while the machine is suspended, and the clock on the wall may be set
 * back; the one by which more time has passed counts.
 */
type Moment = { readonly steady: number; readonly wall: number }

export function createLease(realNow: () => number): Lease {
  let last: Moment | undefined
  return {
    moment: () => ({ steady: performance.now(), wall: realNow() }),
    renew: (sentAt) => {
      last = sentAt
    },
    drop: () => {
      last = undefined
    },
    ageMs: () =>
      last === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(performance.now() - last.steady, realNow() - last.wall),
  }
}
