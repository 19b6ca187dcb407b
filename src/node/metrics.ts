import type { MetricsFormat } from '../http/metrics-route.ts'
import type { OnAnswer } from '../http/request-log.ts'
import { VERSION } from '../package-root.ts'
import type { CallbackMeasure } from '../usecases/callbacks/context.ts'
import type { OperatorMeasure } from '../usecases/operators/directory.ts'
import type { PaymentMeasure } from '../usecases/payments/context.ts'
import { type LoopDelays, watchLoop } from './loop-delay.ts'
import { createMeters, type Meters } from './meters.ts'

/** What is counted and under which name; `docs/metrics.md` lists the same names. */
export type Metrics = {
  readonly measure: PaymentMeasure & CallbackMeasure
  readonly onAnswer: OnAnswer
  readonly onAccepted: (groupSize: number) => void
  /** A request that is missing from the request log. */
  readonly onRequestDropped: () => void
  /** Spans of traces, by what became of them. */
  readonly onSpans: (result: 'sent' | 'lost', count: number) => void
  readonly operators: OperatorMeasure
  text(state: GaugeState, format?: MetricsFormat): string
}

/** What is read at the moment of asking. */
export type GaugeState = {
  readonly paymentsHeld: number
  readonly callbacksHeld: number
  readonly queueAgeSeconds: number
  readonly isJoined: boolean
  readonly openBreakers: number
  readonly pausedEndpoints: number
  readonly callbackAgeSeconds: number
  /** Accounts with operators: whether they rest, and their money where it is stated. */
  readonly operators: readonly OperatorGauge[]
  /** For each cause, how many cases are open and how old the oldest is. */
  readonly cases: Readonly<Record<string, { readonly open: number; readonly oldestMs: number }>>
}

export type OperatorGauge = {
  readonly account: string
  readonly isResting: boolean
  readonly floats: readonly {
    readonly currency: string
    readonly stated: number
    readonly difference: number
    readonly ageSeconds: number
  }[]
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LIFE_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]

/** What has not happened yet is 0: alerts and boards find it from the start. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  malipo_http_errors_total: ['500', '503'],
  malipo_http_request_seconds: ['POST /v2/deposits', 'POST /v2/payouts', 'POST /v2/refunds'],
  malipo_payments_total: ['accepted', 'duplicate', 'rejected', 'completed', 'failed'],
  malipo_callback_attempts_total: ['delivered', 'failed', 'given_up', 'paused', 'no_address'],
}

export function createMetrics(): Metrics {
  const meters = createMeters()
  const counters = createCounters(meters)
  for (const [name, values] of Object.entries(KNOWN)) {
    for (const value of values) meters.begin(name, value)
  }
  meters.begin('malipo_http_requests_total', 'POST /v2/deposits', '200')
  const loop = watchLoop(() => performance.now())
  return {
    ...counters,
    text: (state, format = 'prometheus') => {
      beginOperators(meters, state.operators)
      setGauges(meters, state)
      setFacts(meters)
      setLoopDelay(meters, loop.delays())
      return meters.text(format)
    },
  }
}

function createCounters(meters: Meters): Omit<Metrics, 'text'> {
  const groupSize = meters.histogram(
    'malipo_accept_group_size',
    'Payments stored by one group write',
    [1, 2, 4, 8, 16, 32, 64, 128, 256],
  )
  const payments = meters.counter(
    'malipo_payments_total',
    'What happened to payments: accepted, duplicate, rejected, completed, failed',
    ['event'],
  )
  const life = meters.histogram(
    'malipo_payment_seconds',
    'Time from acceptance to the final state',
    LIFE_SECONDS,
  )
  const attempts = meters.counter(
    'malipo_callback_attempts_total',
    'Callback attempts by result: delivered, failed, given_up, paused, no_address',
    ['result'],
  )
  const attemptSeconds = meters.histogram(
    'malipo_callback_seconds',
    'Time a callback attempt took',
    SECONDS,
  )
  return {
    operators: operatorCounters(meters),
    measure: {
      payment: (event) => payments(event),
      acceptToFinal: (ms, traceparent) => {
        life(ms / 1000)
        if (traceparent !== undefined) life.exemplar(traceparent, ms / 1000)
      },
      callback: (result, ms, traceparent) => {
        attempts(result)
        attemptSeconds(ms / 1000)
        if (traceparent !== undefined) attemptSeconds.exemplar(traceparent, ms / 1000)
      },
    },
    ...requestCounters(meters),
    onAccepted: (size) => groupSize(size),
    onSpans: spanCounter(meters),
  }
}

function requestCounters(meters: Meters): Pick<Metrics, 'onAnswer' | 'onRequestDropped'> {
  const requests = meters.counter(
    'malipo_http_requests_total',
    'HTTP requests answered, by route and status',
    ['route', 'status'],
  )
  const errors = meters.counter(
    'malipo_http_errors_total',
    'Calls answered with 500, a fault of ours, or 503, overload',
    ['status'],
  )
  const requestSeconds = meters.histogram(
    'malipo_http_request_seconds',
    'Time from reading a request to its answer, by route',
    SECONDS,
    ['route'],
  )
  const dropped = meters.counter(
    'malipo_request_log_dropped_total',
    'Requests that came faster than the request log of the dashboard is written',
    [],
  )
  return {
    onAnswer: (route, status, seconds, traceparent) => {
      requests(route, String(status))
      if (status >= 500) errors(String(status))
      requestSeconds(seconds, route)
      if (traceparent !== undefined) requestSeconds.exemplar(traceparent, seconds, route)
    },
    onRequestDropped: () => dropped(),
  }
}

/** Where nothing is traced, both stay at zero. */
function spanCounter(meters: Meters): Metrics['onSpans'] {
  const spans = meters.counter(
    'malipo_trace_spans_total',
    'Spans of traces that are over: sent to the receiver, or lost on the way',
    ['result'],
  )
  spans.add(0, 'sent')
  spans.add(0, 'lost')
  return (result, count) => spans.add(count, result)
}

function operatorCounters(meters: Meters): OperatorMeasure {
  const exchanges = meters.counter(
    'malipo_operator_requests_total',
    'Requests to operators, by account, what was asked and what came of it',
    ['account', 'operation', 'outcome'],
  )
  const seconds = meters.histogram(
    'malipo_operator_seconds',
    'Time that an operator took to answer, by account and what was asked',
    LIFE_SECONDS,
    ['account', 'operation'],
  )
  const alerts = meters.counter(
    'malipo_operator_alerts_total',
    'What a person has to look at: refusals for a reason of ours, unknown words, other sums',
    ['account'],
  )
  return {
    exchange: (account, what, outcome, ms, traceparent) => {
      exchanges(account, what, outcome)
      seconds(ms / 1000, account, what)
      if (traceparent !== undefined) seconds.exemplar(traceparent, ms / 1000, account, what)
    },
    alert: (account) => alerts(account),
  }
}

/** An account is known before the first request to its operator. */
function beginOperators(meters: Meters, operators: readonly OperatorGauge[]): void {
  for (const { account } of operators) {
    meters.begin('malipo_operator_alerts_total', account)
    meters.begin('malipo_operator_seconds', account, 'submit')
    meters.begin('malipo_operator_requests_total', account, 'submit', 'PENDING')
  }
}

function setGauges({ gauge }: Meters, state: GaugeState): void {
  gauge('malipo_queue_age_seconds', 'How late the oldest due payment is', state.queueAgeSeconds)
  gauge('malipo_payments_held', 'Payments in the memory of this node', state.paymentsHeld)
  gauge('malipo_callbacks_held', 'Callbacks in the memory of this node', state.callbacksHeld)
  const open = 'Endpoints that keep failing and get one attempt at a time from this node'
  gauge('malipo_callback_breakers_open', open, state.openBreakers)
  const paused = 'Endpoints paused because their receiver answered 410'
  gauge('malipo_callback_endpoints_paused', paused, state.pausedEndpoints)
  const age = 'Age of the oldest callback that is still to be delivered'
  gauge('malipo_callback_age_seconds', age, state.callbackAgeSeconds)
  gauge('malipo_node_joined', '1 while this node may accept payments', state.isJoined ? 1 : 0)
  gauge('malipo_resident_memory_bytes', 'Memory of the process', process.memoryUsage.rss())
  for (const operator of state.operators) setOperatorGauges(gauge, operator)
  for (const [cause, { open, oldestMs }] of Object.entries(state.cases)) {
    const oldest = 'Age of the oldest open case, by cause'
    gauge('malipo_cases_open', 'Open cases of doubt, by cause', open, { cause })
    gauge('malipo_case_age_seconds', oldest, oldestMs / 1000, { cause })
  }
}

/** What stays as it is for the life of the process. */
function setFacts({ gauge }: Meters): void {
  const started = (performance.timeOrigin / 1000).toFixed(3)
  gauge('malipo_start_time_seconds', 'When the process started, Unix time', Number(started))
  const build = { version: VERSION, node: process.version }
  gauge('malipo_build_info', '1, with the versions of Malipo and Node as labels', 1, build)
}

function setOperatorGauges(gauge: Meters['gauge'], operator: OperatorGauge): void {
  const { account, isResting, floats } = operator
  const resting = '1 while an account is not used: its operator is out of reach or refuses'
  gauge('malipo_operator_resting', resting, isResting ? 1 : 0, { account })
  for (const { currency, stated, difference, ageSeconds } of floats) {
    const labels = { account, currency }
    gauge(
      'malipo_operator_balance',
      'Money in an account as its operator states it',
      stated,
      labels,
    )
    const differs = 'By how much that differs from the ledger, beyond what a person accepted'
    gauge('malipo_operator_balance_difference', differs, difference, labels)
    gauge('malipo_operator_balance_age_seconds', 'Age of that statement', ageSeconds, labels)
  }
}

function setLoopDelay({ gauge }: Meters, { median, p99, max }: LoopDelays): void {
  const delay = 'malipo_event_loop_delay_seconds'
  const help = 'Delay of the event loop in the last full minute'
  gauge(delay, help, median, { quantile: '0.5' })
  gauge(delay, help, p99, { quantile: '0.99' })
  gauge(delay, help, max, { quantile: '1' })
}
