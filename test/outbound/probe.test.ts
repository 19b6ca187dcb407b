import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ADDRESS_POLICIES } from '../../src/outbound/address-guard.ts'
import { probe } from '../../src/outbound/probe.ts'
import { startEncrypted, startReceiver, startTcp, unusedPort } from './receivers.ts'

const SANDBOX = { policy: ADDRESS_POLICIES.sandbox }
const PRODUCTION = { policy: ADDRESS_POLICIES.production }

it('connects, and asks nothing', async (t) => {
  const requests: string[] = []
  const url = await startReceiver(t, ({ url: path = '' }, response) => {
    requests.push(path)
    response.end()
  })
  assert.deepEqual(await probe(url.href, SANDBOX), { ok: true, certificateEndsMs: undefined })
  assert.deepEqual(requests, [])
})

it('reads until when a trusted certificate is good', async (t) => {
  const { url, certificate } = await startEncrypted(t, (_, response) => response.end())
  const probed = await probe(url.href, { ...SANDBOX, ca: certificate })
  assert.deepEqual(probed, { ok: true, certificateEndsMs: Date.UTC(9999, 11, 31, 23, 59, 59) })
})

it('says why an address cannot be used', async (t) => {
  const { url: untrusted } = await startEncrypted(t, (_, response) => response.end())
  const plain = await startTcp(t, (socket) => socket.end('hello'))
  const closed = `http://127.0.0.1:${await unusedPort()}/`
  const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
  const cases = [
    [untrusted.href, SANDBOX, /^the certificate is not trusted/],
    [plain.href.replace('http:', 'https:'), SANDBOX, /^no encrypted connection|^connection reset/],
    [closed, SANDBOX, /^connection refused$/],
    // The guard of production is asked before anything is connected to.
    [untrusted.href, PRODUCTION, /^address refused: .*127\.0\.0\.1/],
    [closed, PRODUCTION, /^address refused: .*not encrypted/],
    ['https://shop.example/', { ...PRODUCTION, resolve }, /^address refused: .*10\.0\.0\.7/],
    ['nowhere', SANDBOX, /^address refused: .*not a valid URL/],
  ] as const
  for (const [address, options, says] of cases) {
    const probed = await probe(address, options)
    assert.ok(!probed.ok, address)
    assert.match(probed.reason, says)
  }
})

it('waits no longer than asked to', async (t) => {
  // Accepts, and never answers the first message of TLS.
  const url = await startTcp(t, () => {})
  const address = url.href.replace('http:', 'https:')
  const probed = await probe(address, { ...SANDBOX, timeoutMs: 100 })
  assert.deepEqual(probed, { ok: false, reason: 'no connection within 0.1 s' })
})
