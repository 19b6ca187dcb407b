import { replacements } from '../http/v1/endpoints.ts'
import { findUsage, type Usage } from '../store/accounts/legacy-usage.ts'
import { RequestFault } from '../wire/fault.ts'
import { readJson } from '../wire/json.ts'
import { rulesOf } from '../wire/v1/migration.ts'
import { type CurrentCall, toCurrentCalls } from '../wire/v1/translate.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  noneOf,
  print,
  table,
  textOf,
  textOfFile,
  withDatabase,
} from './command-kit.ts'

/** The way out of the earlier generation. */
export const MIGRATION_COMMANDS: readonly Command[] = [
  {
    name: 'migration report',
    summary: 'Show which calls and fields of the earlier generation are still in use, and by whom',
    options: { merchant: { value: 'short-name', summary: 'only of this merchant' } },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const slug = textOf(values.merchant)
        const merchant = slug === undefined ? undefined : await merchantNamed(database, slug)
        const instead = replacements()
        const usage = (await findUsage(database, merchant?.id)).map((one) => ({
          merchant: one.merchant,
          call: one.call,
          field: one.field,
          count: one.count,
          lastUsed: dateText(one.lastUsedMs),
          instead: one.field === '' ? (instead.get(one.call) ?? '') : ruleOf(one),
        }))
        return print(json, usage, table(usage, noneOf('call of the earlier generation', slug)))
      }),
  },
  {
    name: 'migration translate',
    summary: 'Turn a request body of the earlier generation into the current call',
    options: { file: { value: 'path', summary: 'the body; standard input by default' } },
    run: async ({ values, json }) => {
      const calls = translated(await textOfFile(textOf(values.file)))
      return print(json, calls, calls.map(asText).join('\n\n'))
    },
  },
]

const ruleOf = ({ call, field }: Usage): string =>
  rulesOf(call).find((one) => one.field === field)?.rule ?? ''

function translated(body: string): readonly CurrentCall[] {
  const parsed = readJson(Buffer.from(body))
  if (!parsed.ok) throw new CommandProblem(`That is not a request: ${parsed.problem}.`)
  try {
    return toCurrentCalls(parsed.value)
  } catch (error) {
    if (error instanceof RequestFault) throw new CommandProblem(error.message)
    throw error
  }
}

function asText({ method, path, body, when }: CurrentCall): string {
  const first = `${method} ${path}${when === undefined ? '' : `  (if ${when})`}`
  return body === undefined ? first : `${first}\n${JSON.stringify(body, null, 2)}`
}
