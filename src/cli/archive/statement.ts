import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type AccountName, walletName } from '../../domain/payments/ledger.ts'
import type { Database } from '../../store/engine/database.ts'
import { findWalletStates } from '../../store/payments/wallet-history.ts'
import {
  NoStatement,
  type StatementOrder,
  type StatementSums,
  walletStatement,
} from '../../usecases/archive/wallet-statement.ts'
import {
  type Command,
  CommandProblem,
  merchantNamed,
  print,
  textOf,
  withDatabase,
} from '../command-kit.ts'
import { choiceOf } from '../option-values.ts'

const DAY_MS = 86_400_000
const FORMATS = ['csv', 'csv.gz'] as const

export const STATEMENT_COMMAND: Command = {
  name: 'statement',
  summary: 'Write the statement of a wallet, also of archived years',
  options: {
    merchant: { value: 'short-name', summary: 'whose wallet' },
    wallet: { value: 'wallet', summary: 'such as ZMB-ZMW or ZMB-ZMW-MTN_MOMO_ZMB' },
    from: { value: 'day', summary: 'the first day (UTC)' },
    to: { value: 'day', summary: 'the last day (UTC); it belongs to the statement' },
    archive: { value: 'path', summary: 'the folder in which archived years are' },
    format: { value: 'format', summary: `${FORMATS.join(' or ')}; csv by default` },
    output: { value: 'path', summary: 'the file to write; standard output by default' },
    'show-personal': { summary: 'write the values of metadata that are marked as personal' },
  },
  run: ({ values, json }) =>
    withDatabase(async ({ database }) => {
      const output = textOf(values.output)
      if (json && output === undefined) throw new CommandProblem(JSON_NEEDS_FILE)
      const order = await orderIn(database, values)
      const isZipped = choiceOf(values.format, FORMATS, 'format') === 'csv.gz'
      const sums = await write(database, order, isZipped, output)
      if (sums === undefined) return 0
      if (json) return print(json, { ...sums, output }, '')
      process.stderr.write(
        `${sums.movements} movements, from ${sums.opening} to ${sums.closing}.\n`,
      )
      return 0
    }),
}

const JSON_NEEDS_FILE =
  '--json needs --output: otherwise the statement itself is written to standard output.'

async function orderIn(
  database: Database,
  values: Readonly<Record<string, unknown>>,
): Promise<StatementOrder> {
  const slug = needed(values, 'merchant')
  const merchant = await merchantNamed(database, slug)
  const wallets = await findWalletStates(database, merchant.id, [])
  const names = wallets.map(({ country, currency, provider }) =>
    walletName(country, currency, provider ?? undefined),
  )
  const wanted = `wallet:${needed(values, 'wallet')
    .replace(/^wallet:/, '')
    .replaceAll('-', ':')}`
  const wallet = names.find((name) => name === wanted)
  if (wallet === undefined) throw new CommandProblem(noWallet(slug, names))
  const [startAt, lastAt] = [dayIn(values, 'from'), dayIn(values, 'to')]
  if (lastAt < startAt) throw new CommandProblem('--to must not be earlier than --from.')
  return {
    merchant,
    period: { merchantId: merchant.id, wallet, startAt, endAt: lastAt + DAY_MS },
    root: await folderIn(values.archive),
    showsPii: values['show-personal'] === true,
  }
}

const noWallet = (slug: string, names: readonly AccountName[]): string => {
  const known = names.map((name) => name.slice('wallet:'.length).replaceAll(':', '-')).join(', ')
  return `"${slug}" has no such wallet. ${known === '' ? 'It has none yet.' : `It has ${known}.`}`
}

function needed(values: Readonly<Record<string, unknown>>, name: string): string {
  const text = textOf(values[name])
  if (text === undefined) throw new CommandProblem(`Give --${name}. See malipo statement --help.`)
  return text
}

function dayIn(values: Readonly<Record<string, unknown>>, name: string): number {
  const text = needed(values, name)
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  // Of a day that its month does not have, another one is made.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return at
  throw new CommandProblem(`--${name} is "${text}"; give a day such as 2026-01-31.`)
}

/** Looked for even if no archived year is needed: a wrong path is found before it is. */
async function folderIn(value: unknown): Promise<string | undefined> {
  const path = textOf(value)
  if (path === undefined) return undefined
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return path
  throw new CommandProblem(`--archive is "${path}"; there is no such folder.`)
}

/** A file is there whole or not at all. Answers nothing if the reader has gone. */
async function write(
  database: Database,
  order: StatementOrder,
  isZipped: boolean,
  file: string | undefined,
): Promise<StatementSums | undefined> {
  const partial = file === undefined ? undefined : `${file}.partial`
  const handle = partial === undefined ? undefined : await opened(partial)
  const target = handle?.createWriteStream() ?? process.stdout
  try {
    const sums = await database.inLongTransaction(async (tx) => {
      const found: { sums?: StatementSums } = {}
      const lines = async function* (): AsyncGenerator<string> {
        found.sums = yield* walletStatement(tx, order)
      }
      await flow(Readable.from(lines()), isZipped, target)
      return found.sums
    })
    if (partial !== undefined && file !== undefined) await rename(partial, file).catch(unwritable)
    return sums
  } catch (error) {
    if (handle !== undefined) target.destroy()
    if (partial !== undefined) await rm(partial, { force: true })
    // As of "| head": enough was read.
    if (partial === undefined && (error as NodeJS.ErrnoException).code === 'EPIPE') return undefined
    throw error instanceof NoStatement ? new CommandProblem(error.message) : error
  }
}

const opened = (path: string): Promise<FileHandle> => open(path, 'w', 0o600).catch(unwritable)

function unwritable({ message }: Error): never {
  throw new CommandProblem(`The file of --output cannot be written: ${message}.`)
}

/** The standard output is not ours to close. */
async function flow(source: Readable, isZipped: boolean, target: Writable): Promise<void> {
  const end = target !== process.stdout
  if (isZipped) await pipeline(source, createGzip(), target, { end })
  else await pipeline(source, target, { end })
}
