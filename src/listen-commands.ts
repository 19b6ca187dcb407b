import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, CommandProblem, environmentToken, print, textOf } from './command-kit.ts'
import { type CallbackVerifier, createCallbackVerifier } from './receiver.ts'
import {
  SERVICE_OPTIONS,
  ServiceAway,
  type ServiceClient,
  serviceClient,
} from './service-client.ts'

type FedCallback = {
  readonly cursor: string
  readonly kind: string
  readonly id: string
  readonly status: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Feed = { readonly cursor: string; readonly callbacks: readonly FedCallback[] }

const WAIT_SECONDS = 25
const RECEIVER_HAS_MS = 10_000
const TRY_AGAIN_MS = 2000

/** Callbacks for a receiver that the service cannot reach: on a developer's machine. */
export const LISTEN_COMMANDS: readonly Command[] = [
  {
    name: 'listen',
    summary: 'Hand the callbacks of a running service on to a local address',
    options: {
      'forward-to': {
        value: 'url',
        summary: 'the local address, such as localhost:3000/callbacks',
      },
      ...SERVICE_OPTIONS,
      cursor: {
        value: 'path',
        summary: 'where to remember how far it came; in ~/.malipo by default',
      },
    },
    run: async ({ values, json }) => {
      const client = serviceClient(values, environmentToken())
      const address = addressOf(textOf(values['forward-to']))
      const memory = cursorFile(textOf(values.cursor), client.url, address)
      await follow(client, address, memory, json)
      return 0
    },
  },
]

function addressOf(given: string | undefined): string {
  if (given === undefined) {
    throw new CommandProblem(
      'Say where to: malipo listen --forward-to http://localhost:3000/callbacks',
    )
  }
  const text = /^https?:\/\//.test(given) ? given : `http://${given}`
  if (!URL.canParse(text)) throw new CommandProblem(`--forward-to: "${given}" is not an address.`)
  return new URL(text).href
}

type Memory = { read(): string | undefined; write(cursor: string): void }

/** Written beside and moved into place: after a power cut it holds the old cursor or the new one. */
function cursorFile(given: string | undefined, service: string, address: string): Memory {
  const name = `listen-${hash('sha256', `${service} ${address}`).slice(0, 16)}`
  const file = given ?? join(homedir(), '.malipo', name)
  return {
    read: () => {
      try {
        return readFileSync(file, 'utf8').trim() || undefined
      } catch {
        return undefined
      }
    },
    write: (cursor) => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, `${cursor}\n`)
      renameSync(`${file}.new`, file)
    },
  }
}

async function follow(
  client: ServiceClient,
  address: string,
  memory: Memory,
  json: boolean,
): Promise<never> {
  const verify = createCallbackVerifier({ service: client.url, callbackUrl: address })
  const say = (facts: object, words: string): void => void print(json, facts, words)
  let cursor = memory.read()
  const from = cursor === undefined ? 'from now on' : 'from where it stopped'
  say({ listening: client.url, address }, `Listening to ${client.url}, ${from} → ${address}`)
  for (;;) {
    const feed = await patiently(say, () => read(client, address, cursor))
    for (const callback of feed.callbacks) {
      await handOn(callback, { client, address, verify, say })
      memory.write(callback.cursor)
    }
    cursor = feed.cursor
    memory.write(cursor)
  }
}

async function read(
  client: ServiceClient,
  address: string,
  cursor: string | undefined,
): Promise<Feed> {
  const query = new URLSearchParams({ address, wait: String(WAIT_SECONDS) })
  if (cursor !== undefined) query.set('after', cursor)
  return (await client.get(`/callbacks/feed?${query}`)) as Feed
}

type Say = (facts: object, words: string) => void

/** A service that is away comes back; what is said about it is said once. */
async function patiently<T>(say: Say, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceAway)) throw error
      if (tries === 0) say({ waiting: error.message }, `${error.message} Trying again …`)
      await pause(TRY_AGAIN_MS)
    }
  }
}

type Receiving = {
  readonly client: ServiceClient
  readonly address: string
  readonly verify: CallbackVerifier
  readonly say: Say
}

/** A receiver that is not there is waited for; any answer of one that is there ends it. */
async function handOn(callback: FedCallback, receiving: Receiving): Promise<void> {
  const { address, verify, say } = receiving
  const { kind, id, status, headers, body } = callback
  const path = new URL(address).pathname
  const verdict = await verify({ method: 'POST', path, headers, body }).catch((error: Error) => ({
    ok: false as const,
    reason: error.message,
  }))
  const proof = verdict.ok ? `verified with ${verdict.keyId}` : `not verified: ${verdict.reason}`
  for (let tries = 0; ; tries += 1) {
    const startedAt = performance.now()
    const answer = await post(address, headers, body)
    const ms = Math.round(performance.now() - startedAt)
    if (typeof answer === 'number') {
      const facts = { kind, id, status, answer, ms, verified: verdict.ok }
      say(facts, `${kind} ${id} ${status}  signature ${proof}  → ${answer} in ${ms} ms`)
      return
    }
    if (tries === 0) {
      say(
        { kind, id, status, waiting: answer },
        `${kind} ${id} ${status}  → ${answer} Trying again …`,
      )
    }
    await pause(TRY_AGAIN_MS)
  }
}

async function post(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(RECEIVER_HAS_MS)
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      signal,
      redirect: 'manual',
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    const { cause, message } = error as Error
    return `${address} did not answer: ${cause instanceof Error ? cause.message : message}.`
  }
}
