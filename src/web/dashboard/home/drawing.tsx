/** Charts drawn on the server. Colours come from classes: the page allows no inline style. */
import { max } from 'd3-array'
import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { area, line, stack } from 'd3-shape'

const WIDTH = 560
const HEIGHT = 200
const MARGIN = { top: 12, end: 6, bottom: 30, start: 54 } as const
const TICKS = 4
const LABELS = 5

type Axes = { readonly x: ScaleBand<number>; readonly y: ScaleLinear<number, number> }

function axesFor(length: number, highest: number): Axes {
  return {
    x: scaleBand<number>()
      .domain(Array.from({ length }, (_, at) => at))
      .range([MARGIN.start, WIDTH - MARGIN.end])
      .padding(0.2),
    y: scaleLinear()
      .domain([0, Math.max(highest, 1)])
      .nice(TICKS)
      .range([HEIGHT - MARGIN.bottom, MARGIN.top]),
  }
}

type FrameProps = Axes & {
  readonly id: string
  readonly title: string
  readonly labels: readonly string[]
  readonly tickText: (value: number) => string
  readonly children: preact.ComponentChildren
}

function Frame({ id, title, labels, tickText, x, y, children }: FrameProps) {
  const every = Math.max(1, Math.ceil(labels.length / LABELS))
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {y
        .ticks(TICKS)
        .filter((tick) => Number.isInteger(tick) || y.domain()[1] !== 1)
        .map((tick) => (
          <g key={tick}>
            <line
              class="grid"
              x1={MARGIN.start}
              x2={WIDTH - MARGIN.end}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text class="axis" x={MARGIN.start - 6} y={y(tick)} dy="0.32em" text-anchor="end">
              {tickText(tick)}
            </text>
          </g>
        ))}
      {labels.map((label, at) =>
        at % every === 0 ? (
          <text
            key={label}
            class="axis"
            x={(x(at) ?? 0) + x.bandwidth() / 2}
            y={HEIGHT - 8}
            text-anchor="middle"
          >
            {label}
          </text>
        ) : null,
      )}
      {children}
    </svg>
  )
}

type Bar = {
  readonly label: string
  readonly completed: number
  readonly failed: number
  readonly open: number
  /** Read by those who point at it. */
  readonly text: string
}

type ChartProps = {
  readonly id: string
  readonly title: string
  readonly tickText: (value: number) => string
}

const LAYERS = ['completed', 'failed', 'open'] as const

export function StackedBars({ bars, ...chart }: ChartProps & { readonly bars: readonly Bar[] }) {
  const highest = max(bars, ({ completed, failed, open }) => completed + failed + open) ?? 0
  const { x, y } = axesFor(bars.length, highest)
  const layers = stack<Bar, (typeof LAYERS)[number]>().keys(LAYERS)([...bars])
  return (
    <Frame {...chart} x={x} y={y} labels={bars.map(({ label }) => label)}>
      {layers.map((layer) => (
        <g key={layer.key} class={`bar ${layer.key}`}>
          {layer.map(([from, to], at) =>
            to > from ? (
              <rect
                key={bars[at]?.label}
                x={round(x(at) ?? 0)}
                y={round(y(to))}
                width={round(x.bandwidth())}
                height={round(y(from) - y(to))}
              >
                <title>{bars[at]?.text}</title>
              </rect>
            ) : null,
          )}
        </g>
      ))}
    </Frame>
  )
}

type Point = { readonly label: string; readonly value: number }

export function Line({ points, ...chart }: ChartProps & { readonly points: readonly Point[] }) {
  const { x, y } = axesFor(points.length, max(points, ({ value }) => value) ?? 0)
  const middle = (at: number): number => (x(at) ?? 0) + x.bandwidth() / 2
  const along = line<Point>(
    (_, at) => middle(at),
    ({ value }) => y(value),
  ).digits(1)
  const below = area<Point>(
    (_, at) => middle(at),
    y(0),
    ({ value }) => y(value),
  ).digits(1)
  return (
    <Frame {...chart} x={x} y={y} labels={points.map(({ label }) => label)}>
      <path class="area" d={below([...points]) ?? ''} />
      <path class="line" d={along([...points]) ?? ''} />
      {points.length === 1 ? (
        <circle class="dot" cx={middle(0)} cy={y(points[0]?.value ?? 0)} r="4" />
      ) : null}
    </Frame>
  )
}

const round = (value: number): number => Math.round(value * 10) / 10
