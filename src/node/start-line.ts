import { join, resolve } from 'node:path'
import { PACKAGE_ROOT } from '../package-root.ts'

/**
 * What a person in this folder types to start a node. The short form is for a checkout: where the
 * package is installed, "npm start" is a script of the program around it.
 */
export function startLine(folder = process.cwd()): string {
  if (resolve(folder) === resolve(PACKAGE_ROOT)) return 'npm start'
  const program = join(PACKAGE_ROOT, 'bin', 'malipo.mjs')
  return `node ${/[^\w./-]/.test(program) ? `'${program}'` : program} start`
}
