import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import { eventually, startService } from '../../harness/service.ts'
import { makeKey, sendTo, type TestKey } from '../../harness/signers.ts'
import {
  createSignatureChecks,
  readSignatureChecks,
} from '../../src/usecases/accounts/signature-checks.ts'
import { postSigned, signedDeposit } from '../support/signed-service.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const { token } = await addMerchant(service, { slug: 'acme', name: 'Acme Ltd' })
const commandLine = openCommandLine({ DATABASE_URL: service.databaseUrl })
const folder = mkdtempSync(join(tmpdir(), 'malipo-keys-'))
after(async () => {
  commandLine.close()
  rmSync(folder, { recursive: true })
  await service.stop()
})

const run = async (...args: string[]) => {
  const ended = await commandLine.run(args)
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
  return ended.stdout
}
const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'))
const refused = async (says: RegExp, ...args: string[]) => {
  const ended = await commandLine.run(args)
  assert.equal(ended.code, 2, ended.stdout)
  assert.match(ended.stderr, says)
}
const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const post = (key: TestKey) => postSigned(service, key, { token })
const flushed = () => service.node.ctx.signatureChecks.flush()

const key = makeKey('shop:1', 'ecdsa-p256-sha256')
const next = makeKey('shop:2', 'rsa-pss-sha512')
const DATE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`

describe('malipo merchant-key', () => {
  it('adds keys from a file or from the standard input', async () => {
    assert.equal(
      await run('merchant-key', 'add', 'acme', 'shop:1', '--file', fileOf('one.pem', key.pem)),
      'The EC P-256 key "shop:1" of acme is valid from now on.\n',
    )
    const adding = ['merchant-key', 'add', 'acme', 'shop:2', '--json']
    const piped = await commandLine.run(adding, {}, next.pem)
    assert.equal(piped.code, 0, piped.stderr)
    assert.deepEqual(JSON.parse(piped.stdout), {
      merchant: 'acme',
      keyId: 'shop:2',
      kind: 'RSA 2048',
    })
    await eventually(async () => {
      for (const one of [key, next]) assert.ok((await post(one)).headers.signature)
    })
  })

  it('lists them with kind and date, and the keys themselves for programs', async () => {
    const listing = await run('merchant-key', 'list', '--merchant', 'acme')
    assert.match(
      listing,
      new RegExp(
        '^keyId +merchant +kind +created\n' +
          `shop:1 +acme +EC P-256 +${DATE}\nshop:2 +acme +RSA 2048 +${DATE}\n$`,
      ),
    )
    const all = await runJson('merchant-key', 'list')
    assert.deepEqual(
      all.map(({ publicKey }: { publicKey: string }) => publicKey),
      [key.pem, next.pem],
    )
    assert.equal(
      await run('merchant-key', 'list', '--merchant', 'demo'),
      'The merchant "demo" has no key.\n',
    )
  })

  it('refuses what is not a public key, with the reason and what to do', async () => {
    const privatePem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const add = (name: string, ...file: string[]) => ['merchant-key', 'add', 'acme', name, ...file]
    await refused(
      /This is a private key\. Keep it to yourself, and give its public half/,
      ...add('x', '--file', fileOf('private.pem', privatePem)),
    )
    await refused(/not a public key as PEM/, ...add('x', '--file', fileOf('text.pem', 'hello')))
    await refused(
      /The key id "shop:1" is taken\. Choose another/,
      ...add('shop:1', '--file', fileOf('two.pem', next.pem)),
    )
    await refused(/The file "nowhere\.pem" cannot be read/, ...add('x', '--file', 'nowhere.pem'))
    await refused(/There is no merchant "nobody"/, 'merchant-key', 'add', 'nobody', 'x')
    assert.equal((await runJson('merchant-key', 'list')).length, 2)
  })

  it('removes one, and says so when it was the last that could be used', async () => {
    assert.equal(
      await run('merchant-key', 'remove', 'acme', 'shop:2'),
      'The key "shop:2" of acme is removed.\n',
    )
    await eventually(async () => assert.equal((await post(next)).headers.signature, undefined))
    await refused(/has no key "shop:2"/, 'merchant-key', 'remove', 'acme', 'shop:2')
  })
})

describe('malipo merchant show and signatures', () => {
  it('show what became of signatures, replays among them, before anybody requires them', async () => {
    await flushed()
    await service.database.query('delete from signature_checks')
    const repeated = signedDeposit(service, key, { token })
    for (const _ of [1, 2, 3]) await sendTo(service.url, repeated, token)
    await post(key)
    await post(next)
    await postSigned(service, key, { token, lifetime: -10 })
    await service.post('/v2/deposits', {}, { authorization: `Bearer ${token}` })
    await flushed()

    const { keys, checks, signatures, ...rest } = await runJson('merchant', 'show', 'acme')
    assert.deepEqual(
      { ...rest, id: 0 },
      { id: 0, shortName: 'acme', name: 'Acme Ltd', state: 'active' },
    )
    assert.deepEqual(signatures, {
      signedRequestsOnly: false,
      maxSignatureAge: null,
      coverAuthority: false,
      signedCallbacks: true,
      ecdsaEncoding: 'DER',
      ownKeyId: false,
    })
    assert.equal(keys.length, 1)
    const { verdicts, ...figures } = checks
    assert.deepEqual(figures, { days: 7, passed: 4, failed: 3, replayed: 2 })
    assert.deepEqual(
      verdicts.map(({ verdict, count }: { verdict: string; count: number }) => [verdict, count]),
      [
        ['VERIFIED', 4],
        ['REPLAYED', 2],
        ['EXPIRED', 1],
        ['NOT_SIGNED', 1],
        ['UNKNOWN_KEY', 1],
      ],
    )
    assert.match(verdicts[0].last, new RegExp(`^${DATE}$`))
    const words = await run('merchant', 'show', 'acme')
    assert.match(words, /^Acme Ltd \(acme\), active\n/)
    assert.match(
      words,
      /\nInitiations: need no signature\nSignatures: {2}of any age\nCallbacks: {3}signed, DER\n/,
    )
    assert.match(
      words,
      /last 7 days: 4 valid in 7 initiations, 3 would be refused if signatures were required; 2 replayed\n {2}verdict +count +last\n/,
    )
  })

  it('do not require signatures while unsigned requests come in, unless forced', async () => {
    const require = ['merchant', 'signatures', 'acme', '--signed-requests-only', 'on']
    await refused(
      new RegExp(
        '3 initiations of the last 7 days would have been refused ' +
          `\\(1 EXPIRED, last ${DATE}; 1 NOT_SIGNED, last ${DATE}; 1 UNKNOWN_KEY`,
      ),
      ...require,
    )
    assert.equal((await runJson('merchant', 'show', 'acme')).signatures.signedRequestsOnly, false)
    assert.match(await run(...require, '--anyway'), /\nInitiations: only signed ones are taken\n/)
    await eventually(async () => {
      assert.equal((await post(next)).status, 401)
      assert.equal((await post(key)).status, 200)
    })
    assert.match(
      await run('merchant-key', 'remove', 'acme', 'shop:1'),
      /It was the last one, and only signed requests are taken: every initiation is refused now\./,
    )
    await run('merchant', 'signatures', 'acme', '--signed-requests-only', 'off')
    const noKey = /has no public key, so every initiation would be refused/
    await refused(noKey, ...require)
    await refused(noKey, ...require, '--anyway')
  })

  it('change nothing that was not named, and refuse what they do not understand', async () => {
    const set = (...options: string[]) => runJson('merchant', 'signatures', 'acme', ...options)
    const { signatures } = await set('--encoding', 'RAW', '--signed-callbacks', 'off')
    const changed = { ...signatures, signedCallbacks: false, ecdsaEncoding: 'RAW' }
    assert.deepEqual(signatures, changed)
    const switches = ['--cover-authority', 'on', '--own-key-id', 'on']
    const strict = { ...changed, maxSignatureAge: 300, coverAuthority: true, ownKeyId: true }
    assert.deepEqual((await set('--max-age', '300', ...switches)).signatures, strict)
    assert.deepEqual((await set('--encoding', 'RAW')).signatures, strict)
    assert.match(
      await run('merchant', 'show', 'acme'),
      /\nSignatures: {2}for 300 s, each once, with the host \(only while signatures are required\)\nCallbacks: {3}not signed, RAW, own key id\n/,
    )
    const { maxSignatureAge } = (await set('--max-age', 'off')).signatures
    assert.equal(maxSignatureAge, null)
    const wrong = ['merchant', 'signatures', 'acme']
    await refused(/Nothing to change was named/, ...wrong)
    await refused(/takes on or off, not "yes"/, ...wrong, '--signed-requests-only', 'yes')
    for (const age of ['0', '86401', '5m', '-1', '1.5']) {
      await refused(/takes whole seconds from 1 to 86400, or off/, ...wrong, `--max-age=${age}`)
    }
    await refused(/takes DER or RAW, not "der"/, ...wrong, '--encoding', 'der')
    await refused(/There is no merchant "nobody"/, 'merchant', 'show', 'nobody')
  })

  it('count the last seven days, and delete what lies before them', async () => {
    const day = 86_400_000
    let now = Date.now() + 100 * day
    const checks = createSignatureChecks(service.database, () => now)
    const acme = (await service.node.ctx.merchants.byToken(token))?.merchant.id
    assert.ok(acme !== undefined)
    for (const _ of Array(10)) {
      checks.note(acme, 'VERIFIED')
      checks.note(acme, 'EXPIRED')
      await checks.flush()
      now += day
    }
    now -= day
    const { passed, failed } = await readSignatureChecks(service.database, acme, now)
    assert.deepEqual({ passed, failed }, { passed: 7, failed: 7 })
    const [left] = await service.database.query('select count(*)::int from signature_checks')
    assert.deepEqual(left, { count: 14 })
  })
})
