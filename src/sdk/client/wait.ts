import { ConnectionError, NotFoundError, ServiceError, WaitError } from './errors.ts'
import { pause } from './pauses.ts'

export type WaitOptions = {
  /** Gives up as soon as it is aborted. */
  readonly signal?: AbortSignal
  /** How long to wait; five minutes by default. A customer may take that long to approve. */
  readonly withinMs?: number
}

/** What is final, and what it then is. */
type Final<Found extends { readonly status: string }, Status extends string> = Found & {
  readonly status: Status & Found['status']
}

const WITHIN_MS = 300_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const GROWTH = 1.5

/**
 * Looks until it is final, less and less often. Trouble of the network or the service is no reason
 * to stop: the payment goes on meanwhile.
 */
export async function waitForFinal<
  Found extends { readonly status: string },
  Status extends Found['status'],
>(
  id: string,
  look: (options: { readonly signal: AbortSignal }) => Promise<Found | undefined>,
  finals: readonly Status[],
  { signal: given, withinMs = WITHIN_MS }: WaitOptions = {},
): Promise<Final<Found, Status>> {
  const deadline = AbortSignal.timeout(withinMs)
  const signal = given === undefined ? deadline : AbortSignal.any([given, deadline])
  let last: Found | undefined
  let trouble: unknown
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * GROWTH)) {
      try {
        last = await look({ signal })
        if (last === undefined) throw new NotFoundError(id)
        if (isOneOf(last, finals)) return last
        trouble = undefined
      } catch (error) {
        if (!(error instanceof ConnectionError || error instanceof ServiceError)) throw error
        trouble = error
      }
      await pause(pauseMs, signal)
    }
  } catch (error) {
    given?.throwIfAborted()
    throw deadline.aborted ? new WaitError(withinMs, last, trouble) : error
  }
}

const isOneOf = <Found extends { readonly status: string }, Status extends string>(
  found: Found,
  finals: readonly Status[],
): found is Final<Found, Status> => finals.some((one) => one === found.status)
