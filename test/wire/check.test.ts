import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileCheck } from '../../src/wire/check.ts'
import { Type } from '../../src/wire/schema.ts'

const Small = Type.Object(
  {
    id: Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z😀]+$' }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    rate: Type.Optional(Type.Number()),
    kind: Type.Optional(Type.Enum(['A', 'B'])),
    one: Type.Optional(Type.Literal('one')),
    flag: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
    free: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    either: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  },
  { additionalProperties: false },
)

const FITS = [
  {},
  { count: 1 },
  { count: 9, rate: -0.5 },
  { kind: 'B', one: 'one', flag: false },
  { list: ['', 'x'], free: { a: 1 }, either: null },
  { either: 'text', free: {} },
]

const DOES_NOT_FIT = [
  { id: 'a' },
  { id: 'abcde' },
  { id: 'AB' },
  { id: 12 },
  { id: null },
  // One character that takes two places.
  { id: '😀' },
  { count: 0 },
  { count: 10 },
  { count: 1.5 },
  { count: '1' },
  { rate: Number.POSITIVE_INFINITY },
  { kind: 'C' },
  { one: 'two' },
  { flag: 'true' },
  { list: [] },
  { list: ['a', 'b', 'c'] },
  { list: [1] },
  { list: { 0: 'a' } },
  { free: { a: 'x' } },
  { free: [] },
  { either: 1 },
  { more: 1 },
  JSON.parse('{"__proto__":{"id":"ab"}}'),
]

describe('a value is checked against its schema:', () => {
  const fits = compileCheck(Small)

  for (const more of FITS) {
    it(`fits: ${JSON.stringify(more)}`, () => assert.ok(fits({ id: 'ab', ...more })))
  }

  it('characters count, not code units', () => {
    assert.ok(fits({ id: '😀😀😀😀' }))
    assert.ok(!fits({ id: '😀😀😀😀😀' }))
  })

  for (const more of DOES_NOT_FIT) {
    const value = Object.defineProperties(
      { id: 'ab' } as object,
      Object.getOwnPropertyDescriptors(more),
    )
    it(`does not fit: ${JSON.stringify(value)}`, () => assert.ok(!fits(value)))
  }

  for (const value of [null, [], 'ab', 1, undefined, {}]) {
    it(`is no such object: ${JSON.stringify(value)}`, () => assert.ok(!fits(value)))
  }

  it('a rule that nothing checks is a programming error', () => {
    assert.throws(() => compileCheck({ type: 'string', multipleOf: 2 }), /multipleOf/)
    assert.throws(() => compileCheck({ type: 'set' }), /'set'/)
  })
})
