import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contentDigest } from '../../src/signing/digest.ts'

const BODY = '{"hello": "world"}'
const SHA_256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'
const SHA_512 =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A' +
  '2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'

describe('a content digest', () => {
  it('is the value that the RFC gives for its example body', () => {
    assert.equal(contentDigest(BODY, 'sha-256'), SHA_256)
    assert.equal(contentDigest(BODY, 'sha-512'), SHA_512)
  })

  it('is the same for a text and for its UTF-8 bytes', () => {
    const text = '{"payer":"Aïssatou 🌍"}'
    assert.equal(contentDigest(text, 'sha-512'), contentDigest(Buffer.from(text), 'sha-512'))
    assert.equal(contentDigest(Buffer.from(BODY), 'sha-256'), SHA_256)
  })
})
