import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { unseal } from '../../src/signing/keys.ts'
import { findUserByEmail } from '../../src/store/people/users.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { ROOT } from '../node/program.ts'
import { formIn, openJar } from '../support/cookie-jar.ts'
import { enter, personWithPassword } from './people.ts'

const service = await startService()
const { database, databaseUrl, url } = service
const settings = { DATABASE_URL: databaseUrl, MALIPO_PUBLIC_URL: url }
const commandLine = openCommandLine(settings)
after(async () => {
  commandLine.close()
  await service.stop()
})

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await commandLine.run(args)
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}

const refused = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await commandLine.run(args)
  assert.notEqual(code, 0)
  return stderr
}

/** With something on the standard input, which a process of its own reads. */
async function runWith(input: string, args: readonly string[]) {
  const child = spawn(process.execPath, ['bin/malipo.mjs', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

const entriesOf = async (email: string) =>
  (
    await database.query<{ actor: string; action: string }>(
      'select actor, action from audit_entries where object = $1 order by number',
      [email],
    )
  ).map(({ actor, action }) => `${actor}: ${action}`)

const PASSWORD = 'granite lagoon whistle'

it('adds a person with a link that sets the password once', async () => {
  const email = 'amina@example.com'
  const added = await run(
    'user',
    'add',
    'Amina@Example.com',
    '--merchant',
    'demo',
    '--role',
    'finance',
  )
  const link = /^http\S+$/m.exec(added)?.[0] ?? ''
  assert.match(added, /Send it to amina@example\.com/)
  const jar = openJar(url)
  assert.match((await jar.get(link)).text, /For amina@example\.com/)
  const set = await jar.post(link, { password: PASSWORD, again: PASSWORD })
  assert.equal(set.location, '/sign-in?notice=saved')
  assert.equal((await jar.get(link)).status, 410)
  assert.equal((await enter(service, jar, email, { password: PASSWORD })).status, 303)
  assert.match((await jar.get('/dashboard')).text, />Finance</)
  assert.deepEqual(await entriesOf(email), [
    'command line: user invited',
    `${email}: password set by link`,
    `${email}: signed in`,
  ])
})

it('answers as JSON for programs, and sets a password from the standard input', async () => {
  const args = ['--merchant', 'demo', '--role', 'support', '--country', 'ZMB', '--country', 'KEN']
  const { email, link } = JSON.parse(await run('user', 'add', 'j@example.com', ...args, '--json'))
  assert.equal(email, 'j@example.com')
  assert.match(link, /\/set-password\//)
  const direct = await runWith(`${PASSWORD}\n`, [
    ...['user', 'add', 'script@example.com', ...args, '--password-stdin', '--json'],
  ])
  assert.deepEqual([direct.code, JSON.parse(direct.stdout)], [0, { email: 'script@example.com' }])
  const entered = await openJar(url).post('/sign-in', {
    email: 'script@example.com',
    password: PASSWORD,
  })
  assert.equal(entered.status, 303)
  const bad = ['user', 'add', 'weak@example.com', ...args, '--password-stdin']
  const weak = await commandLine.run(bad, {}, 'password1234\n')
  assert.notEqual(weak.code, 0)
  assert.match(weak.stderr, /Many people use this password/)
  assert.equal(await findUserByEmail(database, 'weak@example.com'), undefined)
  const [row] = await database.query(
    `select role, countries from memberships join users using (user_id) where email = $1`,
    ['script@example.com'],
  )
  assert.deepEqual(row, { role: 'support', countries: ['ZMB', 'KEN'] })
})

it('says what is wrong with what was given', async () => {
  const add = (...args: string[]) => refused('user', 'add', ...args)
  assert.match(await add('x@example.com', '--role', 'owner'), /Name the merchant with --merchant/)
  assert.match(await add('x@example.com', '--merchant', 'demo'), /Name the role with --role/)
  assert.match(await add('x', '--merchant', 'demo', '--role', 'owner'), /not an e-mail address/)
  assert.match(
    await add('x@example.com', '--merchant', 'demo', '--role', 'king'),
    /"king" is not a role\. Roles are owner, admin/,
  )
  assert.match(
    await add('x@example.com', '--merchant', 'nobody', '--role', 'owner'),
    /There is no merchant "nobody"/,
  )
  assert.match(
    await add('x@example.com', '--merchant', 'demo', '--role', 'owner', '--country', 'Zambia'),
    /"Zambia" is not a country/,
  )
  for (const verb of ['disable', 'enable', 'reset']) {
    assert.match(await refused('user', verb, 'nobody@example.com'), /There is no user/)
  }
})

it('disables and enables: the person is out at once', async () => {
  const { email } = await personWithPassword(service)
  const jar = openJar(url)
  const again = () => jar.post('/sign-in', { email, password: 'violet harbour lantern' })
  assert.equal((await enter(service, jar, email)).status, 303)
  assert.equal(await run('user', 'disable', email), `${email} is disabled.\n`)
  assert.equal((await jar.get('/dashboard')).status, 303)
  assert.equal((await again()).status, 401)
  const listed = JSON.parse(await run('user', 'list', '--json'))
  const one = listed.find((user: { email: string }) => user.email === email)
  assert.deepEqual(one, {
    email,
    merchants: 'demo (owner)',
    secondFactor: 'none',
    state: 'disabled',
  })
  await run('user', 'enable', email)
  assert.equal((await enter(service, jar, email)).status, 303)
  const entries = await eventually(async () => {
    const found = await entriesOf(email)
    assert.equal(found.length, 5)
    return found
  })
  // A failure is written behind its answer.
  assert.deepEqual(
    entries.filter((one) => one !== 'not signed in: sign-in failed'),
    [
      `${email}: signed in`,
      'command line: user disabled',
      'command line: user enabled',
      `${email}: signed in`,
    ],
  )
})

it('a reset takes away password, second factor, passkeys, recovery codes and sessions', async () => {
  const { email, userId } = await personWithPassword(service)
  const jar = openJar(url)
  await enter(service, jar, email)
  await database.query(
    `with a as (update users set sealed_code_key = 'x', code_since = now() where user_id = $1),
       b as (insert into recovery_codes (user_id, hash) values ($1, 'x'))
     insert into passkeys (credential_id, user_id, name, public_key, counter, transports, created_at)
     values ('of ' || $1::text, $1, 'x', 'x', 0, '{}', now())`,
    [userId],
  )
  assert.match(await run('user', 'list'), /authenticator, passkey/)
  const printed = await run('user', 'reset', email)
  assert.match(printed, /\/set-password\//)
  const user = await findUserByEmail(database, email)
  assert.deepEqual(
    [user?.passwordHash, user?.sealedCodeKey, user?.hasCode, user?.passkeys],
    [null, null, false, 0],
  )
  assert.equal(
    (await database.query('select from recovery_codes where user_id = $1', [userId])).length,
    0,
  )
  assert.equal((await jar.get('/dashboard')).status, 303)
})

it('an account is a merchant’s or staff, never both', async () => {
  await database.query(
    `insert into users (email, is_staff, created_at) values ('staff@example.com', true, now())`,
  )
  const args = ['staff@example.com', '--merchant', 'demo', '--role', 'support']
  assert.match(await refused('user', 'add', ...args), /belongs to the staff/)
})

it('sets the provider of a merchant, with its secret sealed, shows and removes it', async () => {
  const set = ['merchant', 'sign-in', 'demo', '--issuer', 'https://login.example.com']
  const whole = [
    ...set,
    '--client-id',
    'malipo',
    '--domain',
    'Example.com',
    '--client-secret-stdin',
  ]
  assert.match(await refused(...set), /Name the client with --client-id/)
  assert.match(await refused(...set, '--client-id', 'x'), /--domain/)
  assert.match(await refused(...set, '--client-id', 'x', '--domain', 'a@b'), /is not a domain/)
  assert.match(
    await refused('merchant', 'sign-in', 'demo', '--issuer', 'ftp://x', '--client-id', 'x'),
    /is not the https address/,
  )
  const done = await commandLine.run(whole, {}, 'the secret\n')
  assert.deepEqual([done.code, done.stderr], [0, ''])
  assert.match(done.stdout, new RegExp(`redirect address there: ${url}/sign-in/company/answer`))
  const [row] = await database.query<{ sealed: string; domains: string[] }>(
    'select sealed_client_secret as sealed, domains from merchant_sign_ins',
  )
  assert.equal(unseal(service.node.ctx.people.secretKey, row?.sealed ?? ''), 'the secret')
  assert.deepEqual(row?.domains, ['example.com'])
  assert.equal(
    await run('merchant', 'sign-in', 'demo'),
    'demo: https://login.example.com as malipo, for e-mails of example.com.\n',
  )
  assert.match(await run('merchant', 'sign-in', 'demo', '--off'), /has no provider any more/)
  assert.equal(await run('merchant', 'sign-in', 'demo'), 'demo has no provider.\n')
  assert.deepEqual(await entriesOf('demo'), [
    'command line: company sign-in set',
    'command line: company sign-in removed',
  ])
})

it('the banner’s link signs in once, as the owner of the demo merchant', async () => {
  const link = service.node.dashboardLink ?? ''
  const jar = openJar(url)
  assert.equal((await jar.get(link.replace(/^https?:\/\/[^/]+/, ''))).location, '/dashboard')
  assert.ok(formIn((await jar.get('/dashboard')).text) !== '')
  assert.equal((await openJar(url).get(link)).status, 410)
})

it('commands that change tokens, keys, addresses and settings are in the audit log', async () => {
  await run('merchant', 'create', 'recorded', '--name', 'Recorded')
  const made = JSON.parse(await run('token', 'create', 'recorded', '--label', 'till', '--json'))
  await run('token', 'revoke', made.tokenId)
  await refused('token', 'revoke', made.tokenId)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(await mkdtemp(join(tmpdir(), 'malipo-key-')), 'public.pem')
  await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }))
  await run('merchant-key', 'add', 'recorded', 'shop-1', '--file', file)
  await refused('merchant-key', 'add', 'recorded', 'shop-1', '--file', file)
  await run('merchant', 'signatures', 'recorded', '--signed-requests-only', 'on', '--max-age', '60')
  await run('merchant', 'signatures', 'recorded', '--max-age', 'off')
  await run('merchant-key', 'remove', 'recorded', 'shop-1')
  const url = 'https://shop.example.com/hooks'
  await run('merchant', 'callbacks', 'recorded', '--deposit', url, '--payout', 'none')
  await run('merchant', 'return-schemes', 'recorded', '--set', 'myapp')
  await run('merchant', 'identifiers', 'recorded', '--any-uuid', 'on')
  await run('merchant', 'suspend', 'recorded')
  await run('merchant', 'suspend', 'recorded', '--lift')
  await run('key', 'rotate')
  const entries = await database.query<Record<string, unknown>>(
    `select actor, address, action, object, before, after from audit_entries
     left join merchants using (merchant_id)
     where slug = 'recorded' or merchant_id = 0 order by merchant_id desc, number`,
  )
  for (const { actor, address } of entries) {
    assert.deepEqual([actor, address], ['command line', ''])
  }
  const { tokenId } = made
  const scopes = ['*']
  assert.deepEqual(
    entries.map(({ action, object, before, after: now }) => [action, object, before, now]),
    [
      ['merchant created', 'recorded', null, { name: 'Recorded' }],
      ['token created', tokenId, null, { label: 'till', scopes, expires: null }],
      ['token revoked', tokenId, { label: 'till' }, null],
      ['signature key added', 'shop-1', null, { kind: 'EC P-256' }],
      [
        'signatures required',
        'recorded',
        { signedRequestsOnly: false, maxSignatureAge: null },
        { signedRequestsOnly: true, maxSignatureAge: 60 },
      ],
      ['signature settings changed', 'recorded', { maxSignatureAge: 60 }, { maxSignatureAge: 0 }],
      ['signature key removed', 'shop-1', null, null],
      [
        'callback URL changed',
        'deposit, payout',
        { deposit: null, payout: null },
        { deposit: url, payout: null },
      ],
      ['return schemes changed', 'recorded', { schemes: [] }, { schemes: ['myapp'] }],
      ['identifiers changed', 'recorded', null, { anyUuid: true }],
      ['merchant suspended', 'recorded', null, null],
      ['merchant active again', 'recorded', null, null],
      [
        'signing key rotated',
        'HTTP_EC_P256_KEY:2',
        { keyId: 'HTTP_EC_P256_KEY:1' },
        { withdrawn: false },
      ],
    ],
  )
})
