/**
 * A data folder with the schema and the demo merchant in it, kept between runs: making one takes
 * longer than all the rest of a start. Whatever it depends on is in its name, so that another
 * version of the program finds none and makes its own.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { CATALOG_FILE, MIGRATIONS_FOLDER, PACKAGE_ROOT, VERSION } from '../../package-root.ts'
import { findBinaries } from '../../store/embedded/binaries.ts'
import { dropModels } from '../../store/embedded/trim.ts'
import type { Log } from '../../usecases/context.ts'
import type { Config } from '../config.ts'
import { connect, type ServerChoice } from '../connect.ts'

/** Old versions and other secrets leave theirs behind; each has about 40 MB. */
const KEPT = 4
const NAME = /^sandbox-[0-9a-f]{24}$/
const DRAFT = 'draft-'

/** Linux and others; macOS has a place of its own. */
export function cacheFolder(cacheHome: string | undefined): string {
  const home = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
  return join(cacheHome?.startsWith('/') === true ? cacheHome : join(homedir(), home), 'malipo')
}

/** False where there is none yet. */
export async function copyTemplate(cache: string, name: string, data: string): Promise<boolean> {
  const template = join(cache, name)
  try {
    await stat(template)
    await copy(template, data)
    const now = new Date()
    await utimes(template, now, now).catch(() => undefined)
    return true
  } catch {
    // Nobody minds why: without a template the folder is made from scratch.
    await rm(data, { recursive: true, force: true })
    return false
  }
}

/** Fills the data folder of `config`, and keeps a copy where that is possible. */
export async function makeTemplate(
  config: Config,
  server: ServerChoice,
  log: Log,
  keep: { readonly cache: string; readonly name: string; readonly data: string },
): Promise<void> {
  const connection = await connect(config, 'own', log, server)
  try {
    const { prepareDatabase } = await import('../boot.ts')
    await prepareDatabase(config, connection.database, log)
    await dropModels(connection.database)
  } finally {
    await connection.close()
  }
  await store(keep).catch((error: Error) => {
    log.info({ reason: error.message }, 'the prepared database cannot be kept for the next start')
  })
}

/** Written beside its place and moved there whole; if another start was faster, its copy stays. */
async function store({ cache, name, data }: { cache: string; name: string; data: string }) {
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(join(cache, DRAFT))
  try {
    await copy(data, join(draft, 'postgres'))
    await rename(join(draft, 'postgres'), join(cache, name))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await removeOld(cache)
}

async function removeOld(cache: string): Promise<void> {
  const found = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name)
      return { name, path, usedAt: (await stat(path)).mtimeMs }
    }),
  )
  const templates = found.filter(({ name }) => NAME.test(name))
  const unused = templates.toSorted((one, other) => other.usedAt - one.usedAt).slice(KEPT)
  const drafts = found.filter(
    ({ name, usedAt }) => name.startsWith(DRAFT) && usedAt < Date.now() - UPKEEP.throwAwayDraftMs,
  )
  for (const { path } of [...unused, ...drafts]) await rm(path, { recursive: true, force: true })
}

/** `cp` shares blocks where the file system can, and keeps the owner. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

export async function templateName(config: Config): Promise<string> {
  const hash = createHash('sha256')
  const files = (await readdir(MIGRATIONS_FOLDER)).toSorted()
  const parts = [
    VERSION,
    `${process.platform} ${process.arch} ${process.getuid?.() ?? ''}`,
    config.secretKey,
    (await findBinaries()).postgres,
    ...files,
    ...(await Promise.all(files.map((name) => readFile(join(MIGRATIONS_FOLDER, name))))),
    await readFile(CATALOG_FILE),
    await builtAt(),
  ]
  for (const part of parts) hash.update(part).update('\0')
  return `sandbox-${hash.digest('hex').slice(0, 24)}`
}

/** In a checkout the code that fills the database changes without a new version. */
async function builtAt(): Promise<string> {
  const built = await stat(join(PACKAGE_ROOT, 'dist', '.built')).catch(() => undefined)
  return String(built?.mtimeMs ?? '')
}
