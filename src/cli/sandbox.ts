import type { BannerFacts } from '../node/banner.ts'
import { type Command, CommandProblem, environment, textOf } from './command-kit.ts'

/** A sandbox for a run of tests, in any language. */
export const SANDBOX_COMMAND: Command = {
  name: 'sandbox',
  summary:
    'Start a throw-away sandbox for a run of tests; it ends with the process that started it',
  options: {
    ephemeral: { summary: 'required: nothing is kept; "malipo start" runs one that is' },
    port: { value: 'number', summary: 'where it listens; a free port by default' },
    strict: { summary: 'refuse a variable MALIPO_… that is no setting, also one of the tests' },
  },
  run: async ({ values, json }) => {
    if (values.ephemeral !== true) {
      throw new CommandProblem(
        '"malipo sandbox" needs --ephemeral: it keeps nothing. For a sandbox that keeps its data ' +
          'run "malipo start".',
      )
    }
    // Most commands do without what it takes to run a node.
    const { runEphemeral } = await import('../node/ephemeral/run.ts')
    const manner = { port: portIn(values.port), isStrict: values.strict === true }
    await runEphemeral(environment(), manner, json ? readyJson : ready)
    return 0
  },
}

/** Anything else would be reported as the setting PORT, which is not read here. */
function portIn(value: unknown): string {
  const text = textOf(value) ?? '0'
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text
  throw new CommandProblem(`--port is "${text}"; give a whole number from 0 to 65535.`)
}

const readyJson = ({ url, token }: BannerFacts): string =>
  `${JSON.stringify({ baseUrl: url, token, pid: process.pid })}\n`

const ready = ({ url, token }: BannerFacts): string =>
  [
    '',
    '  A throw-away sandbox is ready; it ends with this process',
    '',
    `  API    ${url}`,
    `  Token  ${token}`,
    '',
    '',
  ].join('\n')
