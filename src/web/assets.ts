import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASSETS_FOLDER } from '../package-root.ts'

/**
 * Style sheets or scripts of the pages, joined; called while modules load, so that files are read
 * once and a missing one stops the start.
 */
export const assets = (...names: readonly string[]): string => names.map(readAsset).join('')

/** Comments and indentation are left out: each page carries its sheet, and mobile data costs. */
const readAsset = (name: string): string =>
  readFileSync(join(ASSETS_FOLDER, name), 'utf8')
    .replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)\n/gm, '')
    .replaceAll(/^[ \t]+/gm, '')
