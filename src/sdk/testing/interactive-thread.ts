import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { ask, type Place } from './http.ts'

export type Task = { readonly number: string }
export type Verdict = { readonly problem: string | undefined }

const { place, state, port } = workerData as {
  readonly place: Place
  readonly state: Int32Array
  readonly port: MessagePort
}

parentPort?.on('message', async ({ number }: Task) => {
  const problem = await makeInteractive(number).then(
    () => undefined,
    (error: Error) => error.message,
  )
  port.postMessage({ problem } satisfies Verdict)
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
})

/** A script that was set for the number stays. */
async function makeInteractive(number: string): Promise<void> {
  const path = `/sandbox/phones/${number}`
  const { mode, script } = (await ask(place, 'GET', path)) as { mode: string; script: unknown }
  if (mode !== 'interactive') await ask(place, 'PUT', path, { mode: 'interactive', script })
}
