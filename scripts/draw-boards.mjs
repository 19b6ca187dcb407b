// npm run boards: makes the Grafana boards in deploy/grafana from the list of metrics in
// docs/metrics.md. Every metric gets a panel, drawn by its type; the meaning becomes its help.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A metric belongs to the first board whose pattern fits. */
const BOARDS = [
  { name: 'payments', title: 'Malipo: payments', fits: /^malipo_(payments?|queue|cases?|accept)_/ },
  { name: 'calls', title: 'Malipo: calls', fits: /^malipo_(http|request)_/ },
  { name: 'operators', title: 'Malipo: operators', fits: /^malipo_operator_/ },
  { name: 'callbacks', title: 'Malipo: callbacks', fits: /^malipo_callbacks?_/ },
  { name: 'nodes', title: 'Malipo: nodes', fits: /./ },
]

/** Labels of which one line each would be too many to read. */
const LEFT_OUT = { malipo_http_requests_total: ['status'] }

const NODES = 'instance=~"$node"'

export function listMetrics(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `malipo_'))
    .map((line) => {
      const [name, type, labels, meaning] = line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '').trim())
      return { name, type, labels: labels === '–' ? [] : labels.split(', '), meaning }
    })
}

/** The file names with the contents. */
export function drawBoards(metrics) {
  const boardOf = ({ name }) => BOARDS.find(({ fits }) => fits.test(name))
  return BOARDS.map((board) => ({
    file: `${board.name}.json`,
    board: draw(
      board,
      metrics.filter((metric) => boardOf(metric) === board),
    ),
  }))
}

function draw({ name, title }, metrics) {
  return {
    uid: `malipo-${name}`,
    title,
    tags: ['malipo'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    links: [{ type: 'dashboards', title: 'Malipo', tags: ['malipo'], asDropdown: true }],
    templating: { list: [sourceVariable(), nodeVariable()] },
    panels: metrics.map(panelOf),
  }
}

const sourceVariable = () => ({
  name: 'source',
  label: 'Source',
  type: 'datasource',
  query: 'prometheus',
})

const nodeVariable = () => ({
  name: 'node',
  label: 'Node',
  type: 'query',
  datasource: source(),
  query: { query: 'label_values(malipo_node_joined, instance)', refId: 'nodes' },
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
})

const source = () => ({ type: 'prometheus', uid: '$' + '{source}' })

function panelOf(metric, at) {
  return {
    id: at + 1,
    type: 'timeseries',
    title: titleOf(metric),
    description: `${metric.name}: ${metric.meaning}`,
    datasource: source(),
    gridPos: { x: (at % 2) * 12, y: Math.floor(at / 2) * 8, w: 12, h: 8 },
    fieldConfig: {
      defaults: {
        unit: unitOf(metric),
        ...atZero(metric),
        custom: { fillOpacity: 8, showPoints: 'never' },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queriesOf(metric).map(({ expr, legend }, nth) => ({
      refId: String.fromCharCode(65 + nth),
      datasource: source(),
      expr,
      legendFormat: legend,
    })),
  }
}

function queriesOf(metric) {
  const { name, type } = metric
  const labels = metric.labels.filter((label) => !LEFT_OUT[name]?.includes(label))
  const legend = labels.map((label) => `{{${label}}}`).join(' ')
  if (type === 'counter') {
    return [{ expr: `sum${by(labels)} (rate(${name}{${NODES}}[$__rate_interval]))`, legend }]
  }
  if (type === 'histogram') {
    const rate = `sum${by([...labels, 'le'])} (rate(${name}_bucket{${NODES}}[$__rate_interval]))`
    return [0.5, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, ${rate})`,
      legend: `${legend} p${quantile * 100}`.trim(),
    }))
  }
  const ofNode = ['instance', ...labels]
  return [
    {
      expr: `max${by(ofNode)} (${name}{${NODES}})`,
      legend: ofNode.map((label) => `{{${label}}}`).join(' '),
    },
  ]
}

const by = (labels) => (labels.length === 0 ? '' : ` by (${labels.join(', ')})`)

function titleOf({ name, type }) {
  const words = name
    .replace(/^malipo_/, '')
    .replace(/_(total|seconds|bytes)$/, '')
    .replaceAll('_', ' ')
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  return type === 'counter' ? `${title} per second` : title
}

/** Money may be below zero, and the start of a process is far above it. */
const atZero = ({ name }) => (/_balance|_start_time/.test(name) ? {} : { min: 0 })

function unitOf({ name, type }) {
  if (type === 'counter') return 'cps'
  if (name.endsWith('_bytes')) return 'bytes'
  if (name === 'malipo_start_time_seconds') return 'dateTimeAsIsoNoDateIfToday'
  return name.endsWith('_seconds') ? 's' : 'short'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../', import.meta.url)
  const metrics = listMetrics(readFileSync(new URL('docs/metrics.md', root), 'utf8'))
  mkdirSync(new URL('deploy/grafana/', root), { recursive: true })
  for (const { file, board } of drawBoards(metrics)) {
    const text = `${JSON.stringify(board, null, 2)}\n`
    writeFileSync(new URL(`deploy/grafana/${file}`, root), text)
    console.log(`deploy/grafana/${file}: ${board.panels.length} panels`)
  }
}
