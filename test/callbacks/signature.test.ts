import assert from 'node:assert/strict'
import { createHash, verify } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { verifySignature } from 'http-message-sig'
import { createVerifier, httpbis } from 'http-message-signatures'
import { type Received, startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { announceChange } from '../../src/store/cluster/service-state.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const ALGORITHM = 'ecdsa-p256-sha256'
const COVERED = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
]
const PARAMETERS = ['alg', 'keyid', 'created', 'expires']
type Encoding = 'DER' | 'RAW'

/** The callback of a real deposit, as its receiver got it. */
async function callbackOfDeposit(): Promise<Received> {
  const { id } = await service.deposit()
  return eventually(() => {
    const found = receiver.received.find(({ body }) => JSON.parse(body).depositId === id)
    assert.ok(found !== undefined)
    return found
  })
}

async function publicKey(keyId: string): Promise<string> {
  const { body } = await service.get('/v2/public-key/http')
  const found = body.find(({ id }: { id: string }) => id === keyId)
  assert.ok(found !== undefined)
  return found.key
}

/** The first library knows only RAW of itself; for DER it is given the check of the bytes. */
async function verifiedByFirst(message: Received, encoding: Encoding): Promise<boolean> {
  const verified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid = '' }) => {
        const pem = await publicKey(keyid)
        const der = async (data: Buffer, signature: Buffer) =>
          checkBytes(pem, 'DER', data, signature)
        const check = encoding === 'RAW' ? createVerifier(pem, ALGORITHM) : der
        return { id: keyid, algs: [ALGORITHM], verify: check }
      },
      requiredFields: COVERED,
      requiredParams: PARAMETERS,
    },
    { method: message.method, url: receiver.url, headers: headersOf(message) },
  )
  return verified === true
}

async function verifiedBySecond(message: Received, encoding: Encoding): Promise<boolean> {
  const fields = Object.entries(headersOf(message)).map(([name, value]) => ({ name, value }))
  const keyId = /keyid="([^"]+)"/.exec(headersOf(message)['signature-input'] ?? '')?.[1] ?? ''
  const pem = await publicKey(keyId)
  const verified = await verifySignature(
    { kind: 'request', method: message.method, targetUri: receiver.url, fields },
    {
      label: 'sig-pp',
      policy: {
        algorithms: [ALGORITHM],
        requiredComponents: COVERED,
        requiredParameters: PARAMETERS,
        maxAge: 300,
      },
      resolveVerifier: () => ({
        algorithm: ALGORITHM,
        verify: (data, signature) => checkBytes(pem, encoding, data, signature),
      }),
    },
  ).catch(() => undefined)
  return verified?.parameters.keyid === keyId
}

function checkBytes(
  key: string,
  encoding: Encoding,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
  return verify('sha256', data, { key, dsaEncoding }, signature)
}

function headersOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

async function setting(assignment: string): Promise<void> {
  await service.database.inTransaction(async (tx) => {
    await tx.query(`update merchants set ${assignment}`)
    await announceChange(tx)
  })
  const wanted = assignment.replace(/^.*= /, '').replaceAll("'", '')
  await eventually(async () => {
    const id = (await service.node.ctx.merchants.byToken(service.token))?.merchant
    assert.ok([id?.ecdsaEncoding, String(id?.signedCallbacks)].includes(wanted as Encoding))
  })
}

describe('the callback of a deposit', { timeout: 240_000 }, () => {
  it('is verified by two independent libraries with the published key', async () => {
    const message = await callbackOfDeposit()
    assert.ok(await verifiedByFirst(message, 'DER'))
    assert.ok(await verifiedBySecond(message, 'DER'))
  })

  it('is not verified by either once a covered header was changed', async () => {
    const message = await callbackOfDeposit()
    for (const name of ['content-digest', 'signature-date', 'content-type']) {
      const forged = { ...message, headers: { ...message.headers, [name]: 'text/plain' } }
      assert.equal(await verifiedByFirst(forged, 'DER').catch(() => false), false)
      assert.equal(await verifiedBySecond(forged, 'DER'), false)
    }
  })

  it('carries the digest of its body, and real time whatever the test clock says', async () => {
    await service.advance(86_400)
    const { body, headers, method, path } = await callbackOfDeposit()
    assert.equal(method, 'POST')
    assert.equal(path, '/callbacks')
    assert.equal(headers['content-type'], 'application/json')
    const digest = createHash('sha512').update(body).digest('base64')
    assert.equal(headers['content-digest'], `sha-512=:${digest}:`)
    const input = String(headers['signature-input'])
    const created = Number(/created=(\d+)/.exec(input)?.[1])
    const expires = Number(/expires=(\d+)/.exec(input)?.[1])
    assert.ok(Math.abs(created - Date.now() / 1000) < 60)
    assert.equal(expires, created + 60)
  })

  it('is signed in RAW for a merchant whose verifier takes only that', async () => {
    await setting(`ecdsa_encoding = 'RAW'`)
    const message = await callbackOfDeposit()
    const signature = /:(.+):/.exec(String(message.headers.signature))?.[1] ?? ''
    assert.equal(Buffer.from(signature, 'base64').length, 64)
    assert.ok(await verifiedByFirst(message, 'RAW'))
    assert.ok(await verifiedBySecond(message, 'RAW'))
    await setting(`ecdsa_encoding = 'DER'`)
  })

  it('is not signed for a merchant who has switched signatures off', async () => {
    await setting('signed_callbacks = false')
    const { headers } = await callbackOfDeposit()
    assert.equal(headers['content-type'], 'application/json')
    for (const name of ['signature', 'signature-input', 'signature-date', 'content-digest']) {
      assert.equal(headers[name], undefined)
    }
    await setting('signed_callbacks = true')
  })

  it('is shown in the list of deliveries as it was sent', async () => {
    const message = await callbackOfDeposit()
    const id = JSON.parse(message.body).depositId
    const attempt = await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.equal(body[0].delivery, 'DELIVERED')
      return body[0].attempts[0]
    })
    assert.equal(attempt.requestBody, message.body)
    for (const [name, value] of Object.entries(attempt.requestHeaders)) {
      assert.equal(message.headers[name.toLowerCase()], value, name)
    }
    assert.ok('Signature' in attempt.requestHeaders)
  })
})
