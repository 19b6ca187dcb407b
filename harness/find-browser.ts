import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first one is headless, and takes half the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const ON_MACOS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of MALIPO_CHROMIUM, or else one of this machine; undefined if there is none. */
export function findBrowser(): string | undefined {
  const named = process.env.MALIPO_CHROMIUM
  if (named !== undefined) return existsSync(named) ? named : undefined
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...places, ...ON_MACOS].find((path) => existsSync(path))
}

/** What to do if there is none. */
export function browserAdvice(): string {
  const named = process.env.MALIPO_CHROMIUM
  const where = named === undefined ? 'on this machine' : `at ${named} (MALIPO_CHROMIUM)`
  const command =
    process.platform === 'darwin'
      ? 'brew install --cask chromium'
      : 'sudo apt-get install --no-install-recommends chromium-headless-shell'
  return `There is no Chromium ${where}: run "${command}", or set MALIPO_CHROMIUM to the path of one.`
}
