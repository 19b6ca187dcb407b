import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Measure } from './usecases/context.ts'

/** What is counted and under which name; `docs/metrics.md` lists the same names. */
export type Metrics = {
  readonly measure: Measure
  readonly onAnswer: (route: string, status: number, seconds: number) => void
  readonly onAccepted: (groupSize: number) => void
  text(state: GaugeState): Promise<string>
}

/** What is read at the moment of asking. */
export type GaugeState = {
  readonly paymentsHeld: number
  readonly callbacksHeld: number
  readonly queueAgeSeconds: number
  readonly isJoined: boolean
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LIFE_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'malipo_http_requests_total',
    help: 'HTTP requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'malipo_http_request_seconds',
    help: 'Time from reading a request to its answer, by route',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const groupSize = new Histogram({
    name: 'malipo_accept_group_size',
    help: 'Payments stored by one group write',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const payments = new Counter({
    name: 'malipo_payments_total',
    help: 'What happened to payments: accepted, duplicate, rejected, completed, failed',
    labelNames: ['event'],
    registers,
  })
  const life = new Histogram({
    name: 'malipo_payment_seconds',
    help: 'Time from acceptance to the final state',
    buckets: LIFE_SECONDS,
    registers,
  })
  const attempts = new Counter({
    name: 'malipo_callback_attempts_total',
    help: 'Callback attempts by result: delivered, failed, given_up',
    labelNames: ['result'],
    registers,
  })
  const attemptSeconds = new Histogram({
    name: 'malipo_callback_seconds',
    help: 'Time a callback attempt took',
    buckets: SECONDS,
    registers,
  })
  const gauges = createGauges(registers)

  return {
    measure: {
      payment: (event) => payments.inc({ event }),
      acceptToFinal: (ms) => life.observe(ms / 1000),
      callback: (result, ms) => {
        attempts.inc({ result })
        attemptSeconds.observe(ms / 1000)
      },
    },
    onAnswer: (route, status, seconds) => {
      requests.inc({ route, status })
      requestSeconds.observe({ route }, seconds)
    },
    onAccepted: (size) => groupSize.observe(size),
    text: (state) => {
      gauges.set(state)
      return registry.metrics()
    },
  }
}

function createGauges(registers: Registry[]): { set(state: GaugeState): void } {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers })
  const queueAge = gauge('malipo_queue_age_seconds', 'How late the oldest due payment is')
  const held = gauge('malipo_payments_held', 'Payments in the memory of this node')
  const callbacks = gauge('malipo_callbacks_held', 'Callbacks in the memory of this node')
  const joined = gauge('malipo_node_joined', '1 while this node may accept payments')
  const memory = gauge('malipo_resident_memory_bytes', 'Memory of the process')
  const delay = new Gauge({
    name: 'malipo_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last reading',
    labelNames: ['quantile'],
    registers,
  })
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()
  return {
    set: (state) => {
      queueAge.set(state.queueAgeSeconds)
      held.set(state.paymentsHeld)
      callbacks.set(state.callbacksHeld)
      joined.set(state.isJoined ? 1 : 0)
      memory.set(process.memoryUsage.rss())
      delay.set({ quantile: '0.5' }, loop.percentile(50) / 1e9)
      delay.set({ quantile: '0.99' }, loop.percentile(99) / 1e9)
      delay.set({ quantile: '1' }, loop.max / 1e9)
      loop.reset()
    },
  }
}
