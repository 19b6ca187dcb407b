// Compiles the sources when any of them is newer than the last build, so that a fresh checkout
// starts with one command and a built one starts at once.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.built')

function newestIn(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return newest
}

function isFresh() {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  const sources = ['src', 'test', 'bench'].map((name) => join(root, name)).filter(existsSync)
  return Math.max(...sources.map(newestIn), statSync(join(root, 'tsconfig.json')).mtimeMs) < built
}

/** An installed package carries its build and no sources; there is nothing to do then. */
export function buildIfNeeded() {
  if (!existsSync(join(root, 'src')) || isFresh()) return
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(tsc)) throw new Error('The compiler is missing. Run "npm ci" first.')
  console.error('Building…')
  const startedAt = new Date()
  const { status } = spawnSync(process.execPath, [tsc, '-p', root], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The build failed; the messages above say where.')
  // What was changed while the compiler ran is newer than the stamp, and built again next time.
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
}
