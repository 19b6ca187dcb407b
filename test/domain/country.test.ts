import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { isCountry } from '../../src/domain/country.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

it('of all codes of three letters 249 are countries, as many as ISO 3166-1 has', () => {
  const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)))
  assert.equal(codes.filter(isCountry).length, 249)
})

it('every country of the catalogue is one', () => {
  const text = readFileSync('catalog/providers.json', 'utf8')
  const codes = [...text.matchAll(/"country": "([^"]*)"/g)].map(([, code = '']) => code)
  assert.ok(codes.length >= 40)
  assert.deepEqual(
    codes.filter((code) => !isCountry(code)),
    [],
  )
})

it('a code is written in three capital letters', () => {
  for (const code of ['', 'zmb', 'ZM', 'ZMBB', ' ZMB', 'ZMB ', 'constructor']) {
    assert.equal(isCountry(code), false)
  }
})
