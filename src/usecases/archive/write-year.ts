import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Amount, formatBalance } from '../../domain/amount.ts'
import {
  ARCHIVE_FORMAT,
  type ArchivedFile,
  COMPANIONS,
  companionFile,
  MANIFEST_NAME,
  type Manifest,
  movementsFile,
  OTHER_MOVEMENTS,
  walletIn,
} from '../../domain/archive/manifest.ts'
import { yearEnd, yearStart } from '../../domain/archive/years.ts'
import type { MerchantId } from '../../domain/ids.ts'
import {
  type AccountYear,
  accountYears,
  readCompanions,
  readTransfers,
} from '../../store/archive/rows.ts'
import { partsOf, type Slice } from '../../store/archive/slices.ts'
import { findDatabaseId } from '../../store/archive/years.ts'
import type { Db } from '../../store/engine/database.ts'
import { amountOf } from '../../store/payments/movements.ts'
import { createLinesFile, FOLDER_FOR_OWNER, type LinesFile, syncFolder } from './lines-file.ts'

export type YearOrder = {
  readonly merchant: { readonly id: MerchantId; readonly slug: string; readonly name: string }
  readonly year: number
  readonly now: number
  /** The end of what is done, by the time of the rows. */
  readonly progress: (doneUntil: number) => void
}

/** Rows read at once; for removal too. */
export const PART_ROWS = 2000

export const sliceOf = ({ merchant, year }: Pick<YearOrder, 'merchant' | 'year'>): Slice => ({
  merchantId: merchant.id,
  startAt: yearStart(year),
  endAt: yearEnd(year),
})

export type WrittenYear = { readonly manifest: Manifest; readonly hash: string }

/** Writes everything of a year that can be archived into a new folder; all of it is on the disk then. */
export async function writeYear(db: Db, order: YearOrder, folder: string): Promise<WrittenYear> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: FOLDER_FOR_OWNER })
  const counts = new Map<string, number>()
  const files = await writeFiles(db, order, folder, counts)
  const { merchant, year, now } = order
  const accounts = (await accountYears(db, merchant.id, year)).map((one) => ({
    ...balancesOf(one),
    transfers: counts.get(one.account) ?? 0,
  }))
  const { id, slug, name } = merchant
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    database: await findDatabaseId(db),
    merchant: { id, slug, name },
    year,
    writtenAt: new Date(now).toISOString(),
    files,
    accounts,
  }
  return { manifest, hash: await writeManifest(folder, manifest) }
}

function balancesOf({ account, opening, change }: AccountYear) {
  const [first, moved] = [amountOf(opening), amountOf(change)]
  const text = (amount: bigint): string => formatBalance(amount as Amount)
  return { account, opening: text(first), change: text(moved), closing: text(first + moved) }
}

/** Of each account, `counts` gets the number of transfers that touch it. */
async function writeFiles(
  db: Db,
  order: YearOrder,
  folder: string,
  counts: Map<string, number>,
): Promise<readonly ArchivedFile[]> {
  const files = new Map<string, LinesFile>()
  const add = async (name: string, lines: readonly string[]): Promise<void> => {
    const file = files.get(name) ?? (await createLinesFile(folder, name))
    files.set(name, file)
    await file.add(lines)
  }
  for await (const part of partsOf(db, sliceOf(order), PART_ROWS)) {
    const byFile = new Map<string, string[]>()
    for (const line of await readTransfers(db, part)) {
      const wallet = walletIn(line.debit, line.credit)
      const name = wallet === undefined ? OTHER_MOVEMENTS : movementsFile(wallet)
      byFile.set(name, byFile.get(name) ?? [])
      byFile.get(name)?.push(JSON.stringify(line))
      for (const account of [line.debit, line.credit]) {
        counts.set(account, (counts.get(account) ?? 0) + 1)
      }
    }
    for (const [name, lines] of byFile) await add(name, lines)
    for (const companion of COMPANIONS) {
      await add(companionFile(companion), await readCompanions(db, companion, part))
    }
    order.progress(part.endAt)
  }
  const written: ArchivedFile[] = []
  for (const name of [...files.keys()].toSorted()) {
    const file = files.get(name)
    if (file !== undefined) written.push(await file.close())
  }
  await syncFolders(folder, written)
  return written
}

async function syncFolders(folder: string, files: readonly ArchivedFile[]): Promise<void> {
  const folders = new Set(files.map(({ name }) => dirname(join(folder, name))))
  for (const one of [...folders, folder]) await syncFolder(one)
}

async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const handle = await open(join(folder, MANIFEST_NAME), 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(folder)
  return createHash('sha256').update(text).digest('hex')
}
