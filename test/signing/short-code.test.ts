import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createShortCodes } from '../../src/signing/short-code.ts'

const SECRET = 'a secret of at least 32 characters'
const codeOf = createShortCodes(SECRET, 'one use')

it('a code is 22 letters and digits, the same for one subject and different for any other', () => {
  const codes = Array.from({ length: 2000 }, (_, at) => codeOf(`subject ${at}`))
  for (const code of codes) assert.match(code, /^[0-9A-Za-z]{22}$/)
  assert.equal(new Set(codes).size, codes.length)
  assert.equal(codeOf('subject 7'), codes[7])
  const letters = new Set(codes.flatMap((code) => [...code]))
  assert.equal(letters.size, 62)
})

it('without the secret, or for another use, it is another one', () => {
  assert.notEqual(createShortCodes(`${SECRET}!`, 'one use')('a'), codeOf('a'))
  assert.notEqual(createShortCodes(SECRET, 'another use')('a'), codeOf('a'))
})
