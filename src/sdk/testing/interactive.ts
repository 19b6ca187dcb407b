/**
 * `phone(number)` must have taken effect when it returns: the very next line of a test may start
 * a payment, which would not wait for the phone otherwise. So a second thread makes the request,
 * and this one waits for it.
 */
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Place } from './http.ts'
import type { Task, Verdict } from './interactive-thread.ts'

const THREAD = fileURLToPath(new URL('./interactive-thread.js', import.meta.url))
const WITHIN_MS = 30_000

type Interactive = {
  make(number: string): void
  close(): void
}

export function createInteractive(place: Place): Interactive {
  let thread: { readonly worker: Worker; readonly port: MessagePort } | undefined
  const state = new Int32Array(new SharedArrayBuffer(4))

  const open = () => {
    const { port1, port2 } = new MessageChannel()
    // Options of the test runner, such as loaders, are not for it.
    const worker = new Worker(THREAD, {
      workerData: { place, state, port: port2 },
      transferList: [port2],
      execArgv: [],
    })
    worker.unref()
    port1.unref()
    return { worker, port: port1 }
  }

  return {
    make: (number) => {
      thread ??= open()
      Atomics.store(state, 0, 0)
      thread.worker.postMessage({ number } satisfies Task)
      const waited = Atomics.wait(state, 0, 0, WITHIN_MS)
      const verdict = receiveMessageOnPort(thread.port)?.message as Verdict | undefined
      if (waited === 'timed-out' || verdict === undefined) {
        throw new Error(`phone(${number}): the sandbox did not answer.`)
      }
      if (verdict.problem !== undefined) throw new Error(`phone(${number}): ${verdict.problem}`)
    },
    close: () => {
      thread?.port.close()
      void thread?.worker.terminate()
    },
  }
}
