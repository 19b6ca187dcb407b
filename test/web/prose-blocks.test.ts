import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseProse } from '../../src/web/reference/prose-blocks.ts'

const TEXTS = [
  ['one\nline\n\ntwo', ['paragraph', 'paragraph']],
  ['## Title\ntext', ['heading', 'paragraph']],
  ['text:\n- a\n- b', ['paragraph', 'list']],
  ['1. a\n2. b\n   more\n\nend', ['list', 'paragraph']],
  ['| a | b |\n|---|---|\n| 1 | 2 |', ['table']],
  ['```\n# no title\n\n- no list\n```\nend', ['code', 'paragraph']],
  ['```\nnever closed', ['code']],
  ['', []],
] as const

for (const [text, kinds] of TEXTS) {
  it(`${JSON.stringify(text)} has the blocks ${kinds.join(', ')}`, () => {
    assert.deepEqual(
      parseProse(text).map((block) => block.kind),
      kinds,
    )
  })
}

it('lines that go on stay with their list item', () => {
  assert.deepEqual(parseProse('1. a\n2. b\n   more'), [
    { kind: 'list', isOrdered: true, items: ['a', 'b more'] },
  ])
})

it('an escaped bar stays inside its cell', () => {
  assert.deepEqual(parseProse('| a | b |\n|---|---|\n| x\\|y | z |'), [
    { kind: 'table', head: ['a', 'b'], rows: [['x|y', 'z']] },
  ])
})
