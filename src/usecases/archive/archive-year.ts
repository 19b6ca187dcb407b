import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Manifest } from '../../domain/archive/manifest.ts'
import { archivableAt } from '../../domain/archive/years.ts'
import { findObstacles, hasEarlier, type Obstacles } from '../../store/archive/obstacles.ts'
import { beginRemoval, removedSums, removePart, takeTurn } from '../../store/archive/removal.ts'
import { findDatabaseId, findYear } from '../../store/archive/years.ts'
import type { Database } from '../../store/engine/database.ts'
import { faultInDatabase, faultInFiles, faultInRemoved } from './compare-year.ts'
import { syncFolder } from './lines-file.ts'
import { PART_ROWS, sliceOf, type WrittenYear, writeYear, type YearOrder } from './write-year.ts'
import { folderOf, openWholeYear, openYear } from './year-folder.ts'

type ArchiveOrder = YearOrder & {
  readonly root: string
  readonly removes: boolean
  /** Names the folder in which files are written first; two who do that must not share it. */
  readonly run: string
}

export type ArchivedOne =
  | { readonly result: 'NOTHING' }
  | { readonly result: 'TOO_EARLY'; readonly from: number }
  | { readonly result: 'NOT_OVER'; readonly obstacles: Obstacles }
  | { readonly result: 'EARLIER_FIRST' }
  | { readonly result: 'PROBLEM'; readonly problem: string }
  | {
      readonly result: 'WRITTEN' | 'REMOVED'
      readonly folder: string
      readonly manifest: Manifest
    }

/** Writes a merchant's year to files and checks them; removes the rows if that is asked for. */
export async function archiveYear(database: Database, order: ArchiveOrder): Promise<ArchivedOne> {
  const { merchant, year, now, root, removes } = order
  if (now < archivableAt(year)) return { result: 'TOO_EARLY', from: archivableAt(year) }
  const folder = folderOf(root, merchant.slug, year)
  const begun = await findYear(database, merchant.id, year)
  // Rows are missing already: only the files that have them can be gone on with.
  if (begun !== undefined) {
    const found = await openWholeYear(folder, begun.manifestHash)
    if ('problem' in found) return { result: 'PROBLEM', ...found }
    if (begun.isEnded) return { result: 'REMOVED', folder, manifest: found.manifest }
    if (!removes) return { result: 'PROBLEM', problem: HALF_REMOVED }
    return remove(database, order, folder, found.manifest)
  }
  const obstacles = await findObstacles(database, merchant.id, year)
  if (Object.values(obstacles).some((count) => count > 0)) return { result: 'NOT_OVER', obstacles }
  if (removes && (await hasEarlier(database, merchant.id, year))) return { result: 'EARLIER_FIRST' }
  const written = await writtenYear(database, order, folder)
  if ('result' in written) return written
  const { manifest } = written
  return removes
    ? remove(database, order, folder, manifest)
    : { result: 'WRITTEN', folder, manifest }
}

const HALF_REMOVED =
  'Rows of this year have been removed in part. Go on with --remove and the same folder.'

/** Files that were written before and are still right stay as they are: copies of them exist. */
async function writtenYear(
  database: Database,
  order: ArchiveOrder,
  folder: string,
): Promise<WrittenYear | ArchivedOne> {
  const before = existsSync(folder) ? await openYear(folder) : undefined
  if (before !== undefined) {
    const isOwn =
      'manifest' in before &&
      before.manifest.database === (await findDatabaseId(database)) &&
      before.manifest.merchant.id === order.merchant.id &&
      before.manifest.year === order.year
    if (!isOwn) return { result: 'PROBLEM', problem: `${folder} ${NOT_OURS}` }
    const problem =
      (await faultOnDisk(folder, before)) ??
      (await faultInDatabase(database, sliceOf(order), before.manifest, PART_ROWS))
    if (problem === undefined) {
      const placed = await putInPlace(database, order, before, { folder })
      return placed === undefined ? before : { result: 'PROBLEM', problem: placed }
    }
  }
  return writeAndCheck(database, order, `${folder}.partial-${order.run}`, folder)
}

const NOT_OURS =
  'holds something else than an archive of this year from this database. Move it away, or name ' +
  'another folder.'

/** A folder takes its place when its files were read back and equal the database. */
async function writeAndCheck(
  database: Database,
  order: ArchiveOrder,
  partial: string,
  folder: string,
): Promise<WrittenYear | ArchivedOne> {
  try {
    const written = await writeYear(database, order, partial)
    if (written.manifest.files.every(({ rows }) => rows === 0)) return { result: 'NOTHING' }
    const problem =
      (await faultOnDisk(partial, written)) ??
      (await faultInDatabase(database, sliceOf(order), written.manifest, PART_ROWS)) ??
      (await putInPlace(database, order, written, { partial, folder }))
    return problem === undefined ? written : { result: 'PROBLEM', problem }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function faultOnDisk(
  folder: string,
  { hash, manifest }: WrittenYear,
): Promise<string | undefined> {
  const found = await openWholeYear(folder, hash)
  return 'problem' in found ? found.problem : faultInFiles(folder, manifest)
}

/**
 * Files that rows were removed for are never replaced: a later run finds that out under the
 * same lock under which the removal begins.
 */
async function putInPlace(
  database: Database,
  { merchant, year, now, removes }: ArchiveOrder,
  { hash }: WrittenYear,
  { partial, folder }: { readonly partial?: string; readonly folder: string },
): Promise<string | undefined> {
  const name = { merchantId: merchant.id, year }
  return database.inTransaction(async (tx) => {
    await takeTurn(tx, name)
    if ((await findYear(tx, merchant.id, year)) !== undefined) return SOMEBODY_ELSE
    if (partial === undefined) {
      if ('problem' in (await openYear(folder, hash))) return SOMEBODY_ELSE
    } else {
      await rm(folder, { recursive: true, force: true })
      await rename(partial, folder)
      await syncFolder(dirname(folder))
    }
    if (removes) await beginRemoval(tx, name, hash, now)
    return undefined
  })
}

const SOMEBODY_ELSE =
  'Somebody else archived this year meanwhile. Run the command again with the folder of theirs.'

async function remove(
  database: Database,
  order: ArchiveOrder,
  folder: string,
  manifest: Manifest,
): Promise<ArchivedOne> {
  const { merchant, year, now } = order
  const name = { merchantId: merchant.id, year }
  for (let isEnded = false; !isEnded; ) {
    const part = await removePart(database, name, PART_ROWS, now)
    if (part.isHeldUp) return { result: 'PROBLEM', problem: HELD_UP }
    order.progress(part.removedBefore)
    isEnded = part.isEnded
  }
  const found = await findYear(database, merchant.id, year)
  const { events = 0, callbacks = 0, attempts = 0, exchanges = 0 } = found ?? {}
  const counts = { events, callbacks, attempts, exchanges }
  const problem = faultInRemoved(await removedSums(database, name), counts, manifest)
  return problem === undefined
    ? { result: 'REMOVED', folder, manifest }
    : { result: 'PROBLEM', problem }
}

const HELD_UP =
  'A callback of this year waits to be sent. Wait until it is delivered or given up, and run the ' +
  'command again.'
