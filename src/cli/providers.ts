import { AVAILABILITIES, OPERATION_TYPES } from '../domain/provider.ts'
import { listHealth, listHealthHistory } from '../store/operators/health.ts'
import { switchProvider } from '../usecases/operators/switch-provider.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { withAccounts } from './managed-accounts.ts'
import { choiceOf } from './option-values.ts'

/** Whether merchants can use providers, for those who run the service. */
export const PROVIDER_COMMANDS: readonly Command[] = [
  {
    name: 'provider status',
    summary: 'Show which providers are delayed or closed, why and since when',
    options: { history: { summary: 'show the last 100 changes instead' } },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const found =
          values.history === true
            ? await listHealthHistory(database, 100)
            : await listHealth(database)
        const rows = found.map(({ sinceMs, ...one }) => ({ ...one, since: dateText(sinceMs) }))
        return print(json, rows, table(rows, 'Nothing was decided yet: all providers are open.'))
      }),
  },
  {
    name: 'provider switch',
    summary:
      'Decide yourself whether merchants can use a provider; "auto" leaves it to the accounts',
    arguments: ['provider', 'operation', 'status'],
    options: { reason: { value: 'text', summary: 'why; kept in the history' } },
    run: ({ positionals: [provider = '', operation, status], values, json }) =>
      withAccounts(async (_, parts) => {
        const wanted = {
          provider,
          operation: needed(operation, OPERATION_TYPES, 'operation'),
          status: needed(status, [...AVAILABILITIES, 'auto'] as const, 'status'),
          reason: textOf(values.reason) ?? 'no reason given',
        }
        await switchProvider(parts, wanted)
        return print(json, wanted, `${provider} ${wanted.operation}: ${wanted.status}.`)
      }),
  },
]

function needed<T extends string>(
  text: string | undefined,
  choices: readonly T[],
  what: string,
): T {
  const choice = choiceOf(text, choices, what)
  if (choice !== undefined) return choice
  throw new CommandProblem(`Give the ${what}: ${choices.join(', ')}.`)
}
