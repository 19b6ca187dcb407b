import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldProblem, readDictionary } from '../../src/signing/structured-fields.ts'

describe('a dictionary', () => {
  it('keeps the text of each member letter by letter', () => {
    const text = ' a=("@method"  "@path");created=1;  keyid="k\\"1" ,b=:QUJD:;x ,\tc;y=?0'
    const members = readDictionary(text)
    assert.deepEqual([...members.keys()], ['a', 'b', 'c'])
    assert.equal(members.get('a')?.text, '("@method"  "@path");created=1;  keyid="k\\"1"')
    assert.equal(members.get('b')?.text, ':QUJD:;x')
  })

  it('has values of every kind that the standard knows', () => {
    const members = readDictionary(
      'a=1, b=-999999999999999, c="x\\\\y", d=:QUJD:, e=?0, f, g=tok/en*, h=1.5, i=(), j=("a";b 2)',
    )
    const values = Object.fromEntries([...members].map(([name, { value }]) => [name, value]))
    assert.deepEqual(values, {
      a: 1,
      b: -999999999999999,
      c: 'x\\y',
      d: Buffer.from('ABC'),
      e: false,
      f: true,
      g: { text: 'tok/en*' },
      h: { text: '1.5' },
      i: [],
      j: [
        { value: 'a', params: new Map([['b', true]]) },
        { value: 2, params: new Map() },
      ],
    })
  })

  it('reads base64 without its padding, and no other way to write the same bytes', () => {
    for (const text of [':QQ==:', ':QQ:']) {
      assert.deepEqual(readDictionary(`a=${text}`).get('a')?.value, Buffer.from('A'))
    }
    for (const text of [':QR==:', ':QQ=:', ':Q:', ':QQ===:', ':Q_==:', ':QQ==', ':Q Q:']) {
      assert.throws(() => readDictionary(`a=${text}`), FieldProblem, text)
    }
  })

  const broken: readonly (readonly [text: string, says: RegExp])[] = [
    ['', /it is empty/],
    ['  ', /it is empty/],
    ['A=1', /a name in lower-case letters is expected at character 1/],
    ['a=1,', /a name in lower-case letters is expected at character 5/],
    ['a=1 b=2', /a comma is expected at character 5/],
    ['a=', /a value, .* is expected at character 3/],
    ['a="x', /a value/],
    ['a="\\x"', /a value/],
    ['a="é"', /a value/],
    ['a=(1', /a space or a closing bracket is expected at character 5/],
    ['a=(1,2)', /a space or a closing bracket/],
    ['a=((1))', /a value/],
    ['a=1;', /the name of a parameter is expected/],
    ['a=1234567890123456', /a value/],
    ['a=1, a=2', /the name 'a' occurs twice/],
    ['a;b;b', /the parameter 'b' occurs twice/],
    ['a=1\u0000', /a comma/],
  ]
  for (const [text, says] of broken) {
    it(`${JSON.stringify(text)} cannot be read`, () => {
      assert.throws(
        () => readDictionary(text),
        (error) => {
          assert.ok(error instanceof FieldProblem)
          assert.match(error.message, says)
          return true
        },
      )
    })
  }
})
