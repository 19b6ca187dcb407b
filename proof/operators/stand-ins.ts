/** Stand-ins as processes of their own, which can be killed and keep their books. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../harness/process.ts'
import type { Ending, Entry } from '../../src/providers/stand-in/book.ts'
import type { Rule } from '../../src/providers/stand-in/faults.ts'
import { freePort } from '../support/postgres.ts'

export type StandInProcess = {
  readonly connector: string
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  setFaults(rules: readonly Rule[]): Promise<void>
  setCallbackUrl(url: string): Promise<void>
  /** Orders that come from now on never end, or end as usual. */
  setAllPending(isPending: boolean): Promise<void>
  /** How orders of this party end. */
  setEnding(party: string, ending: Ending): Promise<void>
  /** The end of an order, whatever it said of it before. It is asked until it answers. */
  end(reference: string, ending: Ending): Promise<void>
  book(party?: string): Promise<readonly (Entry & { readonly state: string })[]>
}

const UP_WITHIN_MS = 60_000

export async function standInFor(
  connector: string,
  { latencyMs = 10, endsAfterMs = 150 }: { latencyMs?: number; endsAfterMs?: number } = {},
): Promise<StandInProcess> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'malipo-stand-in-'))
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  // It never outlives the proof.
  process.once('exit', () => child?.kill('SIGKILL'))
  let callbackUrl: string | undefined

  /** False where it is dead at this moment. */
  const put = (what: string, body: unknown): Promise<boolean> =>
    answers(`${url}/_stand-in/${what}`, { method: 'PUT', body: JSON.stringify(body) })
  const isUp = (): Promise<boolean> => answers(`${url}/_stand-in/book/nobody`)
  return {
    connector,
    url,
    start: async () => {
      const options = ['--port', String(port), '--book', join(folder, 'book')]
      const args = ['bin/malipo.mjs', 'operator', 'stand-in', connector, ...options]
      const times = ['--ends-after', String(endsAfterMs), '--latency', String(latencyMs)]
      const started = spawn(process.execPath, [...args, ...times], { cwd: ROOT, stdio: 'ignore' })
      child = started
      const deadline = performance.now() + UP_WITHIN_MS
      while (!(await isUp())) {
        if (performance.now() > deadline)
          throw new Error(`the stand-in ${connector} does not start`)
        await sleep(50)
      }
      if (callbackUrl !== undefined) await put('callback-url', callbackUrl)
    },
    kill: async () => {
      const dying = child
      child = undefined
      if (dying === undefined) return
      dying.kill('SIGKILL')
      if (dying.exitCode === null && dying.signalCode === null) await once(dying, 'exit')
    },
    setFaults: async (rules) => {
      await put('faults', rules)
    },
    setCallbackUrl: async (next) => {
      callbackUrl = next
      await put('callback-url', next)
    },
    setAllPending: async (isPending) => {
      await put('parties/*', isPending ? { says: 'pending' } : { says: 'success' })
    },
    setEnding: async (party, ending) => {
      await put(`parties/${party}`, ending)
    },
    end: async (reference, ending) => {
      while (!(await put(`orders/${encodeURIComponent(reference)}`, ending))) await sleep(100)
    },
    book: async (party = '') =>
      (await (await fetch(`${url}/_stand-in/book/${party}`)).json()) as (Entry & {
        state: string
      })[],
  }
}

const answers = (url: string, init?: RequestInit): Promise<boolean> =>
  fetch(url, init).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )
