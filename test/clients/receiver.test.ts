import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  createCallbackVerifier,
  type PublishedKey,
  type ReceivedCallback,
  verifyCallback,
} from '../../src/receiver.ts'
import { rotateSigningKey } from '../../src/usecases/signing-keys.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, startService } from '../support/service.ts'

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
  it('tells a callback of the service from a changed one', async () => {
    const callback = await callbackOfDeposit()
    const keys = await publishedKeys()
    const [keyId] = keys.map(({ id }) => id)
    assert.deepEqual(verifyCallback(callback, keys), { ok: true, keyId })
    const CHANGES: readonly (readonly [Partial<ReceivedCallback>, code: string, says: RegExp])[] = [
      [{ body: `${callback.body} ` }, 'WRONG_DIGEST', /raw bytes/],
      [{ method: 'PUT' }, 'NOT_VERIFIED', /proxy/],
      [{ path: '/elsewhere' }, 'NOT_VERIFIED', /proxy/],
      [{ headers: { ...callback.headers, host: 'other.example' } }, 'NOT_VERIFIED', /proxy/],
      [{ headers: { host: 'shop.example' } }, 'NOT_SIGNED', /not signed/],
    ]
    for (const [change, code, says] of CHANGES) {
      const verdict = verifyCallback({ ...callback, ...change }, keys)
      assert.ok(!verdict.ok)
      assert.equal(verdict.code, code)
      assert.match(verdict.reason, says)
    }
    assert.ok(!verifyCallback(callback, keys, { now: Date.now() + 120_000 }).ok)
    assert.ok(!verifyCallback(callback, []).ok)
  })

  it('takes the address that the service was told, behind a proxy', async () => {
    const callback = await callbackOfDeposit()
    const seen = {
      ...callback,
      path: '/inner',
      headers: { ...callback.headers, host: 'inner.example' },
    }
    const keys = await publishedKeys()
    assert.ok(!verifyCallback(seen, keys).ok)
    assert.ok(verifyCallback(seen, keys, { callbackUrl: receiver.url }).ok)
  })
})

describe('createCallbackVerifier', () => {
  it('fetches the keys once, and again for a key made since', async () => {
    let [now, fetched] = [Date.now(), 0]
    const verify = createCallbackVerifier({
      service: service.url,
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

it('the example verifies real callbacks, and refuses what anybody else sends', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = spawn(process.execPath, ['examples/receiver.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, MALIPO_URL: service.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  try {
    const url = await eventually(() => {
      const found = /listening on (\S+)/.exec(said)?.[1]
      assert.ok(found !== undefined)
      return found
    })
    await service.put('/sandbox/callbacks', { deposit: `${url}/callbacks` })
    const { id } = await service.deposit()
    await eventually(() => assert.match(said, new RegExp(`verified with \\S+: .*${id}`)))
    const forged = await fetch(`${url}/callbacks`, {
      method: 'POST',
      body: JSON.stringify({ depositId: randomUUID(), status: 'COMPLETED' }),
    })
    assert.equal(forged.status, 401)
    await eventually(() => assert.match(said, /refused: The callback is not signed/))
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
