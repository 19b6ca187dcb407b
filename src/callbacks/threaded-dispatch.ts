import { MessageChannel, Worker } from 'node:worker_threads'
import { LIMITS } from '../domain/timing.ts'
import { moment } from '../outbound/moment.ts'
import { SHUTTING_DOWN } from '../outbound/request.ts'
import type { Delivery, Dispatch, Job } from './dispatch.ts'
import type {
  Connect,
  CrossingJob,
  DispatchOptions,
  FromThread,
  ToThread,
} from './dispatch-thread.ts'
import { type ThreadWatch, type WatchTimes, watchThread } from './thread-watch.ts'

/**
 * Signs and sends in a second thread, which takes a third of the work of a payment from the main
 * one. Jobs of one turn of the event loop cross together, and so do their results.
 */
export function createThreadedDispatch(
  options: DispatchOptions,
  onThreadFault: (error: unknown) => void,
  watchTimes: WatchTimes = timesFor(options),
): Dispatch {
  const pending = new Map<number, (delivery: Delivery) => void>()
  const knownKeys = new Set<string>()
  let link: Link | undefined
  let watch: ThreadWatch | undefined
  let jobs: CrossingJob[] = []
  let lastNumber = 0
  let isClosed = false

  const settle = (number: number, delivery: Delivery): void => {
    pending.get(number)?.(delivery)
    pending.delete(number)
  }
  const receive = (done: FromThread): void => {
    for (const [number, delivery] of done) settle(number, delivery)
  }
  /** Whether they were sent is unknown: they are tried again, as after any attempt that failed. */
  const onThreadEnd = (error: unknown): void => {
    onThreadFault(error)
    watch?.stop()
    link = undefined
    knownKeys.clear()
    jobs = []
    for (const number of [...pending.keys()]) settle(number, INTERRUPTED)
  }
  const linked = (): Link => {
    if (link === undefined) {
      const connected = connect(options, receive, onThreadEnd)
      watch = watchThread(watchTimes, () => pending.keys().next().value, connected.end)
      link = connected
    }
    return link
  }
  const cross = (): void => {
    const crossing = jobs
    jobs = []
    if (crossing.length > 0) linked().post({ kind: 'jobs', jobs: crossing })
  }

  return {
    send: (job) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(CLOSED)
        lastNumber += 1
        pending.set(lastNumber, resolve)
        if (jobs.length === 0) setImmediate(cross)
        const { url, body, isSetToFail, traceHeaders } = job
        const signing = crossingKey(job.signing)
        const since = moment()
        jobs.push({ number: lastNumber, since, url, body, isSetToFail, traceHeaders, signing })
      }),
    cutOff: () => link?.post({ kind: 'cutOff' }),
    close: async () => {
      isClosed = true
      watch?.stop()
      link?.close()
      for (const number of [...pending.keys()]) settle(number, CLOSED)
    },
  }

  function crossingKey(signing: Job['signing']): CrossingJob['signing'] {
    if (signing === undefined) return undefined
    const { key, keyId, encoding, at } = signing
    if (!knownKeys.has(key.id)) {
      linked().post({ kind: 'key', key })
      knownKeys.add(key.id)
    }
    return { keyName: key.id, keyId, encoding, at }
  }
}

const CLOSED: Delivery = { durationMs: 0, reason: SHUTTING_DOWN, fault: 'UNKNOWN' }
const INTERRUPTED: Delivery = {
  durationMs: 0,
  reason: 'the attempt was interrupted by a fault',
  fault: 'UNKNOWN',
}

/** Three times as long as any job takes: it crosses, and is answered or given up. */
function timesFor({ totalTimeoutMs = LIMITS.callbackTotalMs }: DispatchOptions): WatchTimes {
  const looks = 12
  return { looks, everyMs: (3 * (LIMITS.crossWithinMs + totalTimeoutMs)) / looks }
}

type Link = {
  readonly post: (message: ToThread) => void
  readonly close: () => void
  /** For all nodes of the process; the next callback starts another thread. */
  readonly end: () => void
}

function connect(
  options: DispatchOptions,
  receive: (message: FromThread) => void,
  onEnd: (error: unknown) => void,
): Link {
  const { port1, port2 } = new MessageChannel()
  const worker = thread()
  worker.postMessage({ port: port2, options } satisfies Connect, [port2])
  let fault: unknown
  const onError = (error: unknown): void => {
    fault = error
  }
  const onExit = (): void => onEnd(fault)
  worker.on('error', onError)
  worker.once('exit', onExit)
  port1.on('message', receive)
  // Requests, timers and the database keep the process alive; a thread without work does not.
  port1.unref()
  return {
    post: (message) => port1.postMessage(message),
    end: () => {
      fault = new Error('the thread hung: it did nothing with a callback that it had')
      void worker.terminate()
    },
    close: () => {
      worker.off('error', onError)
      worker.off('exit', onExit)
      port1.close()
    },
  }
}

let running: Worker | undefined

/** One for all nodes of the process; it does not keep the process from ending. */
function thread(): Worker {
  if (running === undefined) {
    const worker = new Worker(new URL('./dispatch-thread.js', import.meta.url))
    worker.setMaxListeners(0)
    worker.unref()
    worker.once('exit', () => {
      if (running === worker) running = undefined
    })
    // Each node reports it; without a listener here it would end the process once they have left.
    worker.on('error', () => {})
    running = worker
  }
  return running
}
