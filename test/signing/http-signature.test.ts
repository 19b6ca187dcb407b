import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { verifySignature } from 'http-message-sig'
import { createVerifier, httpbis } from 'http-message-signatures'
import {
  componentList,
  prepareTarget,
  type RequestToSign,
  type SignatureEncoding,
  signatureBase,
  signatureParams,
  signRequest,
} from '../../src/signing/http-signature.ts'
import { generateSigningKey } from '../../src/signing/keys.ts'

const ALGORITHM = 'ecdsa-p256-sha256'
const COVERED = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
]
const URLS = [
  'https://merchant.example/callbacks/deposits',
  'https://merchant.example',
  'https://Merchant.EXAMPLE:443/a/../b?order=1&x=%20',
  'http://127.0.0.1:8080/hooks/%C3%A9',
  'http://[::1]:8080/hooks',
  'https://bücher.example/größe',
]

const key = generateSigningKey('HTTP_EC_P256_KEY:1')

function requestTo(url: string, changes: Partial<RequestToSign> = {}): RequestToSign {
  return {
    method: 'POST',
    target: prepareTarget(url),
    body: '{"depositId":"f4401bd2-1568-4140-bf2d-eb77d2b2b639","status":"COMPLETED"}',
    contentType: 'application/json',
    key,
    encoding: 'DER',
    nowMs: Date.now(),
    lifetimeSeconds: 60,
    ...changes,
  }
}

function checkBytes(encoding: SignatureEncoding, data: Uint8Array, signature: Uint8Array): boolean {
  const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
  return verify('sha256', data, { key: key.publicKeyPem, dsaEncoding }, signature)
}

/** The library knows only RAW of itself; for DER it is given the check of the bytes. */
async function verifiedByFirst(url: string, request: RequestToSign): Promise<boolean> {
  const raw = createVerifier(key.publicKeyPem, ALGORITHM)
  const der = async (data: Buffer, signature: Buffer) => checkBytes('DER', data, signature)
  const verified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) => {
        assert.equal(keyid, key.id)
        return { id: key.id, algs: [ALGORITHM], verify: request.encoding === 'RAW' ? raw : der }
      },
      requiredFields: COVERED,
      requiredParams: ['alg', 'keyid', 'created', 'expires'],
    },
    { method: 'POST', url, headers: { ...signRequest(request).headers } },
  )
  return verified === true
}

async function verifiedBySecond(url: string, request: RequestToSign): Promise<boolean> {
  const headers = Object.entries(signRequest(request).headers)
  const fields = headers.map(([name, value]) => ({ name, value }))
  const verified = await verifySignature(
    { kind: 'request', method: 'POST', targetUri: new URL(url).href, fields },
    {
      label: 'sig-pp',
      policy: {
        algorithms: [ALGORITHM],
        requiredComponents: COVERED,
        requiredParameters: ['alg', 'keyid', 'created', 'expires'],
        maxAge: 300,
      },
      resolveVerifier: () => ({
        algorithm: ALGORITHM,
        verify: (data, signature) => checkBytes(request.encoding, data, signature),
      }),
    },
  )
  return verified.parameters.keyid === key.id
}

describe('a signed request', () => {
  for (const encoding of ['DER', 'RAW'] as const) {
    for (const url of URLS) {
      it(`${encoding}: two independent verifiers accept it for ${url}`, async () => {
        assert.ok(await verifiedByFirst(url, requestTo(url, { encoding })))
        assert.ok(await verifiedBySecond(url, requestTo(url, { encoding })))
      })
    }

    it(`${encoding}: neither verifier accepts it for another path`, async () => {
      const request = requestTo('https://merchant.example/a', { encoding })
      assert.equal(await verifiedByFirst('https://merchant.example/b', request), false)
      await assert.rejects(verifiedBySecond('https://merchant.example/b', request))
    })
  }

  it('carries components and parameters in the order that receivers expect', () => {
    const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    const { headers } = signRequest(requestTo('https://merchant.example/a', { nowMs }))
    assert.deepEqual(Object.keys(headers), [
      'Content-Type',
      'Content-Digest',
      'Signature-Date',
      'Signature',
      'Signature-Input',
      'Accept-Signature',
      'Accept-Digest',
    ])
    assert.equal(
      headers['Signature-Input'],
      'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")' +
        ';alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=1767323045;expires=1767323105',
    )
    assert.equal(headers['Signature-Date'], '2026-01-02T03:04:05.678Z')
    assert.match(headers['Content-Digest'], /^sha-512=:[A-Za-z0-9+/]{86}==:$/)
    assert.equal(
      headers['Accept-Signature'],
      'rsa-pss-sha512,ecdsa-p256-sha256,rsa-v1_5-sha256,ecdsa-p384-sha384',
    )
    assert.equal(headers['Accept-Digest'], 'sha-256,sha-512')
  })

  it('has 64 signature bytes when RAW and an ASN.1 sequence when DER', () => {
    for (let round = 0; round < 50; round += 1) {
      assert.equal(signatureBytes('RAW').length, 64)
      const der = signatureBytes('DER')
      assert.equal(der[0], 0x30)
      assert.equal(der[1], der.length - 2)
    }
  })
})

describe('a target', () => {
  const table: readonly (readonly [url: string, authority: string, path: string])[] = [
    ['https://Merchant.Example', 'merchant.example', '/'],
    ['https://merchant.example:443/a?b=c', 'merchant.example', '/a'],
    ['http://merchant.example:80/a', 'merchant.example', '/a'],
    ['https://merchant.example:80/a', 'merchant.example:80', '/a'],
    ['http://127.0.0.1:8080/a/b/', '127.0.0.1:8080', '/a/b/'],
    ['http://[::1]:8080/', '[::1]:8080', '/'],
  ]
  for (const [url, authority, path] of table) {
    it(`of ${url} is ${authority} and ${path}`, () => {
      assert.deepEqual(prepareTarget(url), { authority, path })
      assert.deepEqual(prepareTarget(new URL(url)), { authority, path })
    })
  }
})

describe('a signature base', () => {
  it('has a line for each component and ends with the parameters, without a newline', () => {
    const list = componentList(['@status', 'content-type'])
    const params = signatureParams(list, { alg: ALGORITHM, keyid: 'k', created: 1, expires: 2 })
    const base = signatureBase(
      [
        ['@status', '200'],
        ['content-type', 'application/json'],
      ],
      params,
    )
    assert.equal(
      base,
      '"@status": 200\n"content-type": application/json\n"@signature-params": ' +
        '("@status" "content-type");alg="ecdsa-p256-sha256";keyid="k";created=1;expires=2',
    )
  })
})

function signatureBytes(encoding: SignatureEncoding): Buffer {
  const { headers } = signRequest(requestTo('https://merchant.example/a', { encoding }))
  return Buffer.from(headers.Signature.slice('sig-pp=:'.length, -1), 'base64')
}
