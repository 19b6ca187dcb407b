import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../domain/client-timing.ts'
import { type CallbackVerifier, createCallbackVerifier } from '../sdk/receiver.ts'
import { type Command, CommandProblem, environmentToken, print, textOf } from './command-kit.ts'
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

type Feed = {
  readonly account: string
  readonly cursor: string
  readonly callbacks: readonly FedCallback[]
}

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
      const say: Say = (facts, words) => void print(json, facts, words)
      const { account, cursor } = await retrying(say, () => read(client, address, undefined))
      const memory = cursorFile(textOf(values.cursor), `${client.url} ${address} ${account}`)
      const from = memory.read() === undefined ? 'from now on' : 'from where it stopped'
      if (memory.read() === undefined) memory.write(cursor)
      const words = `Listening to ${client.url} as ${account}, ${from} → ${address}`
      say({ listening: client.url, account, address }, words)
      return follow({ client, address, memory, say })
    },
  },
]

function addressOf(given: string | undefined): string {
  if (given === undefined) {
    throw new CommandProblem(
      'Name the address to forward to: malipo listen --forward-to http://localhost:3000/callbacks',
    )
  }
  const text = /^https?:\/\//.test(given) ? given : `http://${given}`
  if (!URL.canParse(text)) throw new CommandProblem(`--forward-to: "${given}" is not an address.`)
  return new URL(text).href
}

type Memory = { readonly file: string; read(): string | undefined; write(cursor: string): void }

/** Written beside and moved into place: after a power cut it holds the old cursor or the new one. */
function cursorFile(given: string | undefined, whose: string): Memory {
  const name = `listen-${hash('sha256', whose).slice(0, 16)}`
  const file = given ?? join(homedir(), '.malipo', name)
  return {
    file,
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

type Listening = {
  readonly client: ServiceClient
  readonly address: string
  readonly memory: Memory
  readonly say: Say
}

async function follow(listening: Listening): Promise<never> {
  const { client, address, memory, say } = listening
  const verify = createCallbackVerifier({ service: client.url, callbackUrl: address })
  let isAway = false
  for (;;) {
    const feed = await retrying(say, () => readOn(listening))
    const staleAt = performance.now() + COMMAND_TIMING.callbacksFreshMs
    for (const callback of feed.callbacks) {
      const trouble = await handOn(callback, { address, verify, say })
      if (trouble !== undefined) {
        if (!isAway) say({ waiting: trouble }, `${trouble} Trying again …`)
        isAway = true
        await pause(COMMAND_TIMING.listenAgainMs)
        break
      }
      isAway = false
      memory.write(callback.cursor)
      if (performance.now() > staleAt) break
    }
    if (feed.callbacks.length === 0) memory.write(feed.cursor)
  }
}

async function readOn({ client, address, memory }: Listening): Promise<Feed> {
  try {
    return await read(client, address, memory.read())
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error
    throw new CommandProblem(`${error.message}\n  How far it came is in ${memory.file}.`)
  }
}

async function read(
  client: ServiceClient,
  address: string,
  cursor: string | undefined,
): Promise<Feed> {
  const query = new URLSearchParams({ address, wait: String(COMMAND_TIMING.feedSeconds) })
  if (cursor !== undefined) query.set('after', cursor)
  return (await client.get(`/callbacks/feed?${query}`)) as Feed
}

type Say = (facts: object, words: string) => void

/** A service that cannot be reached comes back; the wait is reported once. */
async function retrying<T>(say: Say, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceAway)) throw error
      if (tries === 0) say({ waiting: error.message }, `${error.message} Trying again …`)
      await pause(COMMAND_TIMING.listenAgainMs)
    }
  }
}

type Receiving = {
  readonly address: string
  readonly verify: CallbackVerifier
  readonly say: Say
}

/** Any answer of a receiver ends it; answers in words why there was none. */
async function handOn(
  { kind, id, status, headers, body }: FedCallback,
  { address, verify, say }: Receiving,
): Promise<string | undefined> {
  const verdict = await verify({ method: 'POST', headers, body })
  const proof = verdict.ok ? `verified with ${verdict.keyId}` : `not verified: ${verdict.reason}`
  const startedAt = performance.now()
  const answer = await post(address, headers, body)
  if (typeof answer === 'string') return answer
  const ms = Math.round(performance.now() - startedAt)
  const facts = { kind, id, status, answer, ms, verified: verdict.ok }
  say(facts, `${kind} ${id} ${status}  signature ${proof}  → ${answer} in ${ms} ms`)
  return undefined
}

async function post(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(COMMAND_TIMING.receiverHasMs)
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
