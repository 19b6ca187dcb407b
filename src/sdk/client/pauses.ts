/** How long to wait between attempts. */

const FIRST_MS = 250
const LONGEST_MS = 8000
/** A server that asks to wait longer than this is not waited for: the caller decides. */
export const LONGEST_RETRY_AFTER_MS = 60_000

/** Twice as long each time, and by up to a half longer, so that clients do not come back together. */
export function pauseBefore(retry: number, retryAfterMs: number | undefined): number {
  const grown = Math.min(LONGEST_MS, FIRST_MS * 2 ** (retry - 1))
  return Math.max(retryAfterMs ?? 0, grown) * (1 + Math.random() / 2)
}

/** Seconds, or an HTTP date. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** Ends early, by throwing its reason, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
