import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { returnAddress, returnUrlProblem } from '../../src/domain/return-url.ts'

describe('the way back has one parameter more, and everything else as it was:', () => {
  for (const [given, expected] of [
    ['https://a.example/x', 'https://a.example/x?depositId=7'],
    ['https://a.example', 'https://a.example/?depositId=7'],
    ['https://a.example/x?', 'https://a.example/x?depositId=7'],
    ['https://a.example/x?a=1&b=%20+c&a=2', 'https://a.example/x?a=1&b=%20+c&a=2&depositId=7'],
    ['https://a.example/x?a#top?b=1', 'https://a.example/x?a&depositId=7#top?b=1'],
    ['https://a.example/?depositId=1&a=1&depositId=2', 'https://a.example/?a=1&depositId=7'],
    ['https://a.example/?deposit%49d=1', 'https://a.example/?depositId=7'],
    ['https://a.example/?depositid=1', 'https://a.example/?depositid=1&depositId=7'],
    ['http://127.0.0.1:3000/#/done', 'http://127.0.0.1:3000/?depositId=7#/done'],
  ] as const) {
    it(given, () => assert.equal(returnAddress(given, 'depositId', '7'), expected))
  }
})

it('only web addresses are a way back, and only over https where the money is real', () => {
  for (const text of [
    'http://127.0.0.1:3000/x',
    'http://shop.example',
    'https://shop.example?a#b',
  ]) {
    assert.equal(returnUrlProblem(text, 'sandbox'), undefined)
    const isSecure = text.startsWith('https:')
    assert.equal(returnUrlProblem(text, 'production') === undefined, isSecure)
  }
  for (const text of [
    'shop.example',
    '//shop.example',
    '/thanks',
    'app://thanks',
    'javascript:alert(1)',
    'data:text/html,x',
    ' https://shop.example',
    'https://shop.example/\nx',
    `https://shop.example/${'x'.repeat(2048)}`,
  ]) {
    assert.notEqual(returnUrlProblem(text, 'sandbox'), undefined, text)
  }
})
