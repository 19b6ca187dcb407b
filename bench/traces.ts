import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Effort } from './options.ts'
import { middle } from './results.ts'
import { type BenchService, drained, processorMicroseconds, startService } from './service.ts'
import { liveFor } from './whole-lives.ts'
import { whole } from './words.ts'

/** The load of P6 on nodes that differ in their traces and in nothing else, turn by turn. */
type Contender = {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
  /** The folder of another version of the program. */
  readonly root?: string
}

const sampled = (name: string, ratio: number, url: string): Contender => ({
  name,
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(ratio),
  },
})

/** `earlier`: the folder of a version without traces, built, to compare "off" with. */
export async function compareTraces(
  { turns, seconds, warmUpSeconds }: Effort,
  earlier: string | undefined,
  note: (text: string) => void,
): Promise<string> {
  const sink = await startSink()
  const contenders: readonly Contender[] = [
    { name: 'off', settings: {} },
    ...(earlier === undefined ? [] : [{ name: 'earlier', settings: {}, root: earlier }]),
    sampled('1 %', 0.01, sink.url),
    sampled('100 %', 1, sink.url),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const runs: Run[] = []
  try {
    for (const [at, { name, settings, root }] of contenders.entries()) {
      const service = await startService(join(folder, String(at)), [], settings, root)
      runs.push({ name, service, rates: [], costs: [] })
      note(`${name}: warming up for ${warmUpSeconds} s …`)
      await liveFor(service, warmUpSeconds)
      await drained(service, 120)
    }
    for (let turn = 0; turn < turns; turn += 1) await takeTurns(runs, turn, seconds, note)
    return `${tableOf(runs)}\n${whole(sink.bytes())} bytes of spans were received.\n`
  } finally {
    for (const { service } of runs) await service.stop()
    await sink.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Run = {
  readonly name: string
  readonly service: BenchService
  readonly rates: number[]
  /** Microseconds of processor time that the node took for each life. */
  readonly costs: number[]
}

/** The order changes from turn to turn, so that none always follows the same one. */
async function takeTurns(
  runs: readonly Run[],
  turn: number,
  seconds: number,
  note: (text: string) => void,
): Promise<void> {
  const first = turn % runs.length
  for (const { service, rates, costs } of [...runs.slice(first), ...runs.slice(0, first)]) {
    const before = processorMicroseconds(service.pid)
    const { perSecond, missing } = await liveFor(service, seconds)
    if (missing > 0) throw new Error(`${missing} callbacks never arrived`)
    rates.push(perSecond)
    await drained(service, 120)
    costs.push((processorMicroseconds(service.pid) - before) / (perSecond * seconds))
  }
  const texts = runs.map(({ name, rates }) => `${name} ${whole(rates[turn] ?? 0)}`)
  note(`turn ${turn + 1}: ${texts.join(', ')}`)
}

/**
 * Each turn is compared with "off" of the same turn; the median of these counts. Rates follow whatever
 * else the machine does; processor time for each life does so less.
 */
function tableOf(runs: readonly Run[]): string {
  const beside = (own: readonly number[], off: readonly number[] = own): string => {
    const ratios = own.map((one, turn) => one / (off[turn] ?? one))
    const all = ratios.map((ratio) => ratio.toFixed(3)).join(' · ')
    return `${middle(ratios).toFixed(3)} (${all})`
  }
  const rows = runs.map(({ name, rates, costs }) =>
    [
      `| ${name} | ${whole(middle(rates))}/s | ${beside(rates, runs[0]?.rates)}`,
      `${whole(middle(costs))} µs | ${beside(costs, runs[0]?.costs)} |`,
    ].join(' | '),
  )
  const head =
    '| Traces | whole lives, median | beside off | processor time of the node | beside off |'
  return [head, '|---|---|---|---|---|', ...rows, ''].join('\n')
}

/** Takes everything and keeps nothing. */
async function startSink() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.writeHead(200).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => bytes,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
