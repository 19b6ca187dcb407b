import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Environment } from '../domain/accounts/token.ts'
import { type Config, readConfig } from '../node/config.ts'
import { type Connection, connect, type Manner } from '../node/connect.ts'
import { createLog } from '../node/log.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { findMerchantBySlug, type MerchantSummary } from '../store/accounts/merchants.ts'
import { nodesAtWork } from '../store/cluster/nodes.ts'
import { initialiseState } from '../store/cluster/service-state.ts'
import type { Database } from '../store/engine/database.ts'
import { pendingMigrations } from '../store/engine/migrate.ts'

/** What can be done from the command line. */
export type Command = {
  readonly name: string
  /** Another name of as many words. */
  readonly alias?: string
  readonly summary: string
  /** What the first argument can be, where that is known. */
  readonly choices?: readonly string[]
  /** One with a question mark at its end may be left out. */
  readonly arguments?: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Answers the exit code. */
  readonly run: (given: Given) => Promise<number>
}

export type Option = {
  readonly value?: string
  /** A second word of the value: `--limit <amount> <currency>` is given as "amount currency". */
  readonly also?: string
  readonly many?: boolean
  readonly summary: string
}

export const optionLabel = (name: string, { value, also }: Omit<Option, 'summary'>): string =>
  [`--${name}`, ...[value, also].flatMap((word) => (word ? `<${word}>` : []))].join(' ')

export type Given = {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
  readonly json: boolean
}

/** A request that cannot be carried out; the message names what can be done instead. */
export class CommandProblem extends Error {}

export type Opened = {
  readonly database: Database
  readonly environment: Environment
  readonly config: Config
}

/** Opens a database that is in use already; the schema is brought up to date by `migrate` alone. */
export async function withDatabase(work: (opened: Opened) => Promise<number>): Promise<number> {
  return withConnection('borrow', async ({ database }, config) => {
    const pending = await pendingMigrations(database, MIGRATIONS_FOLDER)
    if (pending.length > 0) {
      throw new CommandProblem('The database schema is not up to date. Run "malipo migrate" first.')
    }
    const { environment } = await initialiseState(database, config.environment)
    return work({ database, environment, config })
  })
}

export async function withConnection(
  manner: Manner,
  work: (connection: Connection, config: Config) => Promise<number>,
): Promise<number> {
  const config = givenConfig()
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'error')
  const connection = await connect(config, manner, log)
  try {
    return await work(connection, config)
  } finally {
    await connection.close()
  }
}

/** For changes that a running node would not notice, or would undo. */
export async function refuseWhileNodesRun(database: Database): Promise<void> {
  const atWork = await nodesAtWork(database)
  if (atWork.length === 0) return
  throw new CommandProblem(
    `A node is at work on this database: ${atWork.join('; ')}. Stop all nodes first.`,
  )
}

export async function merchantNamed(database: Database, slug: string): Promise<MerchantSummary> {
  const merchant = await findMerchantBySlug(database, slug)
  if (merchant !== undefined) return merchant
  throw new CommandProblem(`There is no merchant "${slug}". See malipo merchant list.`)
}

/** The text of a file, or of the standard input where none is named. */
export async function textOfFile(file: string | undefined): Promise<string> {
  if (file === undefined) return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandProblem(`The file "${file}" cannot be read: ${(error as Error).message}.`)
  }
}

/** For a command that starts a node. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env

/** For commands that go on where a setting cannot be used; throws `ConfigProblem`. */
export const givenConfig = (): Config => readConfig(process.env)

/** For commands that talk to a running service. */
export const environmentToken = (): string | undefined => process.env.MALIPO_TOKEN

/** Which program opens addresses for people, and whether there is a screen for one. */
export function environmentOfBrowsers(): { browser: string | undefined; hasDisplay: boolean } {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env
  return { browser: textOf(BROWSER), hasDisplay: (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== '' }
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

export const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).concat('Z')

export function print(json: boolean, result: unknown, words: string): number {
  process.stdout.write(`${json ? JSON.stringify(result) : words}\n`)
  return 0
}

/** `none` is printed where there are no rows. */
export function table(
  rows: readonly Readonly<Record<string, string | number>>[],
  none = 'None yet.',
): string {
  const [first] = rows
  if (first === undefined) return none
  const names = Object.keys(first)
  const width = (name: string): number =>
    Math.max(name.length, ...rows.map((row) => String(row[name]).length))
  const line = (cell: (name: string) => string): string =>
    names
      .map((name) => cell(name).padEnd(width(name)))
      .join('  ')
      .trimEnd()
  return [line((name) => name), ...rows.map((row) => line((name) => String(row[name])))].join('\n')
}

/** What a list of one merchant says, or of all, when it is empty. */
export const noneOf = (what: string, slug: string | undefined): string =>
  slug === undefined ? 'None yet.' : `The merchant "${slug}" has no ${what}.`

export function switchOf(
  name: string,
  values: Readonly<Record<string, unknown>>,
): boolean | undefined {
  const text = textOf(values[name])
  if (text === undefined) return undefined
  if (text === 'on' || text === 'off') return text === 'on'
  throw new CommandProblem(`--${name} takes on or off, not "${text}".`)
}
