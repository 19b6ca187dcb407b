/** The thread of `threaded-dispatch.ts`: signs and sends for all nodes of the process. */

import { type MessagePort, parentPort } from 'node:worker_threads'
// At once: the thread begins when there is something to send.
import 'undici'
import { LIMITS } from '../domain/timing.ts'
import { ageOf, type Moment } from '../outbound/moment.ts'
import { createSender, type SenderOptions } from '../outbound/request.ts'
import type { SigningKey } from '../signing/keys.ts'
import { createDispatch, type Delivery, type Job, type Signing } from './dispatch.ts'

/** A resolver of one's own cannot cross to another thread. */
export type DispatchOptions = Omit<SenderOptions, 'resolve'>

/** A key crosses once, and jobs name it. */
export type CrossingJob = Omit<Job, 'signing'> & {
  readonly number: number
  readonly since: Moment
  readonly signing: (Omit<Signing, 'key'> & { readonly keyName: string }) | undefined
}

export type ToThread =
  | { readonly kind: 'key'; readonly key: SigningKey }
  | { readonly kind: 'jobs'; readonly jobs: readonly CrossingJob[] }
  | { readonly kind: 'cutOff' }

export type FromThread = readonly (readonly [number: number, delivery: Delivery])[]

export type Connect = { readonly port: MessagePort; readonly options: DispatchOptions }

const LATE: Delivery = {
  durationMs: 0,
  reason: 'the node stood still before it could send it, so it was not sent',
  fault: 'NOT_SENT',
}

parentPort?.on('message', (connect: Connect) => serve(connect))

function serve({ port, options }: Connect): void {
  const dispatch = createDispatch(createSender(options), options.policy)
  const keys = new Map<string, SigningKey>()
  let done: [number, Delivery][] = []

  const report = (): void => {
    port.postMessage(done satisfies FromThread)
    done = []
  }
  const signingOf = (signing: CrossingJob['signing']): Signing | undefined => {
    if (signing === undefined) return undefined
    const { keyName, keyId, encoding, at } = signing
    const key = keys.get(keyName)
    if (key === undefined) throw new Error(`the key ${keyName} has not crossed`)
    return { key, keyId, encoding, at }
  }
  const run = async (job: CrossingJob): Promise<void> => {
    // A process that stood still in between is taken for dead by now, and others send it.
    const isLate = ageOf(job.since) > LIMITS.crossWithinMs
    const { url, body, isSetToFail, traceHeaders } = job
    const signing = signingOf(job.signing)
    const delivery = isLate
      ? LATE
      : await dispatch.send({ url, body, isSetToFail, traceHeaders, signing })
    // Those that end in one turn of the loop cross together.
    if (done.length === 0) setImmediate(report)
    done.push([job.number, delivery])
  }
  port.on('message', (message: ToThread) => {
    if (message.kind === 'key') keys.set(message.key.id, message.key)
    else if (message.kind === 'jobs') for (const job of message.jobs) void run(job)
    else dispatch.cutOff()
  })
  port.on('close', () => void dispatch.close())
}
