import type { CallbackStatus } from './callback.ts'
import type { SubjectKind } from './callback-subject.ts'

/** Which callbacks of a merchant are meant. Times are those at which payments were accepted. */
export type CallbackFilter = {
  readonly statuses: readonly CallbackStatus[]
  readonly kinds: readonly SubjectKind[]
  /** The state that the callback reports, such as COMPLETED. */
  readonly result?: string
  readonly fromMs?: number
  /** Not included. */
  readonly toMs?: number
  /** Only of payments in these countries. Absent: of all. */
  readonly countries?: readonly string[]
}

/** What a replay sends when nothing else is said: all that was not delivered and is not tried. */
export const UNSENT: readonly CallbackStatus[] = ['GIVEN_UP', 'PAUSED']

export const REPLAY_MAX_PER_SECOND = 1000

/**
 * Keys begin with the time at which a payment was accepted, so a span of time is a span of keys,
 * and the order of keys is the order of time: no index of its own is needed.
 */
export function keySpan({ fromMs, toMs }: Pick<CallbackFilter, 'fromMs' | 'toMs'>): {
  from: string
  to: string
} {
  return {
    from: fromMs === undefined ? FIRST_KEY : keyAt(fromMs),
    to: toMs === undefined ? LAST_KEY : keyAt(toMs),
  }
}

export const FIRST_KEY = '00000000-0000-0000-0000-000000000000'
export const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function keyAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The next key, so that those after one are a span too. */
export function keyAfter(key: string): string {
  const hex = (BigInt(`0x${key.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** When the payment with this key was accepted. */
export const keyTime = (key: string): number =>
  Number.parseInt(key.slice(0, 8) + key.slice(9, 13), 16)
