import { QUEUE_WORKS, type QueueWork, type Results, type Row } from './results.ts'
import { bar, dot, line, path, svg, text, ticks, WIDTH } from './svg.ts'
import { amount, besideOf, figuresOf, payments, whole } from './words.ts'

/** The charts of docs/benchmarks, each drawn only when its figures are stored. */
type Chart = { readonly name: string; readonly alt: string; readonly svg: string }

type Bar = {
  readonly value: number
  readonly label: string
  readonly look: 'one' | 'other'
  readonly limit?: number
}
type Group = { readonly heading: string; readonly bars: readonly Bar[] }

export function chartsOf({ rows, queues }: Results): readonly Chart[] {
  const find = (id: string): Row | undefined => rows.find((row) => row.id === id)
  const rates = ['P1', 'P2', 'P3', 'P5', 'P6'].map(find).filter((row) => row !== undefined)
  const idle = find('P4')
  const growth = rows.filter(({ id }) => id === 'P7')
  const compared = (works: readonly QueueWork[]) =>
    works.flatMap((work) => {
      const found = queues.filter((row) => row.work === work)
      return found.length === 0 ? [] : [{ work, found }]
    })
  const stored = compared(['enqueue', 'bulk'])
  const worked = compared(['work', 'steps'])
  return [
    ...(rates.length === 0 ? [] : [ratesChart(rates)]),
    ...(idle === undefined ? [] : [idleChart(idle)]),
    ...growth.map(growthChart),
    ...(stored.length === 0 ? [] : [queuesChart('queues-stored', 'Jobs stored durably', stored)]),
    ...(worked.length === 0 ? [] : [queuesChart('queues-worked', 'Jobs worked off', worked)]),
  ]
}

function ratesChart(rows: readonly Row[]): Chart {
  const groups = rows.map((row): Group => {
    const [figure] = row.figures
    const ours: Bar = {
      value: figure?.value ?? 0,
      label: figure === undefined ? '' : `${amount(figure)} Malipo`,
      look: 'one',
    }
    const peer = row.beside
    const beside: Bar[] =
      peer === undefined ? [] : [{ value: peer.value, label: besideOf(row), look: 'other' }]
    return { heading: `${row.id} ${row.measure}`, bars: [ours, ...beside] }
  })
  const lines = rows.map((row) => `${row.id} ${row.measure}: ${figuresOf(row)}; ${besideOf(row)}.`)
  return barChart('rates', 'Rates, each beside its peer', lines.join(' '), 'per second', groups)
}

function idleChart(row: Row): Chart {
  const bars = row.figures.map(
    ({ name, value, unit, under }): Bar => ({
      value,
      label: `${name} ${amount({ value, unit })}`,
      look: 'one',
      ...(under === undefined ? {} : { limit: under }),
    }),
  )
  const text = `${row.measure}: ${figuresOf(row)}. The bar: ${row.bar}.`
  const group = { heading: `${row.id} ${row.measure}`, bars }
  return barChart('latency', 'Latency of a whole life', text, 'milliseconds', [group])
}

type Compared = { readonly work: QueueWork; readonly found: Results['queues'] }

function queuesChart(name: string, title: string, compared: readonly Compared[]): Chart {
  const groups = compared.map(({ work, found }) => ({
    heading: QUEUE_WORKS[work],
    bars: found.map(
      ({ library, version, perSecond }): Bar => ({
        value: perSecond,
        label: `${whole(perSecond)}/s ${library} ${version}`,
        look: library === 'Malipo' ? 'one' : 'other',
      }),
    ),
  }))
  const lines = groups.map(
    ({ heading, bars }) => `${heading}: ${bars.map(({ label }) => label).join(', ')}.`,
  )
  return barChart(name, title, lines.join(' '), 'per second', groups)
}

const LEFT = 16
const BARS_WIDE = 430
const BAR_HIGH = 18
const BAR_STEP = 22
const HEADING_HIGH = 24
const GROUP_GAP = 16
const TOP = 52

function barChart(
  name: string,
  title: string,
  description: string,
  axis: string,
  groups: readonly Group[],
): Chart {
  const values = groups.flatMap(({ bars }) =>
    bars.flatMap(({ value, limit }) => [value, limit ?? 0]),
  )
  const steps = ticks(Math.max(...values))
  const scale = BARS_WIDE / (steps.at(-1) || 1)
  const shapes: string[] = []
  let y = TOP
  for (const { heading, bars } of groups) {
    shapes.push(text(LEFT, y + 10, heading, { class: 'heading' }))
    y += HEADING_HIGH
    for (const { value, label, look, limit } of bars) {
      shapes.push(bar(LEFT, y - 4, Math.max(1, value * scale), BAR_HIGH, look))
      const end = LEFT + Math.max(value, limit ?? 0) * scale
      if (limit !== undefined) shapes.push(mark(LEFT + limit * scale, y))
      shapes.push(text(end + 8, y + 10, limit === undefined ? label : `${label} (bar ${limit})`))
      y += BAR_STEP
    }
    y += GROUP_GAP
  }
  const foot = y - GROUP_GAP + 4
  const grid = steps.flatMap((step, index) => {
    const x = LEFT + step * scale
    const last = index === steps.length - 1
    const words = last ? `${step.toLocaleString('en')} ${axis}` : step.toLocaleString('en')
    const anchor = index === 0 || last ? {} : ({ anchor: 'middle' } as const)
    return [
      line(x, TOP - 8, x, foot, 'grid'),
      text(x, foot + 16, words, { class: 'quiet', ...anchor }),
    ]
  })
  const picture = { title, description, height: foot + 30, shapes: [...grid, ...shapes] }
  return { name, alt: title, svg: svg(picture) }
}

const mark = (x: number, y: number): string => line(x, y - 7, x, y + BAR_HIGH - 1, 'limit')

const PLOT = { left: 64, right: WIDTH - 120, top: 60, foot: 260 }

/** Percentiles over the number of payments, which is drawn by its powers of ten. */
function growthChart(row: Row, index: number): Chart {
  const sizes = row.figures.flatMap(({ at }) => (at === undefined ? [] : [Math.log10(at)]))
  const [from, to] = [Math.min(...sizes), Math.max(...sizes)]
  const steps = ticks(Math.max(...row.figures.map(({ value }) => value)))
  const x = (size: number): number =>
    PLOT.left + ((PLOT.right - PLOT.left) * (Math.log10(size) - from)) / (to - from || 1)
  const y = (ms: number): number => PLOT.foot - ((PLOT.foot - PLOT.top) * ms) / (steps.at(-1) || 1)
  const grid = steps.flatMap((step) => [
    line(PLOT.left, y(step), PLOT.right, y(step), 'grid'),
    text(PLOT.left - 8, y(step) + 4, String(step), { class: 'quiet', anchor: 'end' }),
  ])
  const names = [...new Set(row.figures.map(({ name }) => name))]
  const lines = names.flatMap((name, index) => {
    const look = index === names.length - 1 ? 'one' : 'other'
    const points = row.figures.filter((figure) => figure.name === name)
    const places = points.map(({ at = 0, value }): [number, number] => [x(at), y(value)])
    const [endX, endY] = places.at(-1) ?? [0, 0]
    // The first label starts at its point: left of it are the numbers of the axis.
    const values = points.map(({ at = 0, value, unit }, place) =>
      text(x(at), y(value) - 10, amount({ value, unit }), place === 0 ? {} : { anchor: 'middle' }),
    )
    return [
      path(places, look),
      ...places.map(([px, py]) => dot(px, py, look)),
      ...values,
      text(endX + 44, endY + 4, name, { class: 'heading' }),
    ]
  })
  const below = [...new Set(row.figures.flatMap(({ at }) => (at === undefined ? [] : [at])))].map(
    (size) => text(x(size), PLOT.foot + 20, payments(size), { class: 'quiet', anchor: 'middle' }),
  )
  const title = `Latency: ${row.measure}`
  const axes = [
    text(LEFT, PLOT.top - 14, 'milliseconds', { class: 'quiet' }),
    text(PLOT.right + 44, PLOT.foot + 20, 'payments', { class: 'quiet' }),
  ]
  const description = `${row.measure}: ${figuresOf(row)}. The bar: ${row.bar}.`
  const shapes = [...grid, ...below, ...axes, ...lines]
  const picture = svg({ title, description, height: PLOT.foot + 36, shapes })
  return { name: index === 0 ? 'growth' : 'growth-list', alt: title, svg: picture }
}
