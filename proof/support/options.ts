import { parseArgs } from 'node:util'
import { say } from './report.ts'

type Known<Name extends string, Switch extends string, Text extends string> = {
  readonly numbers: Readonly<Record<Name, number>>
  readonly switches: readonly Switch[]
  readonly texts?: readonly Text[]
  /** Numbers that need not be whole. */
  readonly fractions?: readonly string[]
}

type Read<Name extends string, Switch extends string, Text extends string> = {
  readonly numbers: Readonly<Record<Name, number>>
  readonly switches: ReadonlySet<Switch>
  readonly texts: Readonly<Partial<Record<Text, string>>>
}

/**
 * Reads `--name N`, `--switch` and `--name TEXT`; on a mistake prints it with the help and
 * exits with 2.
 */
export function readOptions<
  Name extends string,
  Switch extends string,
  Text extends string = never,
>(help: string, known: Known<Name, Switch, Text>): Read<Name, Switch, Text> {
  const names = Object.keys(known.numbers) as Name[]
  const texts = known.texts ?? []
  const values = parsed(help, {
    ...Object.fromEntries([...names, ...texts].map((name) => [name, { type: 'string' }] as const)),
    ...Object.fromEntries(
      [...known.switches, 'help'].map((name) => [name, { type: 'boolean' }] as const),
    ),
  })
  if (values.help === true) {
    say(help)
    process.exit(0)
  }
  const numberOf = (name: Name): number => {
    const text = values[name]
    if (text === undefined) return known.numbers[name]
    const isFraction = known.fractions?.includes(name) === true
    const form = isFraction ? /^\d{1,5}(\.\d+)?$/ : /^\d{1,10}$/
    const isGood = form.test(String(text)) && (isFraction || name === 'seed' || Number(text) >= 1)
    if (isGood) return Number(text)
    return refuse(help, `--${name} must be a ${isFraction ? '' : 'whole '}number, not "${text}".`)
  }
  const numbers = Object.fromEntries(names.map((name) => [name, numberOf(name)]))
  return {
    numbers: numbers as Record<Name, number>,
    switches: new Set(known.switches.filter((name) => values[name] === true)),
    texts: Object.fromEntries(
      texts.filter((name) => name in values).map((name) => [name, values[name]]),
    ) as Partial<Record<Text, string>>,
  }
}

type OptionTypes = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>

function parsed(help: string, options: OptionTypes): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(help, (error as Error).message)
  }
}

function refuse(help: string, problem: string): never {
  process.stderr.write(`${problem}\n\n${help}\n`)
  process.exit(2)
}
