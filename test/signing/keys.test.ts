import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  generateSigningKey,
  keyIdOf,
  openSigningKey,
  parsePrivateKey,
  seal,
  sealSigningKey,
  unseal,
} from '../../src/signing/keys.ts'

const SECRET = 'a secret of the operator'
const DOES_NOT_FIT = /MALIPO_SECRET_KEY does not fit the stored data/

describe('a signing key', () => {
  it('is EC P-256 and shows its public half as SPKI PEM with a trailing newline', () => {
    const key = generateSigningKey(keyIdOf(1))
    assert.equal(key.id, 'HTTP_EC_P256_KEY:1')
    assert.match(
      key.publicKeyPem,
      /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+\n-----END PUBLIC KEY-----\n$/,
    )
    const publicKey = createPublicKey(key.publicKeyPem)
    assert.equal(publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  })

  it('comes back from storage as the same key', () => {
    const key = generateSigningKey(keyIdOf(2))
    const sealed = sealSigningKey(SECRET, key)
    assert.doesNotMatch(sealed, /PRIVATE KEY/)
    const opened = openSigningKey(keyIdOf(2), SECRET, sealed)
    assert.equal(opened.publicKeyPem, key.publicKeyPem)
    const data = Buffer.from('data')
    assert.ok(verify('sha256', data, key.publicKeyPem, sign('sha256', data, opened.privateKey)))
  })

  it('has an id that can be used in a signature', () => {
    for (const id of ['', 'a"b', 'a\\b', 'ключ', 'a\nb']) {
      assert.throws(() => generateSigningKey(id), /cannot be written into a signature/)
    }
  })

  it('is refused when it lies on another curve or is of another kind', () => {
    const others = [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
      generateKeyPairSync('ed25519').privateKey,
    ]
    for (const key of others) {
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
      assert.throws(() => parsePrivateKey(pem), /not an EC P-256 key/)
    }
  })
})

describe('sealed text', () => {
  it('opens with the secret it was sealed with, whatever it holds', () => {
    for (const plain of ['', 'x', 'Aïssatou 🌍', 'long '.repeat(2000)]) {
      assert.equal(unseal(SECRET, seal(SECRET, plain)), plain)
    }
  })

  it('names its version and differs each time', () => {
    assert.match(seal(SECRET, 'x'), /^v1:[A-Za-z0-9+/]+=*$/)
    assert.notEqual(seal(SECRET, 'x'), seal(SECRET, 'x'))
  })

  it('says that the secret does not fit when it is another one', () => {
    assert.throws(() => unseal('another secret', seal(SECRET, 'x')), DOES_NOT_FIT)
  })

  it('does not open once a byte of it has changed', () => {
    const bytes = Buffer.from(seal(SECRET, 'plain').slice(3), 'base64')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      assert.throws(() => unseal(SECRET, `v1:${changed.toString('base64')}`), DOES_NOT_FIT)
    }
  })

  it('is refused when it is not of a known version', () => {
    for (const text of ['', 'v1:', 'v1:AAAA', 'v2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
      assert.throws(() => unseal(SECRET, text), /not sealed text of version v1/)
    }
  })
})
