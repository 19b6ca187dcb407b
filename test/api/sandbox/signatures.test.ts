import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { rsaPair } from '../../../harness/rsa-pair.ts'
import { shareService } from '../../../harness/share.ts'
import { makeKey } from '../../../harness/signers.ts'
import { assertEmpty } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const put = (body: unknown) => service.put('/sandbox/signatures', body)
const settings = async () => {
  const found = (await service.node.ctx.merchants.byToken(service.token))?.merchant
  assert.ok(found !== undefined)
  const { signedRequestsOnly, signedCallbacks, ecdsaEncoding, publicKeys } = found
  const { maxSignatureAge, coverAuthority, ownKeyId } = found
  const rules = { maxSignatureAge, coverAuthority, ownKeyId }
  const keys = [...publicKeys.keys()]
  return { signedRequestsOnly, signedCallbacks, ecdsaEncoding, keys, rules }
}

const [a, b] = [makeKey('a', 'ecdsa-p256-sha256'), makeKey('b', 'rsa-pss-sha512')]
const given = ({ id, pem }: { id: string; pem: string }) => ({ id, key: pem })

it('what is not named stays', async () => {
  const rules = { maxSignatureAge: undefined, coverAuthority: false, ownKeyId: false }
  const switches = { signedRequestsOnly: false, signedCallbacks: true, ecdsaEncoding: 'DER' }
  const start = { ...switches, keys: [], rules }
  assert.deepEqual(await settings(), start)
  assertEmpty(await put({ keys: [given(a)] }))
  assertEmpty(await put({ signedRequestsOnly: true }))
  assertEmpty(await put({ ecdsaEncoding: 'RAW', signedCallbacks: null }))
  assertEmpty(await put({}))
  assert.deepEqual(await settings(), {
    signedRequestsOnly: true,
    signedCallbacks: true,
    ecdsaEncoding: 'RAW',
    keys: ['a'],
    rules,
  })
  assertEmpty(await put({ signedCallbacks: false, signedRequestsOnly: false }))
  assert.equal((await settings()).signedCallbacks, false)
  const strict = { maxSignatureAge: 300, coverAuthority: true, ownKeyId: true }
  for (const [name, value] of Object.entries(strict)) assertEmpty(await put({ [name]: value }))
  assert.deepEqual((await settings()).rules, strict)
  assertEmpty(await put({ maxSignatureAge: 0, coverAuthority: false, ownKeyId: false }))
  assert.deepEqual((await settings()).rules, rules)
})

it('the list of keys replaces the former one, and an empty list removes all', async () => {
  assertEmpty(await put({ keys: [given(a), given(b)] }))
  assert.deepEqual((await settings()).keys.toSorted(), ['a', 'b'])
  assertEmpty(await put({ keys: [given(b)] }))
  assert.deepEqual((await settings()).keys, ['b'])
  assertEmpty(await put({ keys: [] }))
  assert.deepEqual((await settings()).keys, [])
})

it('of simultaneous changes each is complete, and one of them stays', async () => {
  const lists = Array.from({ length: 8 }, (_, at) => [given(a), { ...given(b), id: `b${at}` }])
  for (const answer of await Promise.all(lists.map((keys) => put({ keys })))) assertEmpty(answer)
  const { keys } = await settings()
  assert.ok(
    lists.some((list) => list.map(({ id }) => id).join() === keys.toSorted().join()),
    String(keys),
  )
})

it('a key in another layout of lines is the same key', async () => {
  const padded = `\n  \n${a.pem.replaceAll('\n', '\r\n')}\n\n`
  assertEmpty(await put({ keys: [{ id: 'a', key: padded }] }))
  const found = (await service.node.ctx.merchants.byToken(service.token))?.merchant
  assert.equal(found?.publicKeys.get('a'), a.pem)
})

describe('a key that cannot be used is refused, and nothing is changed', () => {
  const exported = (
    pair: { privateKey: object; publicKey: object },
    half: 'privateKey' | 'publicKey',
  ) =>
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of generateKeyPairSync differ
    (pair[half] as any)
      .export({ type: half === 'publicKey' ? 'spki' : 'pkcs8', format: 'pem' })
      .toString() as string
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const small = rsaPair(1024)
  const rsa = rsaPair(2048)
  const { n = '' } = rsa.publicKey.export({ format: 'jwk' })
  const weak = createPublicKey({ key: { kty: 'RSA', n, e: 'AQ' }, format: 'jwk' })
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })

  const table: readonly (readonly [what: string, key: string, says: RegExp])[] = [
    ['a private key', exported(ec, 'privateKey'), /This is a private key.*openssl pkey .*-pubout/],
    [
      'an encrypted private key',
      ec.privateKey
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
      /This is a private key/,
    ],
    ['a private key behind a public one', a.pem + exported(ec, 'privateKey'), /private key/],
    ['two keys', a.pem + b.pem, /more than one key/],
    [
      'a curve not known here',
      exported(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), 'publicKey'),
      /curve secp256k1\. Use EC P-256/,
    ],
    [
      'P-521',
      exported(generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'publicKey'),
      /curve secp521r1/,
    ],
    [
      'an Ed25519 key',
      exported(generateKeyPairSync('ed25519'), 'publicKey'),
      /kind ed25519\. Use EC P-256/,
    ],
    ['a key for PSS alone', exported(pss, 'publicKey'), /kind rsa-pss/],
    ['RSA of 1024 bits', exported(small, 'publicKey'), /has 1024 bits\. Use one of 2048/],
    [
      'RSA with the exponent 1',
      weak.export({ type: 'spki', format: 'pem' }).toString(),
      /exponent 1, which is not usual and may not be safe/,
    ],
    [
      'the old form of RSA',
      rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      /not a public key as PEM \(SPKI\)/,
    ],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      /is a certificate/,
    ],
    ['base64 alone', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE', /not a public key as PEM/],
    ['a damaged key', a.pem.replace(/\n.{8}/, '\nAAAAAAAA'), /cannot be read: its text is damaged/],
    ['nothing', ' ', /not a public key as PEM/],
  ]
  for (const [what, key, says] of table) {
    it(what, async () => {
      assertEmpty(await put({ keys: [given(b)], signedRequestsOnly: false }))
      const { status, body } = await put({
        keys: [given(a), { id: 'c', key }],
        signedRequestsOnly: true,
      })
      assert.equal(status, 400)
      assert.equal(body.failureReason.failureCode, 'INVALID_PARAMETER')
      assert.match(
        body.failureReason.failureMessage,
        /^The parameter 'keys' is not valid: at index 1, with the id "c": /,
      )
      assert.match(body.failureReason.failureMessage, says)
      const { keys, signedRequestsOnly } = await settings()
      assert.deepEqual({ keys, signedRequestsOnly }, { keys: ['b'], signedRequestsOnly: false })
    })
  }

  it('an id that cannot be used in a signature, and one given twice', async () => {
    for (const id of ['a"b', 'a\\b', 'ключ', 'a\nb', 'x'.repeat(101)]) {
      const { status, body } = await put({ keys: [{ id, key: a.pem }] })
      assert.equal(status, 400)
      assert.match(
        body.failureReason.failureMessage,
        /The key id ".*" cannot be used\. Take 1 to 100/,
      )
    }
    const { status, body } = await put({ keys: [given(a), given(a)] })
    assert.equal(status, 400)
    assert.match(body.failureReason.failureMessage, /The key id "a" is taken/)
  })
})

it('signatures cannot be required of a merchant without a key', async () => {
  const says = /^The parameter 'signedRequestsOnly' is not valid: .*no key.*Give one in 'keys', or/
  assertEmpty(await put({ keys: [], signedRequestsOnly: false }))
  const none = await put({ signedRequestsOnly: true })
  assert.equal(none.status, 400)
  assert.match(none.body.failureReason.failureMessage, says)
  assertEmpty(await put({ keys: [given(a)], signedRequestsOnly: true }))
  const last = await put({ keys: [] })
  assert.equal(last.status, 400)
  assert.match(last.body.failureReason.failureMessage, says)
  const { keys, signedRequestsOnly } = await settings()
  assert.deepEqual({ keys, signedRequestsOnly }, { keys: ['a'], signedRequestsOnly: true })
  assertEmpty(await put({ keys: [], signedRequestsOnly: false }))
})

it('a request that does not fit is refused by the name of its field', async () => {
  for (const [body, field] of [
    [{ keys: {} }, 'keys'],
    [{ keys: [{ id: 'a' }] }, 'key'],
    [{ signedRequestsOnly: 'yes' }, 'signedRequestsOnly'],
    [{ ecdsaEncoding: 'PEM' }, 'ecdsaEncoding'],
    [{ maxSignatureAge: -1 }, 'maxSignatureAge'],
    [{ maxSignatureAge: 86_401 }, 'maxSignatureAge'],
    [{ coverAuthority: 'on' }, 'coverAuthority'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    const answer = await put(body)
    assert.equal(answer.status, 400)
    assert.ok(
      answer.body.failureReason.failureMessage.includes(`'${field}'`),
      JSON.stringify(answer.body),
    )
  }
})

it('a reset keeps keys and switches', async () => {
  assertEmpty(await put({ keys: [given(a)], signedRequestsOnly: true }))
  assert.equal((await service.post('/sandbox/reset')).status, 204)
  const { keys, signedRequestsOnly } = await settings()
  assert.deepEqual({ keys, signedRequestsOnly }, { keys: ['a'], signedRequestsOnly: true })
})
