/**
 * Posts to addresses that others chose. Whatever the receiver does becomes a value: slow, broken
 * and hostile receivers are ordinary here. Redirects are never followed, because the place they
 * lead to was neither checked nor signed for.
 */
import { LIMITS } from '../domain/timing.ts'
import type { AddressPolicy } from './address-guard.ts'
import { exchange, type Posting, type Sent } from './exchange.ts'
import { createOriginPools } from './origin-pools.ts'
import type { Resolve } from './resolve.ts'

export type SenderOptions = {
  readonly policy: AddressPolicy
  /** Without it, as many as there are posts under way: the caller bounds them. */
  readonly connectionsPerOrigin?: number
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
  readonly maxBodyBytes?: number
  /** Stands in for the system resolver. */
  readonly resolve?: Resolve
  /** Extra trusted certificates, in PEM, besides those that come with Node. */
  readonly ca?: string
}

export type Sender = {
  readonly post: (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => Promise<Sent>
  /** Any request; `totalTimeoutMs` where it is not that of the sender. */
  readonly send: (url: URL, request: Request, totalTimeoutMs?: number) => Promise<Sent>
  /** Waits for what is under way, at most until its deadline. Later posts fail. */
  readonly close: () => Promise<void>
  /** Waits for nothing: what is under way fails, and so do later posts. */
  readonly cutOff: () => Promise<void>
}

type Request = Omit<Posting, 'path'>

export const SHUTTING_DOWN = 'the service is shutting down'

export function createSender(options: SenderOptions): Sender {
  const connectTimeoutMs = options.connectTimeoutMs ?? LIMITS.callbackConnectMs
  const limits = {
    connectTimeoutMs,
    totalTimeoutMs: options.totalTimeoutMs ?? LIMITS.callbackTotalMs,
    maxBodyBytes: options.maxBodyBytes ?? 16_384,
  }
  const pools = createOriginPools({ ...options, connectTimeoutMs })
  const underWay = new Set<Promise<Sent>>()
  let closing = false

  const send: Sender['send'] = (url, request, totalTimeoutMs = limits.totalTimeoutMs) => {
    if (closing) return Promise.resolve(failedAtOnce(SHUTTING_DOWN))
    const taken = pools.take(url)
    if (!taken.ok) return Promise.resolve(failedAtOnce(`address refused: ${taken.reason}`))
    const { method, headers, body } = request
    const path = url.pathname + url.search
    const posting = body === undefined ? { method, path, headers } : { method, path, headers, body }
    const isUsual = totalTimeoutMs === limits.totalTimeoutMs
    const sent = exchange(taken.pool, posting, isUsual ? limits : { ...limits, totalTimeoutMs })
    underWay.add(sent)
    const ended = (): void => {
      underWay.delete(sent)
      taken.release()
    }
    sent.then(ended, ended)
    return sent
  }

  return {
    send,
    post: (url, headers, body) => send(url, { method: 'POST', headers, body }),
    close: async () => {
      closing = true
      await Promise.all(underWay)
      await pools.close()
    },
    cutOff: () => {
      closing = true
      return pools.close()
    },
  }
}

function failedAtOnce(reason: string): Sent {
  return { kind: 'failed', reason, wasSent: false, durationMs: 0 }
}
