import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { ROOT } from '../node/program.ts'

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

/** The rows of the tables whose last column names tests. */
const rows = text
  .split('\n')
  .filter((line) => /^\| (API\d+ |\d+\.\d+\.\d+)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

it('every control names tests that exist', () => {
  assert.ok(rows.length > 40)
  for (const [name = '', control = '', shown = ''] of rows) {
    const files = [...shown.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file)
    assert.ok(control.length > 10 && files.length > 0, name)
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${name}: ${file}`)
  }
})

it('the ten risks are there, each once and in order', () => {
  const risks = rows.flatMap(([name = '']) => /^API\d+/.exec(name)?.[0] ?? [])
  assert.deepEqual(
    risks,
    Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
  )
})
