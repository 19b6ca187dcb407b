import type { CallbackFeed } from './api/callbacks.ts'
import type { Call } from './caller.ts'

/** A callback as the feed has it: `body` is the very text that its headers sign. */
export type FedCallback = CallbackFeed['callbacks'][number]

export type FeedOptions = {
  /** Where you hand callbacks on to, on this machine: they are signed for it. */
  readonly address: string
  /** The cursor of the last callback that you have seen; without it the feed begins now. */
  readonly after?: string
  /** Whether to wait for more at the end of the list; true by default. */
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

const WAIT_SECONDS = 25
/** The answer takes as long as the wait, and some time on its way. */
const TIMEOUT_MS = 40_000

/** Callbacks in the order in which they were owed, page by page. */
export async function* readFeed(
  call: Call,
  { address, after, follow = true, signal }: FeedOptions,
): AsyncGenerator<FedCallback, void, void> {
  let cursor = after
  for (;;) {
    const { cursor: next, callbacks } = await call(
      'readCallbackFeed',
      {
        query: {
          address,
          ...(cursor === undefined ? {} : { after: cursor }),
          ...(follow ? { wait: String(WAIT_SECONDS) } : {}),
        },
      },
      { timeoutMs: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) },
    )
    yield* callbacks
    if (!follow && callbacks.length === 0) return
    cursor = next
  }
}
