import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { ROOT } from '../node/program.ts'
import { documents, linksOf, prose, read } from './documents.ts'

const FILES = documents()

/** The anchor that a renderer gives a heading: what GitHub does, for the characters in use here. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(file: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, heading = ''] of prose(file).matchAll(/^#+ (.+)$/gm)) {
    const name = anchorOf(heading.trim())
    let unique = name
    for (let nth = 1; found.has(unique); nth += 1) unique = `${name}-${nth}`
    found.add(unique)
  }
  return found
}

it('every relative link in a document resolves', () => {
  const links = FILES.flatMap(linksOf)
  assert.ok(FILES.length > 15 && links.length > 100)
  const broken = links
    .filter(({ path }) => !existsSync(join(ROOT, path)))
    .map(({ from, path }) => `${from}: ${path}`)
  assert.deepEqual(broken, [])
})

it('every anchor that a link names is a heading of its document', () => {
  const anchors = new Map(FILES.map((file) => [file, anchorsOf(file)]))
  const named = FILES.flatMap(linksOf).filter(({ anchor }) => anchor !== '')
  assert.ok(named.length > 5)
  const broken = named
    .filter(({ path, anchor }) => anchors.get(path)?.has(anchor) !== true)
    .map(({ from, path, anchor }) => `${from}: ${path}#${anchor}`)
  assert.deepEqual(broken, [])
})

it('every source file that a document names exists', () => {
  const missing = FILES.flatMap((file) =>
    [...read(file).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|sql|json))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !/NNNN/.test(path))
      .filter((path) => !['', 'src'].some((base) => existsSync(join(ROOT, base, path))))
      .map((path) => `${file}: ${path}`),
  )
  assert.deepEqual(missing, [])
})
