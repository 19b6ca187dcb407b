import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readJson } from '../../src/wire/json.ts'

const DUPLICATE = 'an object names the same field twice'
const NOT_JSON = 'the body is not valid JSON'
const NOT_STORABLE = 'a text holds a NUL or half of a surrogate pair'
const TOO_DEEP = 'it is nested more than 64 levels deep'

/** Bodies, and why they are refused; none means that they are read. */
const BODIES: readonly (readonly [text: string, problem?: string])[] = [
  ['{}'],
  ['{"a":1,"b":{"a":1}}'],
  ['[{"a":1},{"a":1}]'],
  ['{"a":"b:c","d":"\\"e\\":"}'],
  ['{"a\\\\":1,"b":2}'],
  ['{"a":"\\\\","b":":"}'],
  ['{"":1}'],
  ['{"__proto__":1,"constructor":2}'],
  ['"text"'],
  ['null'],
  ['{"a":"\\ud83d\\ude00"}'],
  ['{"a":"😀"}'],
  ['', 'the body is empty'],
  ['{', NOT_JSON],
  ['{"a":1,}', NOT_JSON],
  ["{'a':1}", NOT_JSON],
  ['{a:1}', NOT_JSON],
  ['{"a":01}', NOT_JSON],
  ['{"a":NaN}', NOT_JSON],
  ['{"a":"\u0000"}', NOT_JSON],
  ['{} {}', NOT_JSON],
  ['\ufeff{}', NOT_JSON],
  ['{/* comment */}', NOT_JSON],
  ['{"a":1,"a":1}', DUPLICATE],
  ['{"a":1,"a":2}', DUPLICATE],
  ['{"a":1,"\\u0061":2}', DUPLICATE],
  ['{"a":{"b":1,"c":2,"b":3}}', DUPLICATE],
  ['[[{"a":[{"b":1,"b":1}]}]]', DUPLICATE],
  ['{"a":"x:y","a":":"}', DUPLICATE],
  ['{"__proto__":1,"__proto__":2}', DUPLICATE],
  ['{"":1,"":2}', DUPLICATE],
  ['{"a":"\\u0000"}', NOT_STORABLE],
  ['{"a\\u0000":1}', NOT_STORABLE],
  ['{"a":"\\ud800"}', NOT_STORABLE],
  ['{"a":"\\ude00\\ud83d"}', NOT_STORABLE],
  ['{"a":["x",{"\\udfff":1}]}', NOT_STORABLE],
  ['"\\ud800"', NOT_STORABLE],
  [nested(64)],
  [nested(65), TOO_DEEP],
  [nested(400_000), TOO_DEEP],
  [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, TOO_DEEP],
]

describe('a body', () => {
  for (const [text, problem] of BODIES) {
    const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… ${text.length}` : text)
    it(`${shown} is ${problem === undefined ? 'read' : `refused: ${problem}`}`, () => {
      const read = readJson(Buffer.from(text))
      if (problem === undefined) assert.deepEqual(read, { ok: true, value: JSON.parse(text) })
      else assert.deepEqual(read, { ok: false, problem })
    })
  }

  it('is read as JSON says, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat({ max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        assert.deepEqual(readJson(Buffer.from(text)), { ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('that names a field twice is refused, at whatever depth and between whatever fields', () => {
    const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(
        names,
        fc.nat(),
        fc.nat({ max: 20 }),
        fc.string(),
        (fields, pick, depth, value) => {
          const twice = [...fields, fields[pick % fields.length]]
          const pairs = twice.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
          const text = `${'{"x":['.repeat(depth)}{${pairs.join()}}${']}'.repeat(depth)}`
          assert.deepEqual(readJson(Buffer.from(text)), { ok: false, problem: DUPLICATE })
        },
      ),
    )
  })
})

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}
