import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RequestFault } from '../../src/wire/fault.ts'
import { fromMetadata, readMetadata } from '../../src/wire/v2/metadata.ts'

type Entries = readonly Readonly<Record<string, unknown>>[]

/** Entries of a request, and what the record shows of them. */
const READ: readonly (readonly [what: string, Entries | undefined, object | undefined])[] = [
  ['nothing', undefined, undefined],
  ['an empty list', [], undefined],
  ['one entry', [{ orderId: 'A1' }], { orderId: 'A1' }],
  ['personal data', [{ mail: 'a@b.c', isPII: true }], { mail: 'a@b.c' }],
  ['a flag that is false', [{ mail: 'a@b.c', isPII: false }], { mail: 'a@b.c' }],
  ['the flag first', [{ isPII: true, mail: 'a@b.c' }], { mail: 'a@b.c' }],
  ['several', [{ a: '1' }, { b: '2' }], { a: '1', b: '2' }],
  ['names that differ in letter case', [{ a: '1' }, { A: '2' }], { a: '1', A: '2' }],
  ['a name of 64 characters', [{ [text(64)]: '1' }], { [text(64)]: '1' }],
  ['a name of 64 wide characters', [{ ['😀'.repeat(64)]: '1' }], { ['😀'.repeat(64)]: '1' }],
  ['a value of 512 characters', [{ a: text(512) }], { a: text(512) }],
  ['a value of 512 wide characters', [{ a: '😀'.repeat(512) }], { a: '😀'.repeat(512) }],
  ['names of other tongues', [{ 'n° de commande': 'été' }], { 'n° de commande': 'été' }],
]

describe('metadata of a request', () => {
  for (const [what, entries, record] of READ) {
    it(`with ${what} is shown as it was given`, () => {
      assert.deepEqual(fromMetadata(readMetadata(entries)), record)
    })
  }

  it('keeps what is personal data', () => {
    assert.deepEqual(
      readMetadata([{ a: '1' }, { b: '2', isPII: true }, { c: '3', isPII: false }]),
      [
        { name: 'a', value: '1', pii: false },
        { name: 'b', value: '2', pii: true },
        { name: 'c', value: '3', pii: false },
      ],
    )
  })

  it('may have names that every object has', () => {
    const entries = ['__proto__', 'constructor', 'toString'].map(
      (name) => JSON.parse(`{"${name}":"x"}`) as Record<string, unknown>,
    )
    assert.equal(
      JSON.stringify(fromMetadata(readMetadata(entries))),
      '{"__proto__":"x","constructor":"x","toString":"x"}',
    )
  })

  it('is shown as it was given, whatever the names', () => {
    const name = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }).filter(isShort)
    const pairs = fc.uniqueArray(fc.tuple(name, fc.string({ minLength: 1, maxLength: 100 })), {
      maxLength: 10,
      selector: ([one]) => one,
    })
    fc.assert(
      fc.property(pairs, (list) => {
        const entries = list.map(([one, value]) => Object.fromEntries([[one, value]]))
        const shown = fromMetadata(readMetadata(entries)) ?? {}
        assert.deepEqual(new Map(Object.entries(shown)), new Map(list))
      }),
    )
  })
})

/** Entries that are refused, with the code and what the message says. */
const REFUSED: readonly (readonly [what: string, Entries, code: string, says: RegExp])[] = [
  ['no name', [{}], 'INVALID_PARAMETER', /'metadata'.*exactly one name/],
  ['the flag alone', [{ isPII: true }], 'INVALID_PARAMETER', /'metadata'.*exactly one name/],
  ['two names', [{ a: '1', b: '2' }], 'INVALID_PARAMETER', /'metadata'.*exactly one name/],
  ['an empty name', [{ '': '1' }], 'INVALID_PARAMETER', /'metadata'.*1 to 64/],
  ['a name of 65', [{ [text(65)]: '1' }], 'INVALID_PARAMETER', /'metadata'.*1 to 64/],
  ['an empty value', [{ a: '' }], 'INVALID_PARAMETER', /'a'.*1 to 512/],
  ['a value of 513', [{ a: text(513) }], 'INVALID_PARAMETER', /'a'.*1 to 512/],
  ['a number', [{ a: 1 }], 'INVALID_PARAMETER', /'a'.*1 to 512/],
  ['a name twice', [{ a: '1' }, { a: '2' }], 'DUPLICATE_METADATA_FIELD', /'metadata'.*'a'/],
  ['a name and value twice', [{ a: '1' }, { a: '1' }], 'DUPLICATE_METADATA_FIELD', /'a'/],
]

describe('metadata is refused with', () => {
  for (const [what, entries, code, says] of REFUSED) {
    it(`${what}: ${code}`, () => {
      assert.throws(
        () => readMetadata(entries),
        (fault) => {
          assert.ok(fault instanceof RequestFault)
          assert.equal(fault.code, code)
          assert.match(fault.message, says)
          return true
        },
      )
    })
  }
})

function text(length: number): string {
  return 'x'.repeat(length)
}

function isShort(name: string): boolean {
  return [...name].length <= 64 && name !== 'isPII'
}
