/**
 * One connection pool for each origin, so that a slow receiver holds up only itself. Pools without
 * work are closed after a while, and sooner when there are many origins.
 */
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { buildConnector, Pool } from 'undici'
import { LIMITS } from '../domain/timing.ts'
import {
  ADDRESS_REFUSED,
  type AddressPolicy,
  checkUrl,
  guardedLookup,
  peerFault,
  type Refused,
} from './address-guard.ts'
import { readingContinue } from './continue-answers.ts'
import type { Resolve } from './resolve.ts'

const require = createRequire(import.meta.url)
/** Loaded once the node has started, of whose start it would take a tenth, or for the first request. */
const loadClient = (): typeof import('undici') => require('undici')

type PoolOptions = {
  readonly policy: AddressPolicy
  readonly connectionsPerOrigin?: number
  readonly connectTimeoutMs: number
  readonly resolve?: Resolve
  /** Extra trusted certificates, in PEM. */
  readonly ca?: string
}

type TakenPool = { readonly ok: true; readonly pool: Pool; readonly release: () => void }

type OriginPools = {
  readonly take: (url: URL) => TakenPool | Refused
  readonly size: () => number
  readonly close: () => Promise<void>
}

export function createOriginPools(
  options: PoolOptions,
  keep: { readonly maxPools: number; readonly idleMs: number } = {
    maxPools: 256,
    idleMs: LIMITS.hostIdleMs,
  },
): OriginPools {
  const entries = new Map<string, Entry>()
  const openPool = poolFactory(options)
  const load = setTimeout(loadClient, LIMITS.clientLoadedAfterMs).unref()
  const sweep = setInterval(() => {
    const before = performance.now() - keep.idleMs
    for (const [origin, entry] of entries) if (entry.usedMs <= before) discard(entries, origin)
  }, keep.idleMs / 2).unref()

  return {
    take: (url) => {
      const { origin } = url
      const known = entries.get(origin)
      if (known !== undefined) return take(known)
      const checked = checkUrl(origin, options.policy)
      if (!checked.ok) return checked
      if (entries.size >= keep.maxPools) discardLongestIdle(entries)
      const entry: Entry = { pool: openPool(origin), inUse: 0, usedMs: 0 }
      entries.set(origin, entry)
      return take(entry)
    },
    size: () => entries.size,
    close: async () => {
      clearTimeout(load)
      clearInterval(sweep)
      const pools = [...entries.values()].map(({ pool }) => pool.destroy())
      entries.clear()
      await Promise.all(pools)
    },
  }
}

type Entry = { readonly pool: Pool; inUse: number; usedMs: number }

/** The TLS options and the lookup are shared, so that lookups of one name are shared as well. */
function poolFactory(options: PoolOptions): (origin: string) => Pool {
  const { policy, resolve, ca, connectTimeoutMs: timeout } = options
  const timeoutMs = Math.min(timeout, LIMITS.lookupWithinMs)
  const lookup = guardedLookup(
    policy,
    resolve === undefined ? { timeoutMs } : { resolve, timeoutMs },
  )
  const trust = ca === undefined ? {} : { secureContext: alsoTrusting(ca) }
  // Set outright, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED would turn it off.
  const rejectUnauthorized = true
  const openConnector = () => {
    const { buildConnector } = loadClient()
    const tls = { ...trust, rejectUnauthorized, allowH2: false }
    return vettingPeers(buildConnector({ ...tls, lookup, timeout }), policy)
  }
  let connect: buildConnector.connector | undefined
  return (origin) => {
    connect ??= openConnector()
    const { Pool } = loadClient()
    return new Pool(origin, {
      connections: options.connectionsPerOrigin ?? null,
      pipelining: 1,
      // The deadline of each exchange covers both, at the price of a single timer.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    })
  }
}

/** The last look: nothing is sent on a connection that has ended up where it must not. */
function vettingPeers(
  open: buildConnector.connector,
  policy: AddressPolicy,
): buildConnector.connector {
  return (options, callback) =>
    open(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      const reason = peerFault(socket.remoteAddress, policy)
      if (reason === undefined) return callback(null, readingContinue(socket))
      socket.destroy()
      callback(Object.assign(new Error(reason), { code: ADDRESS_REFUSED }), null)
    })
}

/** A list given to TLS replaces its own, so the usual certificates are listed as well. */
function alsoTrusting(ca: string): SecureContext {
  return createSecureContext({ ca: [...rootCertificates, ca] })
}

function take(entry: Entry): TakenPool {
  entry.inUse += 1
  const release = (): void => {
    entry.inUse -= 1
    entry.usedMs = performance.now()
  }
  return { ok: true, pool: entry.pool, release }
}

/** When every pool is busy none is discarded: the number of posts under way bounds them. */
function discardLongestIdle(entries: Map<string, Entry>): void {
  let longest: string | undefined
  let since = Number.POSITIVE_INFINITY
  for (const [origin, { inUse, usedMs }] of entries) {
    if (inUse > 0 || usedMs >= since) continue
    longest = origin
    since = usedMs
  }
  if (longest !== undefined) discard(entries, longest)
}

function discard(entries: Map<string, Entry>, origin: string): void {
  const entry = entries.get(origin)
  if (entry === undefined || entry.inUse > 0) return
  entries.delete(origin)
  entry.pool.destroy().catch(() => undefined)
}
