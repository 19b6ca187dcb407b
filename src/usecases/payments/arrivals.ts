import { keyAt } from '../../domain/callbacks/replay.ts'
import { LIFETIMES, LIMITS } from '../../domain/timing.ts'
import type { Db } from '../../store/engine/database.ts'
import { browsePayments } from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import { findLiveSessions } from '../../store/people/sessions.ts'
import type { Clock } from '../context.ts'

/**
 * Lists that somebody looks at learn how many payments have come since they were shown. All of a
 * node share one timer. Lists of the same filter share one question, however many look at them, and
 * questions are asked one after the other: a node with many visitors tells them later, and costs the
 * database no more.
 */
export type Arrivals = {
  /** Answers what ends the watch; undefined where there are enough already. */
  watch(watch: Watch): (() => void) | undefined
  /** Ends all: the node stops. */
  stop(): void
}

type Watch = {
  readonly filter: BrowseFilter
  /** The newest payment that the page shows. */
  readonly since: string
  /** It ends with this session. */
  readonly session: Buffer
  /** The count, or nothing where it is only time for a sign of life. */
  readonly tell: (count: number | undefined) => void
  readonly end: () => void
}

type Group = {
  readonly filter: BrowseFilter
  readonly streams: Set<Stream>
  readonly found: Set<string>
}
type Stream = Watch & { readonly endsAt: number; sent: number; sentAt: number; isNew: boolean }

/** More are counted as so many. */
export const NEWER_AT_MOST = 100
const WATCHES_MAX = 500
const OF_SESSION_MAX = 6
const FOUND_MAX = 10 * NEWER_AT_MOST

export function createArrivals(db: Db, clock: Clock): Arrivals {
  const groups = new Map<string, Group>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let isStopped = false

  const all = (): Stream[] => [...groups.values()].flatMap(({ streams }) => [...streams])

  function leave(name: string, stream: Stream): void {
    const group = groups.get(name)
    group?.streams.delete(stream)
    if (group?.streams.size === 0) groups.delete(name)
    if (groups.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function look(): Promise<void> {
    if (isAsking) return
    isAsking = true
    // Where the database is away, or a question took too long, the next round asks again.
    await endOld(db, clock, all()).catch(() => undefined)
    for (const group of [...groups.values()]) {
      if (!isStopped) await ask(db, clock, group).catch(() => undefined)
    }
    isAsking = false
  }

  return {
    watch: (watch) => {
      const watching = all()
      const ofSession = watching.filter(({ session }) => session.equals(watch.session)).length
      if (isStopped || watching.length >= WATCHES_MAX || ofSession >= OF_SESSION_MAX) {
        return undefined
      }
      const now = clock.realNow()
      const endsAt = now + LIMITS.watchEndsAfterMs
      const stream: Stream = { ...watch, endsAt, sent: 0, sentAt: now, isNew: true }
      const name = JSON.stringify(watch.filter)
      const group = groups.get(name) ?? {
        filter: watch.filter,
        streams: new Set(),
        found: new Set(),
      }
      group.streams.add(stream)
      groups.set(name, group)
      timer ??= setInterval(() => void look(), LIMITS.listLooksEveryMs)
      return () => leave(name, stream)
    },
    stop: () => {
      isStopped = true
      for (const { end } of all()) end()
    },
  }
}

/** Streams end with their sessions, and now and then so that the browser comes in anew. */
async function endOld(db: Db, clock: Clock, streams: readonly Stream[]): Promise<void> {
  const now = clock.realNow()
  const live = await findLiveSessions(
    db,
    streams.map(({ session }) => session),
    { seenAfter: now - LIFETIMES.sessionIdleMs, createdAfter: now - LIFETIMES.sessionMs },
  )
  for (const stream of streams) {
    if (stream.endsAt <= now || !live.has(stream.session.toString('hex'))) stream.end()
  }
}

/** One question for all that look at the same list, each of whom counts from another payment. */
async function ask(db: Db, clock: Clock, { filter, streams, found }: Group): Promise<void> {
  const recent = keyAt(clock.now() - LIMITS.newForMs)
  const from = [...streams].map(({ isNew, since }) => (isNew || since > recent ? since : recent))
  const newerThan = from.reduce((one, other) => (other < one ? other : one), LAST)
  const payments = await browsePayments(db, { ...filter, newerThan }, { limit: NEWER_AT_MOST })
  for (const { key } of payments) found.add(key)
  for (const key of [...found].toSorted().slice(0, -FOUND_MAX)) found.delete(key)
  const now = clock.realNow()
  for (const stream of streams) {
    stream.isNew = false
    const count = Math.min(NEWER_AT_MOST, [...found].filter((key) => key > stream.since).length)
    const isSame = count === stream.sent
    if (isSame && now - stream.sentAt < LIMITS.signOfLifeMs) continue
    stream.sent = count
    stream.sentAt = now
    stream.tell(isSame ? undefined : count)
  }
}

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
