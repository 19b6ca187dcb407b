import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CpuProfile, ProfileNode } from './profile-areas.ts'

/** The program is a few joined files; each module in them begins with a line that names it. */
const PROGRAM = '/dist/program/'
const MODULE = /^\/\/ ([\w./-]+\.js)$/

type Module = { readonly line: number; readonly path: string }

/** The same profile, in which each frame names the module that it was compiled from. */
export function byModule(profile: CpuProfile): CpuProfile {
  const modulesOf = new Map<string, readonly Module[]>()
  const named = (node: ProfileNode): ProfileNode => {
    const { url, lineNumber = 0 } = node.callFrame
    if (!url.includes(PROGRAM)) return node
    const modules = modulesOf.get(url) ?? modulesIn(readFileSync(fileURLToPath(url), 'utf8'))
    modulesOf.set(url, modules)
    const module = modules.findLast(({ line }) => line <= lineNumber)
    if (module === undefined) return node
    const [root = ''] = url.split(PROGRAM, 1)
    return { ...node, callFrame: { ...node.callFrame, url: `${root}/dist/src/${module.path}` } }
  }
  return { ...profile, nodes: profile.nodes.map(named) }
}

const modulesIn = (text: string): readonly Module[] =>
  text.split('\n').flatMap((content, line) => {
    const path = MODULE.exec(content)?.[1]
    return path === undefined ? [] : [{ line, path }]
  })
