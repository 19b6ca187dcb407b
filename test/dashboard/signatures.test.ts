import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId, database } = service
const developer = await signedIn(service, 'developer', { merchantId })
const PAGE = '/dashboard/signatures'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const isRequired = async (): Promise<unknown> =>
  (
    await database.query<{ on: boolean }>(
      'select signed_requests_only as on from merchants where merchant_id = $1',
      [merchantId],
    )
  )[0]?.on

describe('signatures', () => {
  it('are not required while there is no key', async () => {
    const answer = await developer.post(`${PAGE}/require`, { required: 'yes', anyway: 'yes' })
    assert.equal(answer.status, 303)
    assert.equal(await isRequired(), false)
    assert.match((await developer.get(PAGE)).text, /Add a key first/)
  })

  it('have a page that explains what is wrong with a key', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const ed = generateKeyPairSync('ed25519')
    const spki = { type: 'spki', format: 'pem' } as const
    const wrong = [
      [privatePem, /This is a private key/],
      ['hello', /not a public key as PEM/],
      [pem.replace('MFkw', 'AAAA'), /cannot be read/],
      [pem + pem, /more than one key/],
      [short.publicKey.export(spki).toString(), /has 1024 bits/],
      [ed.publicKey.export(spki).toString(), /of the kind ed25519/],
      ['-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----', /This is a certificate/],
    ] as const
    for (const [text, reason] of wrong) {
      const answer = await developer.post(`${PAGE}/keys`, { keyId: 'shop:1', pem: text })
      assert.equal(answer.status, 400)
      assert.match(answer.text, reason)
      assert.doesNotMatch(answer.text, /BEGIN PRIVATE KEY/)
    }
    const named = await developer.post(`${PAGE}/keys`, { keyId: '"', pem })
    assert.match(named.text, /This key id cannot be used/)
  })

  it('are verified by keys that are listed with kind, algorithm and fingerprint', async () => {
    assert.equal((await developer.post(`${PAGE}/keys`, { keyId: 'shop:1', pem })).status, 303)
    const { text } = await developer.get(PAGE)
    const der = pair.publicKey.export({ type: 'spki', format: 'der' })
    const digits = createHash('sha256').update(der).digest('hex').toUpperCase()
    assert.ok(text.includes(digits.match(/../g)?.join(':') ?? 'none'))
    assert.match(text, /EC P-256/)
    assert.match(text, /ecdsa-p256-sha256/)
    assert.match(text, /action="\/dashboard\/signatures\/keys\/remove"/)
    const limited = await signedIn(service, 'developer', { merchantId, countries: ['ZMB'] })
    const seen = (await limited.get(PAGE)).text
    assert.match(seen, /ecdsa-p256-sha256/)
    assert.match(seen, /holds for all countries, and your access is limited to Zambia\./)
    assert.doesNotMatch(seen, /action="\/dashboard\/signatures/, 'no form that would be refused')
    const again = await developer.post(`${PAGE}/keys`, { keyId: 'shop:1', pem })
    assert.match(again.text, /This key id is taken/)
  })

  it('are required after a look at what that would refuse', async () => {
    await service.deposit()
    const { text } = await developer.get(PAGE)
    assert.match(text, /Of the last 1 requests that could be signed, 0 would pass\./)
    assert.match(text, /NOT_SIGNED/)
    await developer.post(`${PAGE}/require`, { required: 'yes' })
    assert.equal(await isRequired(), false)
    await developer.post(`${PAGE}/require`, { required: 'yes', anyway: 'yes' })
    assert.equal(await isRequired(), true)
    assert.equal((await service.deposit()).status, 401)
    const removing = await developer.post(`${PAGE}/keys/remove`, { keyId: 'shop:1' })
    assert.equal(removing.status, 303)
    assert.match((await developer.get(PAGE)).text, /shop:1/, 'the last key stays')
    await developer.post(`${PAGE}/require`, { required: 'no' })
    assert.equal((await service.deposit()).status, 200)
    await developer.post(`${PAGE}/keys/remove`, { keyId: 'shop:1' })
    assert.doesNotMatch((await developer.get(PAGE)).text, /shop:1/)
  })

  it('have settings as the commands have them', async () => {
    const fields = { signedCallbacks: 'yes', coverAuthority: 'yes', maxAge: '300' }
    assert.equal((await developer.post(`${PAGE}/settings`, fields)).status, 303)
    const read = () =>
      database.query(
        `select signed_callbacks as callbacks, cover_authority as authority, max_signature_age as age
         from merchants where merchant_id = $1`,
        [merchantId],
      )
    assert.deepEqual(await read(), [{ callbacks: true, authority: true, age: 300 }])
    for (const maxAge of ['0', '86401', '-5', 'soon']) {
      assert.equal((await developer.post(`${PAGE}/settings`, { maxAge })).status, 400)
    }
    await developer.post(`${PAGE}/settings`, {})
    assert.deepEqual(await read(), [{ callbacks: false, authority: false, age: null }])
  })

  it('are not changed by people who are limited to countries', async () => {
    const limited = await signedIn(service, 'admin', { merchantId, countries: ['ZMB'] })
    for (const what of ['keys', 'keys/remove', 'require', 'settings']) {
      const { status, text } = await limited.post(`${PAGE}/${what}`, {})
      assert.equal(status, 403, what)
      assert.match(text, /limited to Zambia/)
    }
    const { text } = await limited.get(PAGE)
    assert.match(text, /There is no key yet\.</)
    assert.doesNotMatch(text, /Add a key first|action="\/dashboard\/signatures/)
  })

  it('leave an entry in the audit log for every change', async () => {
    // Changes nothing: they are not required.
    assert.equal((await developer.post(`${PAGE}/require`, { required: 'no' })).status, 303)
    const entries = await database.query<{ action: string }>(
      'select action from audit_entries where merchant_id = $1 and actor = $2 order by number',
      [merchantId, developer.email],
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      [
        'signed in',
        'signature key added',
        'signatures required',
        'signatures not required',
        'signature key removed',
        'signature settings changed',
        'signature settings changed',
      ],
    )
  })
})
