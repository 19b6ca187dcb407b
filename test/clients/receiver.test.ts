import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import {
  createCallbackVerifier,
  type PublishedKey,
  type ReceivedCallback,
  verifyCallback,
} from '../../src/sdk/receiver.ts'
import { prepareTarget, signRequest } from '../../src/signing/http-signature.ts'
import { generateSigningKey } from '../../src/signing/keys.ts'
import { rotateSigningKey } from '../../src/usecases/accounts/signing-keys.ts'
import { freePorts } from '../support/ports.ts'

type Receiver = typeof import('../../src/sdk/receiver.ts')

/** What the package gives to programs that receive callbacks. */
const SECRET = randomBytes(32).toString('hex')
const service = await startService({ MALIPO_SECRET_KEY: SECRET })
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

async function callbackOfDeposit(): Promise<ReceivedCallback> {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const { id } = await service.deposit()
  return eventually(() => {
    const found = receiver.received.find(({ body }) => body.includes(id))
    assert.ok(found !== undefined)
    return found
  })
}

async function publishedKeys(): Promise<readonly PublishedKey[]> {
  return (await service.get('/public-key/http')).body
}

describe('verifyCallback', () => {
  it('distinguishes a callback of the service from a changed one', async () => {
    const callback = await callbackOfDeposit()
    const keys = await publishedKeys()
    const [keyId] = keys.map(({ id }) => id)
    const options = { callbackUrl: receiver.url }
    assert.deepEqual(verifyCallback(callback, keys, options), { ok: true, keyId })
    const CHANGES: readonly (readonly [Partial<ReceivedCallback>, code: string, says: RegExp])[] = [
      [{ body: `${callback.body} ` }, 'WRONG_DIGEST', /raw bytes/],
      [{ method: 'PUT' }, 'NOT_VERIFIED', /callbackUrl/],
      [{ headers: { host: 'shop.example' } }, 'NOT_SIGNED', /not signed/],
    ]
    for (const [change, code, says] of CHANGES) {
      const verdict = verifyCallback({ ...callback, ...change }, keys, options)
      assert.ok(!verdict.ok)
      assert.equal(verdict.code, code)
      assert.match(verdict.reason, says)
    }
    assert.ok(!verifyCallback(callback, keys, { ...options, now: Date.now() + 120_000 }).ok)
    assert.ok(!verifyCallback(callback, [], options).ok)
  })

  it('does the same in the build for CommonJS', async () => {
    const built = createRequire(import.meta.url)('malipo/receiver') as Receiver
    const callback = await callbackOfDeposit()
    const [key] = await publishedKeys()
    const verify = built.createCallbackVerifier({
      service: service.url,
      callbackUrl: receiver.url,
    })
    assert.deepEqual(await verify(callback), { ok: true, keyId: key?.id })
    const changed = await verify({ ...callback, body: `${callback.body} ` })
    assert.ok(!changed.ok && changed.code === 'WRONG_DIGEST')
    assert.deepEqual(Object.keys(built), Object.keys(await import('../../src/sdk/receiver.ts')))
  })

  it('is for one address, whatever the request says of itself', async () => {
    const callback = await callbackOfDeposit()
    const keys = await publishedKeys()
    const elsewhere = [`${receiver.url}/more`, 'https://shop.example/callbacks']
    for (const callbackUrl of elsewhere) {
      assert.ok(!verifyCallback(callback, keys, { callbackUrl }).ok)
      const host = new URL(callbackUrl).host
      const changed = { ...callback, headers: { ...callback.headers, host } }
      assert.ok(!verifyCallback(changed, keys, { callbackUrl }).ok)
      assert.ok(verifyCallback(changed, keys, { callbackUrl: receiver.url }).ok)
    }
  })
})

describe('createCallbackVerifier', () => {
  it('fetches the keys once, and again for a key made since', async () => {
    let [now, fetched] = [Date.now(), 0]
    const verify = createCallbackVerifier({
      service: service.url,
      callbackUrl: receiver.url,
      now: () => now,
      fetchKeys: (address) => {
        assert.equal(address, `${service.url}/public-key/http`)
        fetched += 1
        return publishedKeys()
      },
    })
    const before = await callbackOfDeposit()
    assert.ok((await verify(before)).ok)
    assert.ok((await verify(before)).ok)
    assert.equal(fetched, 1)

    const { current } = await rotateSigningKey(service.database, SECRET, Date.now())
    await eventually(async () => assert.equal((await publishedKeys())[0]?.id, current))
    const since = await callbackOfDeposit()
    assert.equal((await verify(since)).ok, false, 'asked again within seconds, it does not fetch')
    assert.equal(fetched, 1)
    now += 11_000
    assert.deepEqual(await verify(since), { ok: true, keyId: current })
    assert.ok((await verify(before)).ok, 'what the retired key has signed is still good')
    assert.equal(fetched, 2)
  })
})

it('says so when the keys cannot be fetched, and fetches them later', async () => {
  let [isAway, now, fetched] = [true, Date.now(), 0]
  const verify = createCallbackVerifier({
    service: service.url,
    callbackUrl: receiver.url,
    now: () => now,
    fetchKeys: async () => {
      fetched += 1
      if (isAway) throw new Error('not reachable')
      return publishedKeys()
    },
  })
  const callback = await callbackOfDeposit()
  const verdict = await verify(callback)
  assert.ok(!verdict.ok)
  assert.equal(verdict.code, 'NO_KEYS')
  assert.match(verdict.reason, /not reachable/)
  for (const _ of [1, 2, 3]) assert.deepEqual(await verify(callback), verdict)
  assert.equal(fetched, 1)
  isAway = false
  assert.equal((await verify(callback)).ok, false, 'a failure is remembered for a while')
  now += 10_000
  assert.ok((await verify(callback)).ok)
})

describe('keys that the service no longer has', () => {
  const key = generateSigningKey('K:1')
  const published = { id: key.id, key: key.publicKeyPem }
  const callbackUrl = 'https://shop.example/callbacks'
  const began = Date.now()
  let [now, isAway, keys, fetched] = [began, false, [published], 0]
  const verify = createCallbackVerifier({
    service: 'https://pay.example',
    callbackUrl,
    now: () => now,
    fetchKeys: async () => {
      fetched += 1
      if (isAway) throw new Error('not reachable')
      return keys
    },
  })
  const signedAs = (id: string) =>
    signRequest({
      method: 'POST',
      target: prepareTarget(callbackUrl),
      body: '{}',
      contentType: 'application/json',
      key: { ...key, id },
      encoding: 'DER',
      nowMs: now,
      lifetimeSeconds: 60,
    })
  /** What becomes of a callback that the key signs at that time. */
  const codeAt = async (minutes: number): Promise<string> => {
    now = began + minutes * 60_000
    const verdict = await verify({ method: 'POST', headers: signedAs(key.id).headers, body: '{}' })
    return verdict.ok ? 'OK' : verdict.code
  }

  it('are not trusted for longer than five minutes while the list can be read', async () => {
    assert.equal(await codeAt(0), 'OK')
    assert.equal(await codeAt(4.9), 'OK')
    assert.equal(fetched, 1)
    keys = [{ ...published, id: 'K:2' }]
    assert.equal(await codeAt(5), 'UNKNOWN_KEY')
    assert.equal(fetched, 2)
  })

  it('are trusted for an hour while it cannot be read, and it is not asked for each time', async () => {
    keys = [published]
    assert.equal(await codeAt(10), 'OK')
    isAway = true
    assert.equal(await codeAt(69), 'OK')
    const before = fetched
    for (const _ of [1, 2, 3]) assert.equal(await codeAt(69), 'OK')
    assert.equal(fetched, before)
    for (const _ of [1, 2, 3]) assert.equal(await codeAt(70), 'NO_KEYS')
    assert.equal(fetched, before + 1)
    isAway = false
    assert.equal(await codeAt(71), 'OK')
  })

  it('and those for another account are not accepted for this one', async () => {
    const options = { callbackUrl, service: 'https://pay.example', account: 'acme', now: () => now }
    for (const list of [[published], [{ ...published, id: 'K:1@acme' }]]) {
      const forAcme = createCallbackVerifier({ ...options, fetchKeys: async () => list })
      for (const [id, code] of [
        ['K:1@acme', 'OK'],
        ['K:1@other', 'UNKNOWN_KEY'],
        ['K:1', 'UNKNOWN_KEY'],
      ] as const) {
        const { headers } = signedAs(id)
        const verdict = await forAcme({ method: 'POST', headers, body: '{}' })
        assert.equal(verdict.ok ? 'OK' : verdict.code, code, id)
      }
    }
  })
})

it('accepts nothing that is not a list of keys', async () => {
  const callback = await callbackOfDeposit()
  for (const found of [undefined, {}, [], [{ id: 1, key: '' }], ['x']]) {
    const verify = createCallbackVerifier({
      service: service.url,
      callbackUrl: receiver.url,
      fetchKeys: async () => found as unknown as readonly PublishedKey[],
    })
    const verdict = await verify(callback)
    assert.equal(verdict.ok ? '' : verdict.code, 'NO_KEYS')
  }
})

describe('the example', { timeout: 240_000 }, () => {
  it('verifies real callbacks, refuses others, and survives clients that disconnect', async () => {
    const { port, callbackUrl, output, stop } = await startExample()
    try {
      const cutOff = connect({ port, host: '127.0.0.1' })
      cutOff.write('POST /callbacks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
      await once(cutOff, 'connect')
      cutOff.end()
      await eventually(() => assert.match(output(), /failed: aborted/))
      await service.put('/sandbox/callbacks', { deposit: callbackUrl })
      const { id } = await service.deposit()
      await eventually(() => assert.match(output(), new RegExp(`verified with \\S+: .*${id}`)))
      const forged = await fetch(callbackUrl, {
        method: 'POST',
        body: JSON.stringify({ depositId: randomUUID(), status: 'COMPLETED' }),
      })
      assert.equal(forged.status, 401)
      await eventually(() => assert.match(output(), /refused: The callback is not signed/))
    } finally {
      await stop()
    }
  })
})

type Example = {
  readonly port: number
  readonly callbackUrl: string
  output(): string
  stop(): Promise<void>
}

/** The receiver of the examples; on another port if the first one is in use meanwhile. */
async function startExample(tries = 5): Promise<Example> {
  const port = await freePorts()
  const callbackUrl = `http://127.0.0.1:${port}/callbacks`
  const child = spawn(process.execPath, ['examples/node/receiver.mjs'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { PATH: process.env.PATH, MALIPO_URL: service.url, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let [output, complaints] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
    process.stderr.write(text)
  })
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  try {
    await eventually(() => {
      assert.ok(output.includes(`listening for ${callbackUrl}`) || child.exitCode !== null)
    })
    assert.equal(child.exitCode, null)
    return { port, callbackUrl, output: () => output, stop }
  } catch (error) {
    await stop()
    if (tries > 1 && complaints.includes('EADDRINUSE')) return startExample(tries - 1)
    throw error
  }
}
