import { parseArgs } from 'node:util'

/** How long and how often to measure. */
export type Effort = {
  /** Short ones, for what is compared side by side. */
  readonly turns: number
  readonly turnSeconds: number
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly livesSeconds: number
  readonly idleLives: number
  readonly storms: number
  readonly callbacksEach: number
  readonly scarcePayouts: number
  readonly sizes: readonly number[]
  readonly statusChecks: number
}

export const MEASURES = [
  'P1',
  'P2',
  'P3',
  'P4',
  'P5',
  'P6',
  'P7',
  'P9',
  'P10',
  'P11',
  'P12',
] as const
export type MeasureId = (typeof MEASURES)[number]

type Task = 'measure' | 'queues' | 'traces' | 'profile' | 'render' | 'help'
export type Options = {
  readonly task: Task
  readonly ids: readonly MeasureId[]
  readonly effort: Effort
  /** Stored in docs/benchmarks, and not only printed. */
  readonly isStored: boolean
  /** The folder of another version of the program, to compare with. */
  readonly beside?: string
}

export const HELP = `npm run bench                              P1 to P12, stored in docs/benchmarks; takes half an hour
npm run bench -- --only P1,P3              some of them, printed
npm run bench -- --only P1,P3 --save       the same, stored beside the others with their own date
npm run bench -- queues [--save]           the comparison with job queues from npm
npm run bench -- traces [--beside FOLDER]  P6 without traces and with them, turn by turn, printed
npm run bench -- --profile P1              where the time of the node goes (P1 or P6)
npm run bench -- --render                  table and charts again from docs/benchmarks/results.json

--quick        one short round of everything, for a first look; never stored
--seconds N    the same with rounds of N seconds
`

const FULL: Effort = {
  turns: 7,
  turnSeconds: 8,
  rounds: 3,
  seconds: 10,
  warmUpSeconds: 3,
  livesSeconds: 60,
  idleLives: 500,
  storms: 5,
  callbacksEach: 300,
  scarcePayouts: 5000,
  sizes: [10_000, 1_000_000, 5_000_000],
  statusChecks: 20_000,
}

const quick = (seconds: number): Effort => ({
  turns: 1,
  turnSeconds: seconds,
  rounds: 1,
  seconds,
  warmUpSeconds: Math.min(3, seconds),
  livesSeconds: 2 * seconds,
  idleLives: 20 * seconds,
  storms: 1,
  callbacksEach: 10 * seconds,
  scarcePayouts: 200,
  sizes: [10_000, 40_000 * seconds],
  statusChecks: 2000 * seconds,
})

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      save: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      profile: { type: 'boolean', default: false },
      render: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      beside: { type: 'string' },
    },
  })
  const isQuick = values.quick || values.seconds !== undefined
  const seconds = Number(values.seconds ?? 5)
  if (!(seconds > 0)) throw new Error(`--seconds takes a number above 0, not '${values.seconds}'.`)
  if (isQuick && values.save) {
    throw new Error('Figures of a quick run are for a first look and are not stored.')
  }
  const named = [...positionals, ...(values.only?.split(',') ?? [])]
  const ids = named.filter((name) => name !== 'queues' && name !== 'traces').map(measureId)
  const task = taskOf(values, named)
  const isFull = task === 'measure' && named.length === 0
  return {
    task,
    ids: ids.length === 0 ? MEASURES : ids,
    effort: isQuick ? quick(seconds) : FULL,
    isStored: values.save || (isFull && !isQuick),
    ...(values.beside === undefined ? {} : { beside: values.beside }),
  }
}

function taskOf(
  values: { help: boolean; render: boolean; profile: boolean },
  named: readonly string[],
): Task {
  if (values.help) return 'help'
  if (values.render) return 'render'
  if (values.profile) {
    const isOne = named.length === 1 && (named[0] === 'P1' || named[0] === 'P6')
    if (!isOne) throw new Error('--profile takes P1 or P6: npm run bench -- --profile P1')
    return 'profile'
  }
  const own = (['queues', 'traces'] as const).find((name) => named.includes(name))
  if (own === undefined) return 'measure'
  if (named.length > 1) throw new Error(`"${own}" is a run of its own; leave out the others.`)
  return own
}

function measureId(name: string): MeasureId {
  const id = MEASURES.find((one) => one === name.trim().toUpperCase())
  if (id !== undefined) return id
  throw new Error(
    `There is no measure '${name}'. There are ${MEASURES.join(', ')}, queues and traces.`,
  )
}
