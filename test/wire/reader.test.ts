import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestFault } from '../../src/wire/fault.ts'
import { createReader } from '../../src/wire/reader.ts'
import { Type } from '../../src/wire/schema.ts'

const read = createReader(
  Type.Object(
    {
      id: Type.String({ minLength: 3, maxLength: 3 }),
      code: Type.String({ pattern: '^[A-Z]+$', description: 'capital letters' }),
      note: Type.Optional(Type.String({ minLength: 2, maxLength: 4 })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      rate: Type.Optional(Type.Number()),
      flag: Type.Optional(Type.Boolean()),
      choice: Type.Optional(Type.Enum(['A', 'B'])),
      inner: Type.Optional(
        Type.Object(
          { kind: Type.Literal('X'), more: Type.Optional(Type.String({ minLength: 1 })) },
          { additionalProperties: false },
        ),
      ),
      list: Type.Optional(
        Type.Array(
          Type.Object(
            { mark: Type.Optional(Type.Boolean()) },
            { additionalProperties: Type.String({ minLength: 1, maxLength: 3 }) },
          ),
          { minItems: 1, maxItems: 2 },
        ),
      ),
    },
    { additionalProperties: false },
  ),
)
const GOOD = { id: 'abc', code: 'OK' }

/** What is sent, and how it is read: nothing is repaired, only absence has several spellings. */
const READ: readonly (readonly [what: string, body: object, as: object])[] = [
  ['what fits', GOOD, GOOD],
  ['null for an optional field', { ...GOOD, note: null, inner: null, list: null }, GOOD],
  ['empty text for an optional field', { ...GOOD, note: '', flag: '', count: '' }, GOOD],
  [
    'null and empty text further inside',
    { ...GOOD, inner: { kind: 'X', more: '' }, list: [{ mark: null, a: 'b' }] },
    { ...GOOD, inner: { kind: 'X' }, list: [{ a: 'b' }] },
  ],
  [
    'characters, not bytes',
    { ...GOOD, id: '😀😀😀', note: '😀😀😀😀' },
    { ...GOOD, id: '😀😀😀', note: '😀😀😀😀' },
  ],
]

describe('a reader takes', () => {
  for (const [what, body, as] of READ) {
    it(what, () => assert.deepEqual(read(body), as))
  }
})

/** What is sent, with which code it is refused, and what the message names. */
const REFUSED: readonly (readonly [what: string, body: unknown, code: string, says: RegExp])[] = [
  ['a stranger', { ...GOOD, nmae: 1 }, 'UNSUPPORTED_PARAMETER', /'nmae'/],
  ['a stranger inside', { ...GOOD, inner: { kind: 'X', q: 1 } }, 'UNSUPPORTED_PARAMETER', /'q'/],
  ['a stranger that is null', { ...GOOD, nmae: null }, 'UNSUPPORTED_PARAMETER', /'nmae'/],
  ['a prototype', JSON.parse('{"__proto__":{"id":"abc"}}'), 'UNSUPPORTED_PARAMETER', /'__proto__'/],
  ['a name of objects', { ...GOOD, toString: 1 }, 'UNSUPPORTED_PARAMETER', /'toString'/],
  ['a stranger before what is missing', { nmae: 1 }, 'UNSUPPORTED_PARAMETER', /'nmae'/],
  ['nothing at all', {}, 'MISSING_PARAMETER', /'id'/],
  ['one field', { id: 'abc' }, 'MISSING_PARAMETER', /'code'/],
  ['null for a required field', { ...GOOD, code: null }, 'MISSING_PARAMETER', /'code'/],
  ['a field missing inside', { ...GOOD, inner: {} }, 'MISSING_PARAMETER', /'kind'/],
  ['what is missing before what is wrong', { id: 1 }, 'MISSING_PARAMETER', /'code'/],
  ['empty required text', { ...GOOD, id: '' }, 'INVALID_PARAMETER', /'id'.*not be empty/],
  ['empty text against a pattern', { ...GOOD, code: '' }, 'INVALID_PARAMETER', /'code'/],
  ['a length that is wrong', { ...GOOD, id: 'abcd' }, 'INVALID_PARAMETER', /'id'.*at most 3/],
  ['text too short', { ...GOOD, note: 'a' }, 'INVALID_PARAMETER', /'note'.*at least 2/],
  ['text too long', { ...GOOD, note: 'abcde' }, 'INVALID_PARAMETER', /'note'.*at most 4/],
  ['another pattern', { ...GOOD, code: 'ok' }, 'INVALID_PARAMETER', /'code'.*capital letters/],
  ['a number for text', { ...GOOD, code: 1 }, 'INVALID_PARAMETER', /'code'.*text in quotes/],
  ['a list for text', { ...GOOD, code: ['OK'] }, 'INVALID_PARAMETER', /'code'.*text in quotes/],
  ['text for a number', { ...GOOD, count: '5' }, 'INVALID_PARAMETER', /'count'.*a number/],
  ['half a number', { ...GOOD, count: 1.5 }, 'INVALID_PARAMETER', /'count'.*whole number/],
  ['too small a number', { ...GOOD, count: 0 }, 'INVALID_PARAMETER', /'count'.*1 or more/],
  ['too large a number', { ...GOOD, count: 10 }, 'INVALID_PARAMETER', /'count'.*9 or less/],
  ['a number without end', { ...GOOD, rate: Infinity }, 'INVALID_PARAMETER', /'rate'/],
  ['text for a flag', { ...GOOD, flag: 'true' }, 'INVALID_PARAMETER', /'flag'.*true or false/],
  ['no choice offered', { ...GOOD, choice: 'C' }, 'INVALID_PARAMETER', /'choice'.*'A', 'B'/],
  ['another literal', { ...GOOD, inner: { kind: 'Y' } }, 'INVALID_PARAMETER', /'kind'.*'X'/],
  ['text for an object', { ...GOOD, inner: 'X' }, 'INVALID_PARAMETER', /'inner'.*an object/],
  ['a list for an object', { ...GOOD, inner: [] }, 'INVALID_PARAMETER', /'inner'.*an object/],
  ['an object for a list', { ...GOOD, list: {} }, 'INVALID_PARAMETER', /'list'.*an array/],
  ['too few entries', { ...GOOD, list: [] }, 'INVALID_PARAMETER', /'list'.*at least 1/],
  ['too many entries', { ...GOOD, list: [{}, {}, {}] }, 'INVALID_PARAMETER', /'list'.*at most 2/],
  ['an entry of the wrong kind', { ...GOOD, list: [{}, 'a'] }, 'INVALID_PARAMETER', /'list\[1\]'/],
  ['a free name, wrong type', { ...GOOD, list: [{ a: 1 }] }, 'INVALID_PARAMETER', /'a'.*text/],
  ['a free name, too long', { ...GOOD, list: [{ a: 'long' }] }, 'INVALID_PARAMETER', /'a'.*most 3/],
  ['a free name, null', { ...GOOD, list: [{ a: null }] }, 'INVALID_PARAMETER', /'a'.*text/],
  ['a list as body', [GOOD], 'INVALID_PARAMETER', /'body'.*an object/],
  ['text as body', 'x', 'INVALID_PARAMETER', /'body'.*an object/],
  ['a number as body', 1, 'INVALID_PARAMETER', /'body'.*an object/],
  ['null as body', null, 'INVALID_PARAMETER', /'body'.*an object/],
]

describe('a reader refuses', () => {
  for (const [what, body, code, says] of REFUSED) {
    it(`${what}: ${code}`, () => {
      assert.throws(
        () => read(body),
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
