/**
 * A throw-away Malipo for a test suite, see docs/testing.md. It runs as a process of its own, on a
 * free port, with its data in a temporary folder, and is gone with the test suite at the latest.
 */
import { startChild } from './testing/child.ts'
import { ask } from './testing/http.ts'
import { type Callbacks, openInbox } from './testing/inbox.ts'
import { createInteractive } from './testing/interactive.ts'
import { type Phone, phoneOf } from './testing/phone.ts'

export type { CallbackBody, CallbackFilter, Callbacks } from './testing/inbox.ts'
export type { Phone, PhoneMessage } from './testing/phone.ts'

export type MalipoOptions = {
  /** How long the simulated operator takes to answer; it answers at once by default. */
  readonly delayMs?: number
  /** Where the service listens; a free port by default. */
  readonly port?: number
  /** Further settings of the service, by the names of docs/configuration.md. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * How long `approve`, `decline` and `callbacks.next` wait; 30000 by default. Jest and Vitest end
   * a test after five seconds: with less than that, the reason is seen.
   */
  readonly waitMs?: number
}

export type Malipo = {
  readonly baseUrl: string
  /** The API token of the demo merchant, which has money in every wallet. */
  readonly token: string
  /** The number of its process. */
  readonly pid: number
  /**
   * From now on deposits of this number wait for `approve()` or `decline()`. Digits only, with the
   * country code.
   */
  phone(number: string): Phone
  readonly clock: {
    /** Moves the clock of payments ahead; whatever becomes due happens now. */
    advance(seconds: number): Promise<void>
  }
  /** What the service has sent to the receiver of the kit, with signatures that are good. */
  readonly callbacks: Callbacks
  /** Stops the service and removes its data; more than once does no harm. */
  close(): Promise<void>
}

const WAIT_MS = 30_000

/** What the kit decides itself, and the way to change it. */
const DECIDED: Readonly<Record<string, string>> = {
  PORT: 'Give the option port instead',
  DATABASE_URL: 'The kit brings its own database',
  MALIPO_DATA_DIR: 'The data is in a temporary folder',
  MALIPO_ENV: 'The kit is always a sandbox',
}

export async function startMalipo(options: MalipoOptions = {}): Promise<Malipo> {
  const { delayMs, port = 0, env = {}, waitMs = WAIT_MS } = options
  const decided = Object.keys(env).find((name) => name in DECIDED)
  if (decided !== undefined) {
    throw new TypeError(`startMalipo: env has ${decided}. ${DECIDED[decided]}.`)
  }
  const inbox = await openInbox(waitMs)
  try {
    const child = await startChild({ port, settings: settingsOf(inbox.url, delayMs, env) })
    inbox.attach(child)
    return open(child, inbox, waitMs)
  } catch (error) {
    inbox.close()
    throw error
  }
}

function settingsOf(
  callbackUrl: string,
  delayMs: number | undefined,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    MALIPO_SANDBOX_CALLBACK_URL: callbackUrl,
    MALIPO_SANDBOX_DELAY_MS: '0',
    ...env,
    ...(delayMs === undefined ? {} : { MALIPO_SANDBOX_DELAY_MS: String(delayMs) }),
  }
}

function open(
  child: Awaited<ReturnType<typeof startChild>>,
  inbox: Awaited<ReturnType<typeof openInbox>>,
  waitMs: number,
): Malipo {
  const { baseUrl, token, pid } = child
  const place = { baseUrl, token }
  const interactive = createInteractive(place)
  let failure: Error | undefined
  let closed: Promise<void> | undefined
  const fail = (reason: Error): void => {
    failure ??= reason
    inbox.fail(failure)
  }
  void child.lost.then(fail)
  const check = (): void => {
    if (failure !== undefined) throw failure
  }

  const close = async (): Promise<void> => {
    fail(new Error('This Malipo was closed.'))
    interactive.close()
    await child.stop()
    inbox.close()
  }

  return {
    baseUrl,
    token,
    pid,
    phone: (number) => {
      check()
      interactive.make(number)
      return phoneOf({ place, waitMs, failure: () => failure }, number)
    },
    clock: {
      advance: async (seconds) => {
        check()
        await ask(place, 'POST', '/sandbox/clock/advance', { seconds })
      },
    },
    callbacks: inbox.callbacks,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
