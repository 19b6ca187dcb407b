import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json; the build lies two levels below it. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'migrations')
export const ASSETS_FOLDER = join(PACKAGE_ROOT, 'dist', 'program', 'assets')
export const CATALOG_FILE = join(PACKAGE_ROOT, 'catalog', 'providers.json')
export const COMMON_PASSWORDS_FILE = join(PACKAGE_ROOT, 'catalog', 'common-passwords.txt')
export const VERSION = (
  JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }
).version
