import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBulkFile } from '../../src/domain/bulk/bulk-file.ts'
import { BULK_MACHINE, BULK_STATES } from '../../src/domain/bulk/bulk-payout.ts'
import { readCsv } from '../../src/domain/csv-reader.ts'

describe('a table as text', () => {
  const cases: readonly (readonly [name: string, text: string, rows: unknown])[] = [
    [
      'lines of any ending',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    ['quotes', '"a ""b""","c\nd"\n', [['a "b"', 'c\nd']]],
    [
      'semicolons',
      'a;b\n"1;2";3',
      [
        ['a', 'b'],
        ['1;2', '3'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a byte-order mark', '\ufeffa\n1', [['a'], ['1']]],
    [
      'empty cells at the end',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['blank lines keep their place', 'a\n\n,\n1', [['a'], [], [], ['1']]],
    ['text after a quote', '"a"b,c', 'QUOTES'],
    ['an open quote', '"a', 'QUOTES'],
    ['a zero byte', 'a\u0000', 'NOT_TEXT'],
  ]
  for (const [name, text, rows] of cases) {
    it(name, () => assert.deepEqual(readCsv(text), rows))
  }
})

it('columns come in any order and letter case, and rows are counted as spreadsheets do', () => {
  const text = 'metadata.order,PHONENUMBER,Amount,currency,,\nA,1,2,ZMW,,\n\n,3,4,ZMW,,'
  assert.deepEqual(readBulkFile(text), [
    {
      number: 2,
      cells: { phoneNumber: '1', amount: '2', currency: 'ZMW' },
      metadata: [{ name: 'order', value: 'A' }],
    },
    { number: 4, cells: { phoneNumber: '3', amount: '4', currency: 'ZMW' }, metadata: [] },
  ])
})

it('money leaves only by way of an approval', () => {
  const before = (state: string): string[] =>
    BULK_STATES.filter((one) => Object.values(BULK_MACHINE[one]).includes(state as never))
  assert.deepEqual(before('SENDING'), ['APPROVED'])
  assert.deepEqual(before('APPROVED'), ['NEEDS_APPROVAL'])
  assert.deepEqual(before('NEEDS_APPROVAL'), ['DRAFT'])
})
