import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const read = (folder: string): readonly { name: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))

const sources = read('src')
const readers = [...sources, ...['test', 'harness', 'proof', 'bench'].flatMap(read)]

const IMPORTED = /^import\s+(?:type\s+)?\{([^}]*)\}\s+from/gm
const LOADED = /\{([^{}]*)\}\s*=\s*await import\(/g
const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm

/** Types are exempt: one that stands in the signature of a function that is exported belongs to it. */
it('what a file exports is imported by another one', () => {
  const lists = readers.flatMap(({ text }) =>
    [IMPORTED, LOADED].flatMap((form) => [...text.matchAll(form)].map(([, list = '']) => list)),
  )
  const imported = new Set(
    lists.flatMap((list) =>
      list.split(',').map(
        (one) =>
          one
            .trim()
            .replace(/^type /, '')
            .split(' ')[0] ?? '',
      ),
    ),
  )
  const unused = sources
    // What other programs import.
    .filter(({ name }) => !name.startsWith(join('src', 'sdk')))
    .flatMap(({ name, text }) =>
      [...text.matchAll(EXPORTED)]
        .map(([, exported = '']) => exported)
        .filter((exported) => !imported.has(exported))
        .map((exported) => `${name}: ${exported}`),
    )
  assert.deepEqual(unused, [])
})
