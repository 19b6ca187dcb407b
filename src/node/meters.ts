/**
 * Counters and histograms in the Prometheus text format. Counting is on the path of every request,
 * so it is an addition in a map; the text is put together when somebody asks.
 */
export type Meters = {
  counter(name: string, help: string, labels: readonly string[]): (...values: string[]) => void
  /** Shows values of labels as 0: what first appears as 1 was never seen to grow. */
  begin(name: string, ...values: string[]): void
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ): (value: number, ...values: string[]) => void
  /** Sets a value for the next text. */
  gauge(name: string, help: string, value: number, labels?: Readonly<Record<string, string>>): void
  text(): string
}

type Distribution = { readonly counts: number[]; sum: number; count: number }

export function createMeters(): Meters {
  const families: (() => string[])[] = []
  const beginners = new Map<string, (key: string) => void>()
  const gauges = new Map<string, { help: string; lines: Map<string, number> }>()

  return {
    counter: (name, help, labels) => {
      const counts = new Map<string, number>(labels.length === 0 ? [['', 0]] : [])
      beginners.set(name, (key) => void (counts.has(key) || counts.set(key, 0)))
      families.push(() => [
        ...head(name, help, 'counter'),
        ...[...counts].map(([key, count]) => `${name}${braces(labels, key)} ${count}`),
      ])
      return (...values) => {
        const key = values.length === 1 ? (values[0] ?? '') : values.join('\n')
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    },
    begin: (name, ...values) => beginners.get(name)?.(values.join('\n')),
    histogram: (name, help, bounds, labels = []) => {
      const series = new Map<string, Distribution>()
      if (labels.length === 0) series.set('', emptyOf(bounds))
      beginners.set(name, (key) => void (series.has(key) || series.set(key, emptyOf(bounds))))
      families.push(() => [
        ...head(name, help, 'histogram'),
        ...[...series].flatMap(([key, one]) => histogramLines(name, bounds, labels, key, one)),
      ])
      return (value, ...values) => {
        const key = values.length === 1 ? (values[0] ?? '') : values.join('\n')
        const known = series.get(key)
        const one = known ?? emptyOf(bounds)
        if (known === undefined) series.set(key, one)
        const at = bounds.findIndex((bound) => value <= bound)
        if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
        one.sum += value
        one.count += 1
      }
    },
    gauge: (name, help, value, labels = {}) => {
      const family = gauges.get(name) ?? { help, lines: new Map() }
      gauges.set(name, family)
      const key = name + braces(Object.keys(labels), Object.values(labels).join('\n'))
      family.lines.set(key, value)
    },
    text: () => {
      const lines = families.flatMap((family) => family())
      for (const [name, { help, lines: values }] of gauges) {
        lines.push(...head(name, help, 'gauge'))
        for (const [key, value] of values) lines.push(`${key} ${value}`)
      }
      // What is not set again is gone: an account that was removed, a cause without a case.
      gauges.clear()
      return `${lines.join('\n')}\n`
    },
  }
}

const emptyOf = (bounds: readonly number[]): Distribution => ({
  counts: new Array(bounds.length).fill(0),
  sum: 0,
  count: 0,
})

const head = (name: string, help: string, type: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

function histogramLines(
  name: string,
  bounds: readonly number[],
  labels: readonly string[],
  key: string,
  { counts, sum, count }: Distribution,
): string[] {
  const withBound = [...labels, 'le']
  const keyOf = (bound: string): string => (labels.length === 0 ? bound : `${key}\n${bound}`)
  let below = 0
  const buckets = bounds.map((bound, at) => {
    below += counts[at] ?? 0
    return `${name}_bucket${braces(withBound, keyOf(String(bound)))} ${below}`
  })
  return [
    ...buckets,
    `${name}_bucket${braces(withBound, keyOf('+Inf'))} ${count}`,
    `${name}_sum${braces(labels, key)} ${sum}`,
    `${name}_count${braces(labels, key)} ${count}`,
  ]
}

function braces(labels: readonly string[], key: string): string {
  if (labels.length === 0) return ''
  const values = key.split('\n')
  return `{${labels.map((label, at) => `${label}="${escapeLabel(values[at] ?? '')}"`).join(',')}}`
}

const escapeLabel = (text: string): string => text.replace(/["\\]/g, '\\$&')
