import { traceIdOf } from '../domain/trace.ts'
import type { MetricsFormat } from '../http/metrics-route.ts'

/**
 * Counters and histograms in the Prometheus text format, and in OpenMetrics. Counting is on the path of
 * every request, so it is an addition in a map; the text is put together when somebody asks.
 */
export type Meters = {
  counter(name: string, help: string, labels: readonly string[]): Counter
  /** Shows values of labels as 0: what first appears as 1 was never seen to grow. */
  begin(name: string, ...values: string[]): void
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ): Histogram
  /** Sets a value for the next text. */
  gauge(name: string, help: string, value: number, labels?: Readonly<Record<string, string>>): void
  text(format: MetricsFormat): string
}

type Counter = {
  (...values: string[]): void
  add(count: number, ...values: string[]): void
}

type Histogram = {
  (value: number, ...values: string[]): void
  /** Says of a value that was counted in which trace it can be looked at. */
  exemplar(traceparent: string, value: number, ...values: string[]): void
}

type Distribution = {
  readonly counts: number[]
  sum: number
  count: number
  /** The latest of each bucket, where there was one. */
  exemplars?: Exemplar[]
}

type Exemplar = { readonly traceId: string; readonly value: number; readonly atMs: number }

export function createMeters(): Meters {
  const families: ((format: MetricsFormat) => string[])[] = []
  const beginners = new Map<string, (key: string) => void>()
  const gauges = new Map<string, { help: string; lines: Map<string, number> }>()

  return {
    counter: (name, help, labels) => {
      const counts = new Map<string, number>(labels.length === 0 ? [['', 0]] : [])
      beginners.set(name, (key) => void (counts.has(key) || counts.set(key, 0)))
      families.push((format) => [
        ...head(familyOf(name, format), help, 'counter'),
        ...[...counts].map(([key, count]) => `${name}${braces(labels, key)} ${count}`),
      ])
      return counterOf(counts)
    },
    begin: (name, ...values) => beginners.get(name)?.(values.join('\n')),
    histogram: (name, help, bounds, labels = []) => {
      const series = new Map<string, Distribution>()
      if (labels.length === 0) series.set('', emptyOf(bounds))
      beginners.set(name, (key) => void (series.has(key) || series.set(key, emptyOf(bounds))))
      families.push((format) => [
        ...head(name, help, 'histogram'),
        ...[...series].flatMap(([key, one]) =>
          histogramLines({ name, bounds, labels, format }, key, one),
        ),
      ])
      const exemplar: Histogram['exemplar'] = (traceparent, value, ...values) => {
        const one = series.get(keyOf(values))
        if (one === undefined) return
        one.exemplars ??= []
        const at = bounds.findIndex((bound) => value <= bound)
        const seen = { traceId: traceIdOf(traceparent), value, atMs: Date.now() }
        one.exemplars[at < 0 ? bounds.length : at] = seen
      }
      return Object.assign(
        (value: number, ...values: string[]) => {
          const key = keyOf(values)
          const known = series.get(key)
          const one = known ?? emptyOf(bounds)
          if (known === undefined) series.set(key, one)
          const at = bounds.findIndex((bound) => value <= bound)
          if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
          one.sum += value
          one.count += 1
        },
        { exemplar },
      )
    },
    gauge: (name, help, value, labels = {}) => {
      const family = gauges.get(name) ?? { help, lines: new Map() }
      gauges.set(name, family)
      const key = name + braces(Object.keys(labels), Object.values(labels).join('\n'))
      family.lines.set(key, value)
    },
    text: (format) => {
      const lines = families.flatMap((family) => family(format))
      for (const [name, { help, lines: values }] of gauges) {
        lines.push(...head(name, help, 'gauge'))
        for (const [key, value] of values) lines.push(`${key} ${value}`)
      }
      // What is not set again is gone: an account that was removed, a cause without a case.
      gauges.clear()
      if (format === 'openmetrics') lines.push('# EOF')
      return `${lines.join('\n')}\n`
    },
  }
}

function counterOf(counts: Map<string, number>): Counter {
  const add = (count: number, ...values: string[]): void => {
    const key = keyOf(values)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return Object.assign(
    (...values: string[]) => {
      const key = keyOf(values)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    { add },
  )
}

const emptyOf = (bounds: readonly number[]): Distribution => ({
  counts: new Array(bounds.length).fill(0),
  sum: 0,
  count: 0,
})

const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.join('\n')

/** In OpenMetrics, `_total` belongs to the value of a counter and not to its name. */
const familyOf = (name: string, format: MetricsFormat): string =>
  format === 'openmetrics' ? name.replace(/_total$/, '') : name

const head = (name: string, help: string, type: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

type HistogramFamily = {
  readonly name: string
  readonly bounds: readonly number[]
  readonly labels: readonly string[]
  readonly format: MetricsFormat
}

function histogramLines(
  { name, bounds, labels, format }: HistogramFamily,
  key: string,
  { counts, sum, count, exemplars = [] }: Distribution,
): string[] {
  const bucket = (bound: string, value: number, seen: Exemplar | undefined): string => {
    const series = braces([...labels, 'le'], labels.length === 0 ? bound : `${key}\n${bound}`)
    const shown = format === 'openmetrics' && seen !== undefined ? exemplarText(seen) : ''
    return `${name}_bucket${series} ${value}${shown}`
  }
  let below = 0
  const buckets = bounds.map((bound, at) => {
    below += counts[at] ?? 0
    return bucket(boundText(bound, format), below, exemplars[at])
  })
  return [
    ...buckets,
    bucket('+Inf', count, exemplars[bounds.length]),
    `${name}_sum${braces(labels, key)} ${sum}`,
    `${name}_count${braces(labels, key)} ${count}`,
  ]
}

/** OpenMetrics writes every bound with a point. */
const boundText = (bound: number, format: MetricsFormat): string =>
  format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound)

const exemplarText = ({ traceId, value, atMs }: Exemplar): string =>
  ` # {trace_id="${traceId}"} ${value} ${(atMs / 1000).toFixed(3)}`

function braces(labels: readonly string[], key: string): string {
  if (labels.length === 0) return ''
  const values = key.split('\n')
  return `{${labels.map((label, at) => `${label}="${escapeLabel(values[at] ?? '')}"`).join(',')}}`
}

const escapeLabel = (text: string): string => text.replace(/["\\]/g, '\\$&')
