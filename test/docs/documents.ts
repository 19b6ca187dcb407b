import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../node/program.ts'

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The cells of every table row whose first cell is code. */
export const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )

export const plain = (cell = ''): string => cell.replaceAll('`', '')

/** The part of a document under one heading. */
export const chapter = (text: string, heading: string): string => {
  const start = text.indexOf(`\n## ${heading}\n`)
  assert.ok(start >= 0, heading)
  const rest = text.slice(start + heading.length + 5)
  const end = rest.indexOf('\n## ')
  return end < 0 ? rest : rest.slice(0, end)
}

/** The fenced blocks of one language. */
export const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  )

/** A document without its fenced blocks, in which nothing is a link or a heading. */
export const prose = (file: string): string => read(file).replaceAll(/^```.*?^```$/gms, '')

type Link = { readonly from: string; readonly path: string; readonly anchor: string }

/** Its relative links, as paths from the root of the repository. */
export const linksOf = (from: string): readonly Link[] =>
  [...prose(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      return { from, path: path === '' ? from : join(dirname(from), path), anchor }
    })

/** Every Markdown file of the repository, as a path from its root. */
export function documents(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (SKIPPED.test(path)) return []
    if (entry.isDirectory()) return documents(path)
    return path.endsWith('.md') ? [path] : []
  })
}

const SKIPPED = /(^|\/)node_modules(\/|$)|^(dist|data|\.git)(\/|$)/
