import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_NAME, type Manifest, readManifest } from '../../domain/archive/manifest.ts'
import { faultOf } from './lines-file.ts'

/** A year that is in order on the disk, or a sentence about what is wrong with it. */
type FoundYear =
  | { readonly folder: string; readonly manifest: Manifest; readonly hash: string }
  | { readonly problem: string }

/** One folder for each merchant and year. */
export const folderOf = (root: string, slug: string, year: number): string =>
  join(root, slug, String(year))

/** The manifest of a year. `hash` is what the database has of it, where rows were removed. */
export async function openYear(folder: string, hash?: string): Promise<FoundYear> {
  const path = join(folder, MANIFEST_NAME)
  const text = await readFile(path).catch(() => undefined)
  if (text === undefined) return { problem: `${path} is missing.` }
  const own = createHash('sha256').update(text).digest('hex')
  if (hash !== undefined && own !== hash) {
    return { problem: `${path} is not the manifest with which the year was archived.` }
  }
  const manifest = readManifest(text.toString('utf8'))
  return 'problem' in manifest
    ? { problem: `${path} ${manifest.problem}.` }
    : { folder, manifest, hash: own }
}

/** The same, with every file compared with its checksum. */
export async function openWholeYear(folder: string, hash?: string): Promise<FoundYear> {
  const found = await openYear(folder, hash)
  if ('problem' in found) return found
  for (const file of found.manifest.files) {
    const problem = await faultOf(folder, file)
    if (problem !== undefined) return { problem }
  }
  return found
}
