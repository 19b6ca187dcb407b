import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createLinkTokens } from '../../src/signing/link-token.ts'

const SECRET = 'a secret of at least 32 characters'
const tokens = createLinkTokens(SECRET, 'one use')
const facts = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes))

it('a token gives back its facts for its subject, and needs no escaping in a path', () => {
  fc.assert(
    fc.property(fc.string(), facts, (subject, carried) => {
      const token = tokens.write(subject, carried)
      assert.match(token, /^[\w-]{43,}$/)
      assert.deepEqual(tokens.read(subject, token), carried)
    }),
  )
})

it('a token is worth nothing for another subject, another use or another secret', () => {
  const token = tokens.write('a', Buffer.from('facts'))
  assert.equal(tokens.read('b', token), undefined)
  assert.equal(createLinkTokens(SECRET, 'another use').read('a', token), undefined)
  assert.equal(createLinkTokens(`${SECRET}!`, 'one use').read('a', token), undefined)
  assert.deepEqual(createLinkTokens(SECRET, 'one use').read('a', token), Buffer.from('facts'))
})

it('the boundary between facts and subject cannot be moved', () => {
  const bytes = Buffer.from(tokens.write('yz', Buffer.from('x')), 'base64url')
  const moved = Buffer.concat([Buffer.from('xy'), bytes.subarray(1)]).toString('base64url')
  assert.equal(tokens.read('z', moved), undefined)
})

it('a token that is changed in any letter, cut or made longer is refused', () => {
  const token = tokens.write('a', Buffer.from('facts!'))
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A'
    assert.equal(tokens.read('a', token.slice(0, at) + other + token.slice(at + 1)), undefined)
    assert.equal(tokens.read('a', token.slice(0, at)), undefined)
  }
  for (const more of ['A', '=', ' ', '\n', 'AAAA'])
    assert.equal(tokens.read('a', token + more), undefined)
  for (const none of ['', 'A', 'é', '====']) assert.equal(tokens.read('a', none), undefined)
})
