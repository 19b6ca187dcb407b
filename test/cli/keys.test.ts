import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { openCommandLine } from './command-line.ts'

const SECRET = 'a secret of thirty-two characters and more'
const settings = { MALIPO_SECRET_KEY: SECRET }
const first = await startService(settings)
const second = await first.addNode(settings)
const receiver = await startReceiver()
const commandLine = openCommandLine({ DATABASE_URL: first.databaseUrl, ...settings })
const folder = mkdtempSync(join(tmpdir(), 'malipo-secret-'))
after(async () => {
  commandLine.close()
  rmSync(folder, { recursive: true })
  await second.stop()
  await first.stop()
  await receiver.close()
})

const run = async (...args: string[]) => {
  const ended = await commandLine.run(args)
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
  return ended.stdout
}

type Published = { readonly id: string; readonly key: string }
const published = async (node: Service): Promise<readonly Published[]> =>
  (await node.get('/public-key/http')).body
const idsOn = async (node: Service) => (await published(node)).map(({ id }) => id)

/** The newest callback, verified with the key that it names, as a receiver does it. */
async function callbackVia(node: Service): Promise<string> {
  const count = receiver.received.length
  const { id } = await node.deposit()
  await node.reaches(id, 'COMPLETED')
  await eventually(() => assert.ok(receiver.received.length > count))
  const message = receiver.received.at(-1)
  return keyIdOf(String(message?.headers['signature-input']))
}

const keyIdOf = (input: string): string => /keyid="([^"]+)"/.exec(input)?.[1] ?? ''

function assertVerifiable(keys: readonly Published[]): void {
  for (const { headers, method, path } of receiver.received) {
    const input = String(headers['signature-input'])
    const key = keys.find(({ id }) => id === keyIdOf(input))?.key ?? ''
    const { host, pathname } = new URL(path, `http://${headers.host}`)
    const base = [
      `"@method": ${method}`,
      `"@authority": ${host}`,
      `"@path": ${pathname}`,
      `"signature-date": ${headers['signature-date']}`,
      `"content-digest": ${headers['content-digest']}`,
      `"content-type": ${headers['content-type']}`,
      `"@signature-params": ${input.replace('sig-pp=', '')}`,
    ].join('\n')
    const bytes = Buffer.from(String(headers.signature).slice('sig-pp=:'.length, -1), 'base64')
    assert.ok(verify('sha256', Buffer.from(base), key, bytes), keyIdOf(input))
  }
}

it('the first start creates the first key', async () => {
  await first.put('/sandbox/callbacks', { deposit: receiver.url })
  assert.deepEqual(JSON.parse(await run('key', 'list', '--json')).map(withoutDate), [
    { keyId: 'HTTP_EC_P256_KEY:1', state: 'current', retired: null },
  ])
  assert.equal(await callbackVia(second), 'HTTP_EC_P256_KEY:1')
})

const withoutDate = ({ created: _, ...rest }: Record<string, unknown>) => rest

it('a rotation counts up, and every node signs with the new key and publishes both', async () => {
  assert.equal(
    await run('key', 'rotate'),
    'HTTP_EC_P256_KEY:2 signs from now on. HTTP_EC_P256_KEY:1 stays published for two days, so ' +
      'that what it has signed can be verified.\n',
  )
  for (const node of [first, second]) {
    await eventually(async () =>
      assert.deepEqual(await idsOn(node), ['HTTP_EC_P256_KEY:2', 'HTTP_EC_P256_KEY:1']),
    )
    assert.deepEqual((await node.get('/v2/public-key/http')).body, await published(node))
    assert.equal(await callbackVia(node), 'HTTP_EC_P256_KEY:2')
  }
  // What was signed before the rotation is verified by its key id as well.
  assertVerifiable(await published(second))
  const listing = await run('key', 'list')
  assert.match(listing, /^keyId +state +created +retired\n/)
  assert.match(listing, /^HTTP_EC_P256_KEY:2 +current +\S+$/m)
  assert.match(listing, /^HTTP_EC_P256_KEY:1 +retired, published +\S+ +\S+$/m)
})

it('two rotations at once make two keys, of which one is current', async () => {
  const other = openCommandLine({ DATABASE_URL: first.databaseUrl, ...settings })
  const ended = await Promise.all([
    commandLine.run(['key', 'rotate', '--json']),
    other.run(['key', 'rotate', '--json']),
  ])
  other.close()
  assert.deepEqual(ended.map(({ stdout }) => JSON.parse(stdout).current).toSorted(), [
    'HTTP_EC_P256_KEY:3',
    'HTTP_EC_P256_KEY:4',
  ])
  const states = JSON.parse(await run('key', 'list', '--json')).map(
    ({ state }: { state: string }) => state,
  )
  assert.deepEqual(states, ['current', ...Array(3).fill('retired, published')])
  await eventually(async () => assert.equal((await idsOn(second))[0], 'HTTP_EC_P256_KEY:4'))
})

it('a retired key is published for more than a day, and no longer after two', async () => {
  const retireAgo = (hours: number, key: number) =>
    first.database.query(
      `update signing_keys set retired_at = now() - make_interval(hours => $1)
       where key_number = $2`,
      [hours, key],
    )
  await retireAgo(25, 2)
  await retireAgo(49, 1)
  await run('key', 'rotate')
  await eventually(async () =>
    assert.deepEqual(
      (await idsOn(first)).map((id) => id.at(-1)),
      ['5', '4', '3', '2'],
    ),
  )
  assert.match(await run('key', 'list'), /^HTTP_EC_P256_KEY:1 +retired +\S+ +\S+$/m)
})

it('compromised keys are no longer published by any node', async () => {
  assert.equal(
    await run('key', 'rotate', '--compromised'),
    'HTTP_EC_P256_KEY:6 signs from now on. HTTP_EC_P256_KEY:5 and all before it are withdrawn: ' +
      'ask merchants who keep a copy of the published keys to drop it.\n',
  )
  for (const node of [first, second]) {
    await eventually(async () => assert.deepEqual(await idsOn(node), ['HTTP_EC_P256_KEY:6']))
    assert.equal(await callbackVia(node), 'HTTP_EC_P256_KEY:6')
  }
  assert.match(await run('key', 'list'), /^HTTP_EC_P256_KEY:5 +withdrawn +\S+ +\S+$/m)
})

it('a node that starts later signs with the current key', async () => {
  const third = await first.addNode(settings)
  assert.equal((await idsOn(third))[0], 'HTTP_EC_P256_KEY:6')
  await third.stop()
})

it('the secret may come from a file, and another secret rotates nothing', async () => {
  const file = join(folder, 'secret')
  writeFileSync(file, `${SECRET}\n`)
  const fromFile = { MALIPO_SECRET_KEY: '', MALIPO_SECRET_KEY_FILE: file }
  const ended = await commandLine.run(['key', 'rotate', '--json'], fromFile)
  assert.equal(JSON.parse(ended.stdout).current, 'HTTP_EC_P256_KEY:7')
  await eventually(async () => assert.equal((await idsOn(second))[0], 'HTTP_EC_P256_KEY:7'))

  const strange = {
    MALIPO_SECRET_KEY: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '',
  }
  const refused = await commandLine.run(['key', 'rotate'], strange)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /MALIPO_SECRET_KEY does not fit the stored data/)

  const missing = await commandLine.run(['key', 'rotate'], {
    ...fromFile,
    MALIPO_SECRET_KEY_FILE: `${file}x`,
  })
  assert.match(
    missing.stderr,
    /MALIPO_SECRET_KEY_FILE names ".*x", which cannot be read \(ENOENT\)/,
  )
  const both = await commandLine.run(['key', 'rotate'], { MALIPO_SECRET_KEY_FILE: file })
  assert.match(both.stderr, /is set beside MALIPO_SECRET_KEY\. Set one of them/)
  writeFileSync(file, 'short\n')
  const short = await commandLine.run(['key', 'rotate'], fromFile)
  assert.match(short.stderr, /needs at least 32 characters/)
  assert.equal(JSON.parse(await run('key', 'list', '--json')).length, 7)
})
