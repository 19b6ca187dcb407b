import assert from 'node:assert/strict'
import { constants, type KeyObject, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSignature, verifySignature } from 'http-message-sig'
import { createSigner, createVerifier, httpbis } from 'http-message-signatures'
import {
  ALGORITHMS,
  type Algorithm,
  makeKey,
  SIGNERS,
  signBytes,
  signedRequest,
  type TestKey,
} from '../../harness/signers.ts'
import { contentDigest } from '../../src/signing/digest.ts'
import { type SignatureEncoding, signAnswer } from '../../src/signing/http-signature.ts'
import { generateSigningKey } from '../../src/signing/keys.ts'
import { openPublicKey } from '../../src/signing/public-keys.ts'
import { type Verdict, verifyRequest } from '../../src/signing/verify-request.ts'

/**
 * Both ways between this service and two libraries that know nothing of it: what they sign is
 * accepted here, what is signed here is accepted by them, for every algorithm and encoding.
 */
const PATH = '/v2/deposits'
const AUTHORITY = 'pay.example:8080'
const URL_TEXT = `http://${AUTHORITY}${PATH}`
const BODY = '{"depositId":"f4401bd2-1568-4140-bf2d-eb77d2b2b639","amount":"15"}'
const COVERED = ['@method', '@authority', '@path', 'content-digest', 'content-type']

const KEYS = new Map<Algorithm, TestKey>(
  ALGORITHMS.map((algorithm) => [algorithm, makeKey(`key of ${algorithm}`, algorithm)]),
)
const keyFor = (algorithm: Algorithm): TestKey => KEYS.get(algorithm) as TestKey

/** Which forms a signature of the algorithm can have. */
const FORMS = ALGORITHMS.flatMap((algorithm) =>
  algorithm.startsWith('ecdsa')
    ? ([
        [algorithm, 'DER'],
        [algorithm, 'RAW'],
      ] as const)
    : ([[algorithm, 'RAW']] as const),
)

const BARE_HEADERS = {
  host: AUTHORITY,
  'content-type': 'application/json; charset=UTF-8',
  'content-digest': contentDigest(BODY, 'sha-256'),
}

function verdictOn(
  headers: Readonly<Record<string, unknown>>,
  changes: { body?: string; target?: string; method?: string } = {},
): Verdict {
  const { body = BODY, target = PATH, method = 'POST' } = changes
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  const received = { method, target, defaultPort: 80, rawHeaders, body: Buffer.from(body) }
  const lookup = (id: string) => {
    const key = [...KEYS.values()].find((one) => one.id === id)
    return key === undefined ? undefined : openPublicKey(key.pem)
  }
  return verifyRequest(received, lookup, Date.now())
}

describe('what two independent libraries sign is accepted', () => {
  for (const [algorithm, encoding] of FORMS) {
    it(`${algorithm}, ${encoding}: http-message-signatures`, async () => {
      const key = keyFor(algorithm)
      const own = createSigner(key.privateKey, algorithm, key.id)
      const inForm = { ...own, sign: async (data: Buffer) => signBytes(key, data, encoding) }
      const signed = await httpbis.signMessage(
        {
          key: encoding === 'RAW' ? own : inForm,
          name: 'sig-one',
          fields: COVERED,
          params: ['created', 'expires', 'keyid', 'alg'],
        },
        { method: 'POST', url: URL_TEXT, headers: BARE_HEADERS },
      )
      assertTaken(signed.headers, key)
    })

    it(`${algorithm}, ${encoding}: http-message-sig`, async () => {
      const key = keyFor(algorithm)
      const fields = Object.entries(BARE_HEADERS).map(([name, value]) => ({ name, value }))
      const created = Math.floor(Date.now() / 1000)
      const { signature, signatureInput } = await createSignature(
        { kind: 'request', method: 'POST', targetUri: URL_TEXT, fields },
        {
          label: 'sig-two',
          components: COVERED,
          parameters: { created, expires: created + 60, keyid: key.id, alg: algorithm },
          signer: { algorithm, sign: (data) => signBytes(key, data, encoding) },
        },
      )
      assertTaken({ ...BARE_HEADERS, signature, 'signature-input': signatureInput }, key)
    })
  }
})

/** Taken as it is, and not once anything that it covers was changed. */
function assertTaken(headers: Readonly<Record<string, unknown>>, key: TestKey): void {
  const verdict = verdictOn(headers)
  assert.ok(verdict.ok, JSON.stringify(verdict))
  assert.equal(verdict.keyId, key.id)
  for (const changed of [
    verdictOn(headers, { body: BODY.replace('15', '16') }),
    verdictOn(headers, { target: '/v2/payouts' }),
    verdictOn(headers, { method: 'PUT' }),
    verdictOn({ ...headers, 'content-type': 'application/json' }),
    verdictOn({ ...headers, host: 'other.example:8080' }),
  ]) {
    assert.equal(changed.ok, false)
  }
}

describe('what a merchant signs here is also accepted by the libraries', () => {
  for (const [algorithm, encoding] of FORMS) {
    it(`${algorithm}, ${encoding}`, async () => {
      const key = keyFor(algorithm)
      const { headers } = signedRequest({
        ...{ ...SIGNERS.B, encoding, key, path: PATH, body: BODY, authority: AUTHORITY },
      })
      assertTaken(headers, key)
      assert.ok(await requestVerifiedByFirst(headers, key, encoding))
      assert.ok(await requestVerifiedBySecond(headers, key, encoding))
    })
  }
})

async function requestVerifiedByFirst(
  headers: Readonly<Record<string, string>>,
  key: TestKey,
  encoding: SignatureEncoding,
): Promise<boolean> {
  const own = createVerifier(key.publicKey, key.algorithm)
  const der = async (data: Buffer, bytes: Buffer) => checkDer(key, data, bytes)
  const verified = await httpbis.verifyMessage(
    { keyLookup: async () => ({ id: key.id, verify: encoding === 'DER' ? der : own }) },
    { method: 'POST', url: URL_TEXT, headers },
  )
  return verified === true
}

async function requestVerifiedBySecond(
  headers: Readonly<Record<string, string>>,
  key: TestKey,
  encoding: SignatureEncoding,
): Promise<boolean> {
  const { algorithm } = key
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const verified = await verifySignature(
    { kind: 'request', method: 'POST', targetUri: URL_TEXT, fields },
    {
      policy: { algorithms: [algorithm], requiredComponents: COVERED, requiredParameters: ['alg'] },
      resolveVerifier: () => ({
        algorithm,
        verify: (data, bytes) =>
          encoding === 'DER' ? checkDer(key, data, bytes) : checkPlain(key, data, bytes),
      }),
    },
  )
  return verified.parameters.keyid === key.id
}

const hashOf = (algorithm: Algorithm): string => `sha${algorithm.slice(-3)}`

const checkDer = ({ algorithm, publicKey: key }: TestKey, data: Uint8Array, bytes: Uint8Array) =>
  verify(hashOf(algorithm), data, { key, dsaEncoding: 'der' }, bytes)

function checkPlain({ algorithm, publicKey: key }: TestKey, data: Uint8Array, bytes: Uint8Array) {
  if (algorithm === 'rsa-pss-sha512') {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return verify('sha512', data, { key, padding, saltLength: 64 }, bytes)
  }
  return verify(hashOf(algorithm), data, { key, dsaEncoding: 'ieee-p1363' }, bytes)
}

describe('an answer that the service signs is verified by the libraries', () => {
  const key = generateSigningKey('HTTP_EC_P256_KEY:1')
  const required = ['@status', 'signature-date', 'content-digest', 'content-type']
  const answer = '{"status":"ACCEPTED"}'
  const signed = (encoding: SignatureEncoding, status = 200): Record<string, string> => ({
    'content-type': 'application/json',
    ...signAnswer({
      status,
      body: answer,
      contentType: 'application/json',
      digest: 'sha-512',
      key,
      encoding,
      nowMs: Date.now(),
      lifetimeSeconds: 60,
    }),
  })
  const check = (encoding: SignatureEncoding, data: Uint8Array, bytes: Uint8Array): boolean => {
    const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
    return verify(
      'sha256',
      data,
      { key: key.publicKeyPem as unknown as KeyObject, dsaEncoding },
      bytes,
    )
  }

  for (const encoding of ['DER', 'RAW'] as const) {
    it(`${encoding}: http-message-signatures`, async () => {
      const first = (status: number) =>
        httpbis.verifyMessage(
          {
            keyLookup: async () => ({
              id: key.id,
              algs: ['ecdsa-p256-sha256'],
              verify: async (data, bytes) => check(encoding, data, bytes),
            }),
            requiredFields: required,
            requiredParams: ['alg', 'keyid', 'created', 'expires'],
          },
          { status, headers: signed(encoding) },
        )
      assert.equal(await first(200), true)
      assert.notEqual(await first(201), true)
    })

    it(`${encoding}: http-message-sig`, async () => {
      const fields = Object.entries(signed(encoding)).map(([name, value]) => ({ name, value }))
      const second = (status: number) =>
        verifySignature(
          { kind: 'response', status, fields },
          {
            label: 'sig-pp',
            policy: {
              algorithms: ['ecdsa-p256-sha256'],
              requiredComponents: required,
              requiredParameters: ['alg', 'keyid', 'created', 'expires'],
              maxAge: 60,
            },
            resolveVerifier: () => ({
              algorithm: 'ecdsa-p256-sha256',
              verify: (data, bytes) => check(encoding, data, bytes),
            }),
          },
        )
      assert.equal((await second(200)).parameters.keyid, key.id)
      await assert.rejects(second(400))
    })
  }
})
