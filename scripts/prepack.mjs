// Before `npm pack`: builds the package from nothing, also in a clone in which nothing was installed
// yet. Files of an earlier build whose sources are gone must not get into it.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!existsSync(join(root, 'node_modules', 'typescript'))) run('npm', ['ci'])
for (const name of ['src', 'program', 'commonjs', '.built', '.tsbuildinfo']) {
  rmSync(join(root, 'dist', name), { recursive: true, force: true })
}
run(process.execPath, [join(root, 'scripts', 'build.mjs')])

/** What npm prints goes to standard error: standard output has the name of the package. */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
}
