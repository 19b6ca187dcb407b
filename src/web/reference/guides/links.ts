import { posix } from 'node:path'
import { DOCS } from '../anchors.ts'
import type { ResolveLink } from '../prose.tsx'

export const PICTURES_PATH = `${DOCS}/pictures`

/**
 * Links between documents are written as paths of files. What is outside the folder of guides, such
 * as source code, is not served: its name stays as text.
 */
export function linksFrom(
  file: string,
  paths: ReadonlySet<string>,
  pictures: ReadonlySet<string>,
): ResolveLink {
  return (target) => {
    if (target.startsWith('#') || /^[a-z]+:/.test(target)) return target
    const [written = '', anchor] = target.split('#')
    const name = posix.join(posix.dirname(file), written)
    if (pictures.has(name)) return `${PICTURES_PATH}/${name}`
    const path = name === 'README.md' ? DOCS : guidePath(name)
    if (path !== DOCS && !paths.has(path)) return undefined
    return anchor === undefined ? path : `${path}#${anchor}`
  }
}

/** The page of a file, or of a folder. */
export const guidePath = (name: string): string =>
  `${DOCS}/guides/${name
    .replace(/\/$/, '')
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')}`
