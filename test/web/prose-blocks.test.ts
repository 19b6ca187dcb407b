import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseProse, plainText } from '../../src/web/reference/prose-blocks.ts'

const TEXTS = [
  ['one\nline\n\ntwo', ['paragraph', 'paragraph']],
  ['## Title\ntext', ['heading', 'paragraph']],
  ['text:\n- a\n- b', ['paragraph', 'list']],
  ['1. a\n2. b\n   more\n\nend', ['list', 'paragraph']],
  ['| a | b |\n|---|---|\n| 1 | 2 |', ['table']],
  ['```\n# no title\n\n- no list\n```\nend', ['code', 'paragraph']],
  ['```\nnever closed', ['code']],
  ['1. a\n2. b\n   - c\n\n   ```sh\n   d\n   ```\n\nend', ['list', 'paragraph']],
  ['![A phone](images/phone.png)', ['picture']],
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
    {
      kind: 'list',
      isOrdered: true,
      items: [[{ kind: 'paragraph', text: 'a' }], [{ kind: 'paragraph', text: 'b more' }]],
    },
  ])
})

it('an escaped bar stays inside its cell', () => {
  assert.deepEqual(parseProse('| a | b |\n|---|---|\n| x\\|y | z |'), [
    { kind: 'table', head: ['a', 'b'], rows: [['x|y', 'z']] },
  ])
})

it('a list item holds what is indented below it', () => {
  const [list] = parseProse('1. a\n\n   ```sh\n   b\n     c\n   ```\n2. d\n   - e\n   - f')
  assert.ok(list?.kind === 'list')
  assert.deepEqual(list.items, [
    [
      { kind: 'paragraph', text: 'a' },
      { kind: 'code', text: 'b\n  c' },
    ],
    [
      { kind: 'paragraph', text: 'd' },
      {
        kind: 'list',
        isOrdered: false,
        items: [[{ kind: 'paragraph', text: 'e' }], [{ kind: 'paragraph', text: 'f' }]],
      },
    ],
  ])
})

it('plain text has no marks, and keeps underscores inside names', () => {
  const [block] = parseProse('See [`A_CODE`](x.md), **now** and _soon_.')
  assert.ok(block !== undefined)
  assert.equal(plainText(block), 'See A_CODE, now and soon.')
})
