import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip, createGzip } from 'node:zlib'
import type { ArchivedFile } from '../../domain/archive/manifest.ts'

/** Lines of JSON in a compressed file, and its checksum. */
export type LinesFile = {
  add(lines: readonly string[]): Promise<void>
  /** Everything is on the disk afterwards. */
  close(): Promise<ArchivedFile>
}

/** Numbers of customers are in these files, so nobody else on the machine may read them. */
const FOR_OWNER = 0o600
export const FOLDER_FOR_OWNER = 0o700

export async function createLinesFile(folder: string, name: string): Promise<LinesFile> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_FOR_OWNER })
  const handle = await open(path, 'wx', FOR_OWNER)
  const gzip = createGzip()
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  const stored = (async () => {
    for await (const piece of gzip as AsyncIterable<Buffer>) {
      hash.update(piece)
      bytes += piece.length
      await handle.appendFile(piece)
    }
  })()
  // The next write, or the end, reports it.
  stored.catch(() => {})
  return {
    add: async (lines) => {
      if (lines.length === 0) return
      rows += lines.length
      if (!gzip.write(`${lines.join('\n')}\n`)) await Promise.race([once(gzip, 'drain'), stored])
    },
    close: async () => {
      gzip.end()
      try {
        await stored
        await handle.sync()
      } finally {
        await handle.close()
      }
      return { name, rows, bytes, sha256: hash.digest('hex') }
    },
  }
}

/** What is wrong with a file, or nothing. It is read once, so that nothing of a damaged one is used. */
export async function faultOf(folder: string, file: ArchivedFile): Promise<string | undefined> {
  const path = join(folder, file.name)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return `${path} is missing.`
  if (found.size !== file.bytes) return `${path} has ${found.size} bytes instead of ${file.bytes}.`
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex') === file.sha256
    ? undefined
    : `${path} is damaged: its SHA-256 is not that of the manifest.`
}

/** The lines of a file, in order. */
export async function* linesIn(folder: string, { name }: ArchivedFile): AsyncGenerator<string> {
  const source = createReadStream(join(folder, name)).pipe(createGunzip())
  yield* createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })
}

/** The names in a folder are on the disk as well. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
