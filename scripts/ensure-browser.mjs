// Finds the Chromium for the browser tests, and installs Debian's package where there is none and
// this user may. Needs the build.
import { spawnSync } from 'node:child_process'

const PACKAGE = 'chromium-headless-shell'

export async function ensureBrowser() {
  const { browserAdvice, findBrowser } = await import('../dist/harness/find-browser.js')
  if (findBrowser() !== undefined) return
  if (process.env.MALIPO_CHROMIUM === undefined && mayInstall()) install()
  if (findBrowser() !== undefined) return
  console.error(browserAdvice())
  process.exit(1)
}

function mayInstall() {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
}

function install() {
  console.log(`Installing ${PACKAGE} for the browser tests…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', PACKAGE]]) {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    // An update fails if one of several sources is down; the package may come from another.
    if (status !== 0) console.error(stderr.trim())
  }
}
