import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  returnAddress,
  returnSchemeProblem,
  returnUrlProblem,
} from '../../src/domain/hosted/return-url.ts'

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
    ['myapp://thanks', 'myapp://thanks?depositId=7'],
    ['myapp://a/b?c=1#d', 'myapp://a/b?c=1&depositId=7#d'],
  ] as const) {
    it(given, () => assert.equal(returnAddress(given, 'depositId', '7'), expected))
  }
})

describe('http is a way back only in the sandbox, and only on private addresses:', () => {
  for (const [text, isNear] of [
    ['http://127.0.0.1:3000/x', true],
    ['http://127.9.9.9/', true],
    ['http://0x7f.1/', true],
    ['http://[::1]:3000/x', true],
    ['http://localhost', true],
    ['http://LOCALHOST.:80/', true],
    ['http://shop.localhost:3000', true],
    ['http://192.168.1.5:3000/', true],
    ['http://10.0.0.7/', true],
    ['http://172.16.0.1/', true],
    ['http://172.31.255.1/', true],
    ['http://172.32.0.1/', false],
    ['http://192.169.1.5/', false],
    ['http://8.8.8.8/', false],
    ['http://shop.example', false],
    ['http://10.0.0.7.example/', false],
    ['http://localhost.example/', false],
    ['http://notlocalhost/', false],
    ['http://user@shop.example/', false],
    ['http://[2001:db8::1]/', false],
  ] as const) {
    it(text, () => {
      assert.equal(returnUrlProblem(text, 'sandbox') === undefined, isNear)
      assert.notEqual(returnUrlProblem(text, 'production'), undefined)
    })
  }
})

it('only web addresses are a way back', () => {
  for (const environment of ['sandbox', 'production'] as const) {
    assert.equal(returnUrlProblem('https://shop.example?a#b', environment), undefined)
  }
  for (const text of [
    'shop.example',
    '//shop.example',
    '/thanks',
    'app://thanks',
    'javascript:alert(1)',
    'https:shop.example',
    'https:/shop.example',
    'https:\\\\shop.example',
    'https:///shop.example',
    'https://name:word@shop.example/',
    'https://name@shop.example/',
    'data:text/html,x',
    ' https://shop.example',
    'https://shop.example/\nx',
    `https://shop.example/${'x'.repeat(2048)}`,
  ]) {
    assert.notEqual(returnUrlProblem(text, 'sandbox'), undefined, text)
  }
})

it('an app is a way back where its scheme is allowed', () => {
  const schemes = ['myapp', 'com.example.shop']
  for (const environment of ['sandbox', 'production'] as const) {
    for (const text of ['myapp://thanks', 'MyApp://', 'com.example.shop://a/b?c#d']) {
      assert.equal(returnUrlProblem(text, environment, schemes), undefined, text)
      assert.notEqual(returnUrlProblem(text, environment), undefined, text)
    }
    for (const text of ['yourapp://thanks', 'myapp:thanks', 'myapp', 'myapp://a b', 'myapp://\n']) {
      assert.notEqual(returnUrlProblem(text, environment, schemes), undefined, text)
    }
  }
  const words = 'it must be an absolute https address, or myapp://, or com.example.shop://'
  assert.equal(returnUrlProblem('tel:1', 'sandbox', schemes), words)
  const wayOut = /, or com\.example\.shop:\/\/\. The setting 'malipo merchant return-schemes/
  assert.match(returnUrlProblem('yourapp://x', 'sandbox', schemes) ?? '', wayOut)
})

it('http leads anywhere where the sandbox allows it, and nowhere in production', () => {
  assert.equal(returnUrlProblem('http://shop.example/x', 'sandbox', ['http']), undefined)
  assert.notEqual(returnUrlProblem('http://shop.example/x', 'production', ['http']), undefined)
  assert.equal(returnSchemeProblem('http', 'sandbox'), undefined)
  assert.notEqual(returnSchemeProblem('http', 'production'), undefined)
})

it('an address that runs code or opens something else is never a way back', () => {
  const never = 'javascript data vbscript file blob filesystem about view-source intent ms-msdt'
  for (const scheme of [...never.split(' '), 'https', 'JavaScript', 'my app', 'my:app', '', '1a']) {
    assert.notEqual(returnSchemeProblem(scheme, 'sandbox'), undefined, scheme)
    if (scheme === 'https') continue
    assert.notEqual(returnUrlProblem(`${scheme}://x`, 'sandbox', [scheme]), undefined, scheme)
  }
})
