// Compiles the sources when any of them is newer than the last build, so that a fresh checkout
// starts with one command and a built one starts at once.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.built')
const lock = join(root, 'dist', '.building')

const PROGRAM = ['src']
const ALL = [...PROGRAM, 'harness', 'test', 'bench', 'proof']

/** By hand, because every start of the program looks: a recursive `readdirSync` takes four times as long. */
function newestIn(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isFile()) newest = Math.max(newest, statSync(path).mtimeMs)
    else if (entry.isDirectory() && entry.name !== 'node_modules') {
      newest = Math.max(newest, newestIn(path))
    }
  }
  return newest
}

function isFresh(folders) {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  const sources = folders.map((name) => join(root, name)).filter(existsSync)
  return Math.max(...sources.map(newestIn), statSync(join(root, 'tsconfig.json')).mtimeMs) < built
}

/** An installed package carries its build and no sources; there is nothing to do then. */
export function buildIfNeeded(folders = ALL) {
  if (!existsSync(join(root, 'src')) || isFresh(folders)) return
  if (!takeLock()) return buildIfNeeded(folders)
  buildLocked()
}

/** Whatever else has changed, the program is that of its own sources. */
export const buildProgramIfNeeded = () => buildIfNeeded(PROGRAM)

function buildLocked() {
  try {
    build()
  } finally {
    rmdirSync(lock)
  }
}

function build() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(tsc)) throw new Error('The compiler is missing. Run "npm ci" first.')
  console.error('Building…')
  const startedAt = new Date()
  const { status } = spawnSync(process.execPath, [tsc, '-p', root], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The build failed; the messages above say where.')
  joinModules()
  buildCommonJs()
  // Files changed while the compiler ran are newer than the stamp, and are built next time.
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
}

/**
 * The program as a few files: Node takes a second to load nine hundred modules, and a quarter of that
 * to load these. Threads begin in files of their own. Packages stay packages, so that they can be
 * updated without us, and stand-ins stay modules, because they are not installed.
 */
function joinModules() {
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const program = join(root, 'dist', 'program')
  rmSync(program, { recursive: true, force: true })
  buildSync({
    absWorkingDir: join(root, 'dist', 'src'),
    entryPoints: ['cli/main.js', 'callbacks/dispatch-thread.js', 'workers/pulse-thread.js'],
    entryNames: '[name]',
    outdir: program,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    external: [join(root, 'dist', 'src', 'providers', 'stand-in', 'stand-ins.js')],
    logLevel: 'warning',
  })
  cpSync(join(root, 'src', 'web', 'assets'), join(program, 'assets'), { recursive: true })
}

/**
 * `malipo/client` and `malipo/receiver` for programs and test runners that know no ES modules. In a
 * folder that says so, the same declarations describe CommonJS.
 */
function buildCommonJs() {
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const [modules, folder] = ['src', 'commonjs'].map((name) => join(root, 'dist', name))
  rmSync(folder, { recursive: true, force: true })
  buildSync({
    absWorkingDir: modules,
    entryPoints: ['sdk/client/client.js', 'sdk/receiver.js'],
    outbase: modules,
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
  for (const name of ['sdk', 'signing']) {
    cpSync(join(modules, name), join(folder, name), { recursive: true, filter: isDeclaration })
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
}

/** The test kit has its own. */
const isDeclaration = (path) =>
  !basename(path).startsWith('testing') && (path.endsWith('.d.ts') || statSync(path).isDirectory())

/** False after another process that was building has ended, or has died a while ago. */
function takeLock() {
  const deadline = Date.now() + 60_000
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    if (!existsSync(lock)) return false
    if (Date.now() > deadline) {
      rmdirSync(lock)
      return false
    }
  }
}

// As a command it builds in any case: a file that was deleted leaves nothing newer behind.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  while (!takeLock());
  buildLocked()
}
