import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OPERATOR_KINDS } from '../../src/providers/kinds.ts'
import { FAULTS } from '../../src/providers/stand-in/faults.ts'
import { STAND_INS } from '../../src/providers/stand-in/stand-ins.ts'
import { chapter, plain, read, rowsOf } from './documents.ts'

const text = chapter(read('docs/operators.md'), 'Connectors')

const wordsOf = (needed: boolean | readonly string[]): string => {
  if (typeof needed === 'boolean') return needed ? 'always' : 'no'
  return needed.join(', ')
}

it('every connector has a stand-in and a section', () => {
  const names = OPERATOR_KINDS.map(({ name }) => name)
  assert.deepEqual(STAND_INS.map(({ name }) => name).toSorted(), names.toSorted())
  const headings = [...text.matchAll(/^### `(.*)`$/gm)].map(([, name]) => name)
  assert.deepEqual(headings, names)
})

it('every fault of a stand-in is listed', () => {
  const rows = rowsOf(chapter(read('docs/operators.md'), 'Without an operator'))
  assert.deepEqual(
    rows.map(([fault]) => plain(fault)),
    Object.keys(FAULTS),
  )
})

it('every connector has a recorded run', () => {
  for (const { name } of OPERATOR_KINDS) {
    assert.match(read(`docs/operator-runs/${name}.md`), /^## A deposit that succeeds$/m)
  }
})

for (const { name, form } of OPERATOR_KINDS) {
  it(`the section of ${name} lists its settings and secrets, and when each is needed`, () => {
    const part = text.split(`### \`${name}\`\n`)[1]?.split('\n### ')[0] ?? ''
    const fields = [
      ...Object.entries(form.settings).map(([field, one]) => [`settings.${field}`, one] as const),
      ...Object.entries(form.secrets).map(([field, one]) => [`secrets.${field}`, one] as const),
    ]
    assert.deepEqual(
      rowsOf(part).map(([member, needed]) => [plain(member), needed]),
      fields.map(([field, { needed }]) => [field, wordsOf(needed)]),
    )
  })
}
