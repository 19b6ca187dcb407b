import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { ROOT } from '../node/program.ts'

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

type Control = { readonly name: string; readonly text: string; readonly tests: string }

/** A section for each risk, an item for each requirement; both end with their tests. */
const controls: readonly Control[] = [
  ...text.matchAll(/^### (API\d+) .*?\n\n(.*?)\n\nTests:(.*?)\n\n/gms),
  ...text.matchAll(/^- \*\*(\d+\.\d+\.\d+)(?:, [\d.]+)*\*\* (.*?)Tests:(.*?)(?=\n- |\n\n)/gms),
].map(([, name = '', words = '', tests = '']) => ({ name, text: words, tests }))

it('every control names tests that exist', () => {
  assert.ok(controls.length > 40)
  for (const { name, text: words, tests } of controls) {
    const files = [...tests.matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file)
    assert.ok(words.trim().length > 10, name)
    // A proof may say more; one test at least runs before every change.
    assert.ok(
      files.some((file) => file.endsWith('.test.ts')),
      name,
    )
    assert.doesNotMatch(words, /^- \*\*/m, `${name} has no tests of its own`)
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${name}: ${file}`)
  }
})

it('the ten risks are there, each once and in order', () => {
  const risks = controls.map(({ name }) => name).filter((name) => name.startsWith('API'))
  assert.deepEqual(
    risks,
    Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
  )
})

it('every attack on the dashboard names tests that exist', () => {
  const rows = text.split('| Tests in `test` ')[1]?.split('\n\n')[0]?.split('\n').slice(2)
  assert.ok(rows && rows.length >= 10)
  for (const row of rows) {
    const files = [...(row.split('|')[3] ?? '').matchAll(/`([\w/-]+)`/g)].map(([, file]) => file)
    assert.ok(files.length > 0, row)
    for (const file of files) {
      assert.ok(existsSync(join(ROOT, `test/${file}.test.ts`)), row)
    }
  }
})
