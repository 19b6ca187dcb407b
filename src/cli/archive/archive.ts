import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { archivableAt, yearEnd, yearStart } from '../../domain/archive/years.ts'
import { VERSION } from '../../package-root.ts'
import { listMerchants, type MerchantSummary } from '../../store/accounts/merchants.ts'
import type { Obstacles } from '../../store/archive/obstacles.ts'
import { listNodes } from '../../store/cluster/nodes.ts'
import { readState } from '../../store/cluster/service-state.ts'
import type { Database } from '../../store/engine/database.ts'
import { type ArchivedOne, archiveYear } from '../../usecases/archive/archive-year.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  textOf,
  withDatabase,
} from '../command-kit.ts'

export const ARCHIVE_COMMAND: Command = {
  name: 'archive',
  summary: 'Write an ended year to compressed files, and remove its movements if asked to',
  arguments: ['year'],
  options: {
    to: { value: 'path', summary: 'the folder for the files; each merchant and year gets its own' },
    merchant: { value: 'short-name', summary: 'only of this merchant; all by default' },
    remove: { summary: 'remove the rows from the database once the files are checked' },
  },
  run: ({ positionals: [text = ''], values, json }) =>
    withDatabase(async ({ database }) => {
      const year = /^\d{4}$/.test(text) ? Number(text) : 0
      if (year < 2000) throw new CommandProblem(`"${text}" is not a year. Give one such as 2025.`)
      const root = textOf(values.to)
      if (root === undefined) throw new CommandProblem('Name the folder for the files by --to.')
      const removes = values.remove === true
      const now = Date.now() + (await readState(database)).clockOffsetMs
      if (now < archivableAt(year)) throw new CommandProblem(tooEarly(year))
      if (removes) await refuseOlderNodes(database)
      const order = { year, now, root: resolve(root), removes, run: randomUUID(), json }
      return archiveEach(database, await chosen(database, textOf(values.merchant)), order)
    }),
}

const chosen = async (
  database: Database,
  slug: string | undefined,
): Promise<readonly MerchantSummary[]> =>
  slug === undefined ? listMerchants(database) : [await merchantNamed(database, slug)]

const tooEarly = (year: number): string =>
  `${year} can be archived from ${dateText(archivableAt(year))} on, 90 days after its end.`

/** Nodes of another version may not know that rows are missing. */
async function refuseOlderNodes(database: Database): Promise<void> {
  const others = (await listNodes(database)).filter(({ version }) => version !== VERSION)
  if (others.length === 0) return
  const names = others.map(
    ({ version, machine, pid }) => `${version} on ${machine}, process ${pid}`,
  )
  throw new CommandProblem(
    `Nodes of another version are at work: ${names.join('; ')}. Bring them to ${VERSION} first.`,
  )
}

type Order = {
  readonly year: number
  readonly now: number
  readonly root: string
  readonly removes: boolean
  readonly run: string
  readonly json: boolean
}

/** One merchant after the other; what is in the way of one does not hold up the next. */
async function archiveEach(
  database: Database,
  merchants: readonly MerchantSummary[],
  order: Order,
): Promise<number> {
  const results: object[] = []
  const lines: string[] = []
  let hasFailed = false
  for (const merchant of merchants) {
    const progress = progressOf(merchant.slug, order)
    const one = await archiveYear(database, { ...order, merchant, progress })
    if (!order.json && process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    const message = wordsOf(one, order.year)
    if (message === undefined) continue
    hasFailed ||= one.result !== 'WRITTEN' && one.result !== 'REMOVED'
    lines.push(`${merchant.slug}: ${message}`)
    results.push({ merchant: merchant.slug, result: one.result, ...factsOf(one), message })
  }
  const words =
    lines.length === 0 ? `There is nothing of ${order.year} to archive.` : lines.join('\n')
  print(order.json, { year: order.year, merchants: results }, words)
  return hasFailed ? 3 : 0
}

/** How far it is by the days of the year, on a terminal. */
function progressOf(slug: string, { year, json }: Order): (until: number) => void {
  if (json || !process.stderr.isTTY) return () => {}
  return (until) => {
    const share = (until - yearStart(year)) / (yearEnd(year) - yearStart(year))
    process.stderr.write(`\r\x1b[K${slug} ${year}: ${Math.floor(share * 100)} %`)
  }
}

function factsOf(one: ArchivedOne): object {
  if (!('manifest' in one)) return 'obstacles' in one ? { obstacles: one.obstacles } : {}
  const { folder, manifest } = one
  return { folder, files: manifest.files.length, rows: rowsIn(one), bytes: bytesIn(one) }
}

type Archived = Extract<ArchivedOne, { readonly manifest: unknown }>
const rowsIn = ({ manifest }: Archived): number =>
  manifest.files.reduce((sum, { rows }) => sum + rows, 0)
const bytesIn = ({ manifest }: Archived): number =>
  manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)

function wordsOf(one: ArchivedOne, year: number): string | undefined {
  switch (one.result) {
    case 'NOTHING':
      return undefined
    case 'TOO_EARLY':
      return tooEarly(year)
    case 'NOT_OVER':
      return `${year} is not over yet. ${obstacleWords(one.obstacles)}`
    case 'EARLIER_FIRST':
      return `Rows of years before ${year} are still in the database. Archive these years first.`
    case 'PROBLEM':
      return one.problem
    case 'WRITTEN':
      return `${rowsIn(one)} rows written to ${one.folder} and checked. Nothing was removed.`
    case 'REMOVED':
      return `${rowsIn(one)} rows are in ${one.folder} and removed from the database.`
  }
}

const WAYS_OUT: Readonly<Record<keyof Obstacles, readonly [what: string, wayOut: string]>> = {
  payments: ['Open payments', 'malipo payment list finds them by --state and --to'],
  checkouts: ['Open checkouts', 'they end by their own time'],
  callbacks: ['Callbacks due or paused', 'send them by malipo callbacks replay, or wait'],
  replays: ['Replays of callbacks under way', 'wait for their end or stop them'],
  cases: ['Open cases', 'see malipo case list'],
}

const obstacleWords = (obstacles: Obstacles): string =>
  (Object.keys(WAYS_OUT) as (keyof Obstacles)[])
    .filter((name) => obstacles[name] > 0)
    .map((name) => `${WAYS_OUT[name][0]}: ${obstacles[name]} (${WAYS_OUT[name][1]})`)
    .join('; ')
    .concat('.')
