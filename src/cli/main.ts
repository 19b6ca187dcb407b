import { parseArgs } from 'node:util'
import { nearest } from '../domain/nearest.ts'
import { VERSION } from '../package-root.ts'
import {
  type Command,
  CommandProblem,
  type Given,
  type Option,
  optionLabel,
} from './command-kit.ts'
import { COMMANDS } from './commands.ts'

/** The command line: finds the command, reads its options, and reports what went wrong. */
export async function runCli(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await dispatch(args)
  } catch (error) {
    if (args.includes('--json')) {
      process.stderr.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
    } else {
      process.stderr.write(`\n  ${(error as Error).message}\n\n`)
    }
    process.exitCode = error instanceof CommandProblem ? 2 : 1
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  if (args[0] === '--version' || args[0] === 'version') return version(args[0], args.slice(1))
  if (args[0] === 'help') return dispatch([...args.slice(1), '--help'])
  const command = findCommand(args)
  if (command === undefined) return print(overview(groupIn(args)))
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) return print(helpFor(command))
  return command.run(read(command, rest))
}

function version(name: string, rest: readonly string[]): number {
  if (rest.some((word) => !HELP.has(word) && word !== '--json')) {
    throw new CommandProblem(`"malipo ${name}" takes no arguments.`)
  }
  return print(VERSION)
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

/** The group to list, or undefined for all of them; anything else is an error. */
function groupIn(args: readonly string[]): string | undefined {
  const words = args.filter((word) => !HELP.has(word))
  const option = words.find((word) => word.startsWith('-'))
  if (option !== undefined) {
    throw new CommandProblem(`There is no option "${option}". See malipo --help.`)
  }
  const [name] = words
  if (name === undefined) return undefined
  const isGroup = COMMANDS.some((one) => isIn(name, one))
  if (isGroup && words.length === 1) return name
  const where = isGroup ? `malipo ${name} --help` : 'malipo --help'
  const meant = meantBy(words)
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  throw new CommandProblem(`There is no command "${words.join(' ')}".${hint} See ${where}.`)
}

const isIn = (group: string, { name, alias = '' }: Command): boolean =>
  name.startsWith(`${group} `) || alias.startsWith(`${group} `)

/** The command or group that mistyped words most likely stand for. */
function meantBy([typed = '', next = '']: readonly string[]): string | undefined {
  const names = COMMANDS.map(({ name }) => name.split(' '))
  const first = nearest(
    typed,
    names.map(([one = '']) => one),
  )
  const seconds = names.flatMap(([one, two = '']) => (one === first ? [two] : []))
  if (first === undefined || seconds.includes('')) return first
  const second = nearest(next, seconds)
  if (second !== undefined) return `${first} ${second}`
  return first === typed ? undefined : first
}

/** The longest name wins: "token create" before "token". */
function findCommand(args: readonly string[]): Command | undefined {
  const isMeant = (name: string): boolean => name.split(' ').every((word, at) => args[at] === word)
  return COMMANDS.find(
    ({ name, alias }) => isMeant(name) || (alias !== undefined && isMeant(alias)),
  )
}

function read(command: Command, args: readonly string[]): Given {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      {
        type: option.value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: option.many === true,
      },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: joinWords(joinNegative(args, options), command.options),
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
    })
    const expected = command.arguments ?? []
    const needed = expected.filter((name) => !name.endsWith('?'))
    if (positionals.length < needed.length || positionals.length > expected.length) {
      const help = `See malipo ${command.name} --help.`
      throw new CommandProblem(`"malipo ${command.name}" takes ${describe(command)}. ${help}`)
    }
    return { values, positionals, json: values.json === true }
  } catch (error) {
    if (error instanceof CommandProblem) throw error
    throw new CommandProblem(`${optionProblem(error as Error)} See malipo ${command.name} --help.`)
  }
}

/** A negative number is a value, and no option: what takes the value says what is wrong with it. */
function joinNegative(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: string }>>,
): string[] {
  const joined: string[] = []
  for (const word of args) {
    const before = joined.at(-1) ?? ''
    const takes = before.startsWith('--') && options[before.slice(2)]?.type === 'string'
    if (takes && /^-\d/.test(word)) joined.splice(-1, 1, `${before}=${word}`)
    else joined.push(word)
  }
  return joined
}

/** The second word of a value goes with the first one. */
function joinWords(args: readonly string[], options: Readonly<Record<string, Option>>): string[] {
  const joined: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const [word = '', first, second] = args.slice(at, at + 3)
    const isPair = word.startsWith('--') && options[word.slice(2)]?.also !== undefined
    if (isPair && first !== undefined && second !== undefined && !/[\s-]/.test(first + second)) {
      joined.push(`${word}=${first} ${second}`)
      at += 2
    } else joined.push(word)
  }
  return joined
}

/** Node's own words explain how to write options, and not which there are. */
function optionProblem({ message }: Error): string {
  const [, option = ''] = /'(-+[^' ]+)/.exec(message) ?? []
  if (message.startsWith('Unknown option')) return `There is no option "${option}".`
  const isSwitch = message.endsWith('does not take an argument')
  return `The option "${option}" ${isSwitch ? 'takes no' : 'needs a'} value.`
}

const describe = (command: Command): string =>
  command.arguments === undefined
    ? 'no arguments'
    : command.arguments.map((one) => `<${one}>`).join(' ')

function overview(group: string | undefined): string {
  const shown = COMMANDS.filter((command) => group === undefined || isIn(group, command))
  const width = Math.max(...shown.map((command) => command.name.length))
  return [
    `Malipo ${VERSION}: mobile-money payments for merchants`,
    '',
    'Usage: malipo <command> [options]',
    '',
    ...shown.map((command) => `  ${command.name.padEnd(width)}  ${summaryOf(command)}`),
    '',
    'Run malipo <command> --help for details. --json prints results for programs.',
    'Settings come from the environment: see docs/configuration.md.',
  ].join('\n')
}

const summaryOf = ({ summary, alias }: Command): string =>
  alias === undefined ? summary : `${summary} (also: malipo ${alias})`

function helpFor(command: Command): string {
  const options = Object.entries({
    ...command.options,
    json: { summary: 'print the result as JSON' },
    help: { summary: 'this text' },
  }) as [string, Option][]
  const label = ([name, option]: [string, Option]): string => optionLabel(name, option)
  const width = Math.max(...options.map((option) => label(option).length))
  const args = command.arguments?.map((one) => ` <${one}>`).join('') ?? ''
  return [
    `Usage: malipo ${command.name}${args} [options]`,
    '',
    summaryOf(command),
    '',
    ...options.map((option) => `  ${label(option).padEnd(width)}  ${option[1].summary}`),
  ].join('\n')
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
