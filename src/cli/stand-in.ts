import { once } from 'node:events'
import { present } from '../domain/present.ts'
import type { StandInOperator } from '../providers/stand-in/operator.ts'
import { type Command, CommandProblem, textOf } from './command-kit.ts'
import { numberOf } from './option-values.ts'

/** An operator to try against, on this machine. */
export const STAND_IN_COMMAND: Command = {
  name: 'operator stand-in',
  summary: 'Run an operator to try against: it speaks the wire of a real one and moves no money',
  arguments: ['connector'],
  options: {
    port: { value: 'number', summary: 'where it listens (default 9101)' },
    book: { value: 'path', summary: 'a file in which it keeps its orders over restarts' },
    'ends-after': { value: 'ms', summary: 'how long an order takes to end (default 1000)' },
    latency: { value: 'ms', summary: 'how long every answer takes (default 0)' },
  },
  run: async ({ positionals: [connector = ''], values }) => {
    const { stand, start } = await standIn(connector)
    const book = textOf(values.book)
    const running = await start(stand, {
      port: numberOf(values.port, { name: 'port', byDefault: 9101, most: 65_535 }),
      endsAfterMs: numberOf(values['ends-after'], {
        name: 'ends-after',
        byDefault: 1000,
        most: 3_600_000,
      }),
      latencyMs: values.latency === undefined ? 0 : numberOf(values.latency, LATENCY),
      ...present({ bookFile: book }),
    })
    process.stdout.write(announcement(connector, running.url))
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await running.close()
    return 0
  },
}

const LATENCY = { name: 'latency', byDefault: 0, most: 600_000 }

const load = () => import('../providers/stand-in/stand-ins.ts')

/** They come with the source, not with the installed package. */
async function standIn(connector: string) {
  const { STAND_INS, startStandIn: start } = await load().catch(() => {
    throw new CommandProblem(
      'The stand-ins are not part of the installed package. Clone the repository to use them.',
    )
  })
  const stand: StandInOperator | undefined = STAND_INS.find(({ name }) => name === connector)
  if (stand !== undefined) return { stand, start }
  const names = STAND_INS.map(({ name }) => name).join(', ')
  throw new CommandProblem(`There is no stand-in for "${connector}". Use one of ${names}.`)
}

const announcement = (connector: string, url: string): string => `
  A stand-in for ${connector} listens at ${url}.

  Use it as the baseUrl of an account: malipo operator add --file account.json
  GET ${url}/_stand-in/book              what it was asked to do
  PUT ${url}/_stand-in/parties/<number>  how orders of a number end, such as
                                         {"says":"failure","reason":"NOT_ENOUGH_FUNDS"}
  PUT ${url}/_stand-in/faults            what goes wrong, such as
                                         [{"on":"create","fault":"drop-after","percent":5}]
  Ctrl-C ends it.

`
