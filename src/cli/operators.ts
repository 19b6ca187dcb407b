import type { OperatorAccount } from '../domain/operators/account.ts'
import { createOperatorClient } from '../node/operator-client.ts'
import { referencesOf } from '../node/provider-set.ts'
import { CATALOG_FILE } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { operatorKind } from '../providers/kinds.ts'
import type { Balance } from '../providers/operator.ts'
import { listAccounts, type StoredAccount } from '../store/operators/accounts.ts'
import { acceptDifference } from '../store/operators/balances.ts'
import { listBreakers } from '../store/operators/health.ts'
import {
  addAccount,
  changeAccount,
  enableAccount,
  removeAccount,
  secretNames,
} from '../usecases/operators/manage-accounts.ts'
import {
  callbackUrlOf,
  type OpenedAccount,
  openAccount,
} from '../usecases/operators/open-account.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  type Opened,
  print,
  table,
  textOf,
  textOfFile,
  withDatabase,
} from './command-kit.ts'
import { serviceNow, withAccounts } from './managed-accounts.ts'

const FILE = { value: 'path', summary: 'a JSON file that describes it; "-" reads standard input' }

/** Accounts with operators, for those who run the service. */
export const OPERATOR_COMMANDS: readonly Command[] = [
  {
    name: 'operator add',
    summary: 'Add an account with an operator, described by a JSON file',
    options: { file: FILE },
    run: ({ values, json }) =>
      withAccounts(async (opened, parts) => {
        const account = await addAccount(parts, await contentOf(values.file))
        const url = urlOf(opened, account)
        // An operator that is given such an address calls nobody.
        const hint =
          opened.config.publicUrl === undefined
            ? '\nSet MALIPO_PUBLIC_URL for this command as for the nodes: the address begins with it.'
            : ''
        const words = `Added ${account.name}. Its operator calls back at\n  ${url}${hint}`
        return print(json, { name: account.name, callbackUrl: url }, words)
      }),
  },
  {
    name: 'operator update',
    summary: 'Change parts of an account: what the file has replaces what is stored',
    arguments: ['name'],
    options: { file: FILE },
    run: ({ positionals: [name = ''], values, json }) =>
      withAccounts(async (_, parts) => {
        await changeAccount(parts, name, await contentOf(values.file))
        return print(
          json,
          { name, changed: true },
          `Changed ${name}. All nodes use it so from now on.`,
        )
      }),
  },
  {
    name: 'operator list',
    summary: 'List the accounts with operators',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const breakers = await listBreakers(database)
        const rows = (await listAccounts(database)).map((one) => ({
          name: one.name,
          connector: one.connector,
          priority: one.priority,
          state: stateOf(
            one,
            breakers.some(({ account }) => account === one.name),
          ),
          providers: Object.keys(one.providers).join(' '),
          baseUrl: one.baseUrl,
        }))
        return print(json, rows, table(rows, 'No account yet. Add one with malipo operator add.'))
      }),
  },
  {
    name: 'operator show',
    summary: 'Show an account; secrets only by their names',
    arguments: ['name'],
    options: {},
    run: ({ positionals: [name = ''], json }) =>
      withDatabase(async (opened) => {
        const account = await accountNamed(opened, name)
        const shown = shownAccount(opened, account)
        return print(json, shown, JSON.stringify(shown, undefined, 2))
      }),
  },
  {
    name: 'operator test',
    summary: 'Sign in with an account, and read its balance where the operator has it',
    arguments: ['name'],
    options: {},
    run: ({ positionals: [name = ''], json }) =>
      withOpened(name, async ({ driven }) => {
        const steps = await driven.test()
        const ok = steps.every((step) => step.ok)
        const lines = steps.map(
          (step) => `${step.ok ? 'ok    ' : 'failed'}  ${step.what}: ${step.message}`,
        )
        const shown = steps.map(({ isAnswered: _, ...step }) => step)
        print(json, { ok, steps: shown }, lines.join('\n'))
        return ok ? 0 : 1
      }),
  },
  {
    name: 'operator balance',
    summary: 'Ask operators for the money in an account, or in all of them',
    arguments: ['name?'],
    options: {},
    run: ({ positionals: [name], json }) =>
      withDatabase(async (opened) => {
        const accounts = await listAccounts(opened.database)
        const wanted = name === undefined ? accounts : [await accountNamed(opened, name)]
        const rows = []
        for (const one of wanted) rows.push(...(await balancesOf(opened, one)))
        print(json, rows, table(rows, 'These operators state no balance.'))
        return rows.every(({ problem }) => problem === '') ? 0 : 1
      }),
  },
  {
    name: 'operator reconcile',
    summary: 'Accept by how much the money of an account differs from the ledger: fees, top-ups',
    arguments: ['name'],
    options: {
      by: { value: 'name', summary: 'who accepts it; kept' },
      note: { value: 'text', summary: 'what explains it; kept' },
    },
    run: ({ positionals: [name = ''], values, json }) =>
      withDatabase(async (opened) => {
        const { name: account } = await accountNamed(opened, name)
        const [by, note] = [textOf(values.by), textOf(values.note)]
        if (by === undefined || note === undefined) {
          throw new CommandProblem('Give --by (who accepts it) and --note (why); both are kept.')
        }
        const now = await serviceNow(opened)
        const accepted = await acceptDifference(opened.database, { account, by, note }, now)
        const words = accepted.map(({ currency, amount }) => `Accepted ${amount} ${currency}.`)
        return print(json, accepted, words.join('\n') || 'Nothing differs.')
      }),
  },
  ...(['disable', 'enable'] as const).map(
    (verb): Command => ({
      name: `operator ${verb}`,
      summary:
        verb === 'enable'
          ? 'Use an account again'
          : 'Send no new payment through an account; those under way go on',
      arguments: ['name'],
      options: {},
      run: ({ positionals: [name = ''], json }) =>
        withAccounts(async (_, parts) => {
          const { enabled } = await enableAccount(parts, name, verb === 'enable')
          return print(json, { name, enabled }, `${name} is ${enabled ? 'enabled' : 'disabled'}.`)
        }),
    }),
  ),
  {
    name: 'operator remove',
    summary: 'Remove an account; refused while one of its payments is open',
    arguments: ['name'],
    options: {},
    run: ({ positionals: [name = ''], json }) =>
      withAccounts(async (_, parts) => {
        await removeAccount(parts, name)
        return print(json, { name, removed: true }, `Removed ${name}.`)
      }),
  },
]

const stateOf = ({ enabled }: OperatorAccount, isResting: boolean): string => {
  if (!enabled) return 'disabled'
  return isResting ? 'resting' : 'enabled'
}

async function contentOf(file: unknown): Promise<unknown> {
  const path = textOf(file)
  if (path === undefined) throw new CommandProblem('Give --file with a path, or "-".')
  const text = await textOfFile(path === '-' ? undefined : path)
  try {
    return JSON.parse(text)
  } catch {
    // Not the words of the parser, which may quote a secret.
    throw new CommandProblem('The file is not JSON. Check quotes, commas and brackets.')
  }
}

async function accountNamed({ database }: Opened, name: string): Promise<StoredAccount> {
  const account = (await listAccounts(database)).find((one) => one.name === name)
  if (account !== undefined) return account
  throw new CommandProblem(`There is no account "${name}". See malipo operator list.`)
}

const urlOf = ({ config }: Opened, account: OperatorAccount): string =>
  callbackUrlOf(account, config.publicUrl ?? `http://127.0.0.1:${config.port}`)

function shownAccount(opened: Opened, account: StoredAccount) {
  const { name, connector, baseUrl, providers, priority, enabled, settings } = account
  const { callbackSources, limits } = account
  const { secretKey } = opened.config
  return {
    ...{ name, connector, baseUrl, providers, priority, enabled, settings },
    secrets: secretNames(operatorKind(connector)?.form, account, secretKey),
    callbackUrl: urlOf(opened, account),
    ...(callbackSources.length === 0 ? {} : { callbackSources }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

async function withOpened(
  name: string,
  work: (account: OpenedAccount) => Promise<number>,
): Promise<number> {
  return withDatabase(async (opened) => {
    const stored = await accountNamed(opened, name)
    return useAccount(opened, stored, work)
  })
}

/** Opens an account in this process, for questions that move no money. */
async function useAccount<T>(
  opened: Opened,
  { sealedSecrets, ...account }: StoredAccount,
  work: (account: OpenedAccount) => Promise<T>,
): Promise<T> {
  const client = createOperatorClient({})
  const { config } = opened
  const world = {
    catalog: readCatalog(CATALOG_FILE),
    secretKey: config.secretKey,
    referenceOf: referencesOf(config.secretKey),
    publicUrl: () => config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    now: Date.now,
    realNow: Date.now,
    maySend: () => true,
    send: client.send,
  }
  const silent = { record: () => {}, reached: () => {} }
  try {
    return await work(openAccount(world, account, sealedSecrets, silent))
  } finally {
    await client.close()
  }
}

async function balancesOf(opened: Opened, stored: StoredAccount) {
  return useAccount(opened, stored, async ({ driven, operator, account }) => {
    const rows = []
    for (const look of operator.balances ?? []) {
      const balance: Partial<Balance> = (await driven.look(look)) ?? {}
      const { product = look.name, amount = '', currency = '' } = balance
      const problem = amount === '' ? `no answer: see malipo operator test ${account.name}` : ''
      rows.push({
        name: account.name,
        product,
        amount,
        currency,
        at: dateText(Date.now()),
        problem,
      })
    }
    return rows
  })
}
