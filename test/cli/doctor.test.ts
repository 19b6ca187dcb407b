import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, startService } from '../../harness/service.ts'
import { isAtLeast } from '../../src/cli/doctor/machine.ts'
import { VERSION } from '../../src/package-root.ts'
import { plain, read, rowsOf } from '../docs/documents.ts'
import { emptyDatabase, type Settings, sql } from '../node/program.ts'
import { freePorts } from '../support/ports.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const receiver = await startReceiver()
const commandLine = openCommandLine()
after(async () => {
  commandLine.close()
  await service.stop()
  await receiver.close()
})

const RUNNING = { DATABASE_URL: service.databaseUrl, PORT: String(service.node.port) }
const closedPort = await freePorts()

type Check = { readonly name: string; readonly ok: boolean; readonly message: string }
type Examined = { readonly checks: readonly Check[]; messageOf(name: string): string }

async function doctor(settings: Settings, ...args: readonly string[]): Promise<Examined> {
  const { code, stdout, stderr } = await commandLine.run(['doctor', '--json', ...args], settings)
  assert.equal(stderr, '')
  const { ok, checks, ...rest } = JSON.parse(stdout)
  assert.deepEqual(rest, {})
  assert.equal(
    ok,
    checks.every((one: Check) => one.ok),
  )
  assert.equal(code, ok ? 0 : 1)
  for (const check of checks) {
    assert.deepEqual(Object.keys(check), ['name', 'ok', 'message'])
    assert.ok(check.message.length > 0, check.name)
  }
  return {
    checks,
    messageOf: (name) => {
      const found = checks.find((one: Check) => one.name === name)
      assert.ok(found !== undefined, `${name} of ${checks.map((one: Check) => one.name)}`)
      return `${found.ok ? 'ok' : 'BAD'} ${found.message}`
    },
  }
}

it('of a running sandbox it looks at everything, and makes a test payment', async () => {
  const { messageOf } = await doctor(RUNNING)
  for (const [name, says] of [
    ['malipo', new RegExp(`^ok ${VERSION}$`)],
    ['node', /^ok v\d+\.\d+/],
    ['settings', /^ok sandbox/],
    ['disk', /^ok /],
    ['open files', /allowed|not limited/],
    ['database', /^ok PostgreSQL \d+\.\d+, .*B, PostgreSQL at /],
    ['encryption', /^ok /],
    ['durability', /full_page_writes/],
    // The server of the tests goes without.
    ['server settings', /max_wal_size|autovacuum is off/],
    ['connections', /\d+ of \d+ in use, a node opens up to 14/],
    ['clock', /^ok within \d+ ms of the database$/],
    ['schema', /^ok version \d+, up to date$/],
    ['environment', /^ok sandbox/],
    ['secret key', /^ok /],
    // A machine that stands still may make it look dead.
    ['nodes', new RegExp(`${VERSION} on .*, process ${process.pid}\\b`)],
    ['service', /^ok ready at http:/],
    ['payments', /^ok /],
    ['callback queue', /^ok /],
    ['cases', /^ok /],
    ['callbacks', /^ok no address is set$/],
    ['operators', /^ok the simulated operator$/],
    ['test payment', /^ok accepted in .*, COMPLETED in |^BAD It is \w+ after/],
    ['public address', /^ok not set/],
    ['mail', /^ok kept in the sandbox/],
  ] as const) {
    assert.match(messageOf(name), says)
  }
})

it('every check is described, and every description is of a check', async () => {
  const { checks } = await doctor(RUNNING)
  const names = checks.map(({ name }) => name)
  const described = rowsOf(read('docs/operating/doctor.md')).map(([name]) => plain(name))
  assert.deepEqual(described, names)
})

it('the text has a line for each check, and says how many are bad', async () => {
  const { stdout } = await commandLine.run(['doctor', '--no-payment'], RUNNING)
  assert.match(stdout, /^ok +malipo +\d/)
  assert.match(stdout, /^ok +schema +version \d+, up to date$/m)
  assert.doesNotMatch(stdout, /test payment/)
  assert.match(stdout, /\n\n(All \d+ checks are good|Bad: \d+ of \d+ checks)\.\n$/)
})

it('of a service that does not run it looks at what is there without it', async () => {
  const { checks, messageOf } = await doctor({
    DATABASE_URL: await cloneDatabase('malipo_demo'),
    PORT: String(closedPort),
  })
  assert.equal(messageOf('nodes'), 'ok none is running')
  assert.match(messageOf('service'), /^ok not running/)
  assert.match(messageOf('secret key'), /^ok /)
  assert.ok(!checks.some(({ name }) => name === 'test payment'))
})

it('a merchant’s addresses are connected to, and nothing is sent', async () => {
  await service.put('/sandbox/callbacks', {
    deposit: receiver.url,
    payout: `http://127.0.0.1:${closedPort}/hooks`,
  })
  const { messageOf } = await doctor(RUNNING, '--no-payment')
  assert.equal(messageOf('callbacks'), 'ok 1 address can be reached')
  assert.match(
    messageOf(`callbacks http://127.0.0.1:${closedPort}`),
    /^BAD connection refused\. \(demo\) Ask who runs it/,
  )
  assert.equal(receiver.received.length, 0)
  await service.put('/sandbox/callbacks', { deposit: null, payout: null })
})

const SECRET = 'another secret key of more than 32 characters'
const unused = `127.0.0.1:${closedPort}`

/** What is wrong, and what is reported about it, with the way out. */
const TROUBLE: readonly (readonly [name: string, settings: Settings, says: RegExp])[] = [
  ['settings', { MALIPO_LOG_LEVEL: 'loud' }, /MALIPO_LOG_LEVEL must be debug or/],
  ['settings', { MALIPO_PORT: '1' }, /MALIPO_PORT is not a setting/],
  [
    'service',
    { PORT: String(closedPort) },
    /Nothing answers at .* though a node has joined\. If it runs, set PORT/,
  ],
  ['secret key', { MALIPO_SECRET_KEY: SECRET }, /MALIPO_SECRET_KEY/],
  [
    'database',
    { DATABASE_URL: `postgres://${unused}/malipo` },
    /cannot be used.*Check the address/,
  ],
  [
    'environment',
    { MALIPO_ENV: 'production', MALIPO_SECRET_KEY: SECRET },
    /belongs to the sandbox environment.*set MALIPO_ENV=sandbox/,
  ],
  [
    'public address',
    { MALIPO_ENV: 'production', MALIPO_SECRET_KEY: SECRET },
    /MALIPO_PUBLIC_URL is not set.*Set it/,
  ],
  [
    'public address',
    { MALIPO_ENV: 'production', MALIPO_SECRET_KEY: SECRET, MALIPO_PUBLIC_URL: `http://${unused}` },
    /is not encrypted\. Serve it by https/,
  ],
  ['public address', { MALIPO_PUBLIC_URL: `https://${unused}` }, /connection refused\. Check/],
  [
    'mail',
    { MALIPO_SMTP_URL: `smtp://me:word@${unused}`, MALIPO_MAIL_FROM: 'malipo@example.com' },
    /does not take mail from us \(E\w+\)\. Check MALIPO_SMTP_URL/,
  ],
]

for (const [name, settings, says] of TROUBLE) {
  it(`${name}: ${Object.keys(settings).join(' and ')} is found wrong, with a way out`, async () => {
    const { checks, messageOf } = await doctor({ ...RUNNING, ...settings }, '--no-payment')
    assert.match(messageOf(name), /^BAD/)
    assert.match(messageOf(name), says)
    assert.doesNotMatch(JSON.stringify(checks), /me:word|another secret/)
  })
}

it('settings of the server that lose or waste something are found', async () => {
  const DATABASE_URL = await cloneDatabase('malipo_demo')
  const database = new URL(DATABASE_URL).pathname.slice(1)
  await sql(DATABASE_URL, `alter database ${database} set synchronous_commit = off`)
  const { messageOf } = await doctor({ ...RUNNING, DATABASE_URL }, '--no-payment')
  assert.match(
    messageOf('durability'),
    /^BAD .*synchronous_commit.* is off: a power cut loses payments/,
  )
})

it('what waits, what is in doubt and who fell silent is found', async () => {
  const DATABASE_URL = await cloneDatabase('malipo_demo')
  await sql(
    DATABASE_URL,
    `insert into nodes (machine, pid, beat, version, started_at) values ('there/1', 7, 3, '0.1.0', now())`,
  )
  await sql(
    DATABASE_URL,
    `insert into callback_urls (merchant_id, kind, url, paused_at)
     values (1, 'deposit', 'http://127.0.0.1:${closedPort}/', now())`,
  )
  await sql(DATABASE_URL, `update service_state set sealed_sandbox_token = null`)
  const { messageOf } = await doctor({ DATABASE_URL, PORT: String(closedPort) })
  assert.match(
    messageOf('nodes'),
    /^BAD 1 node ended without a word \(0\.1\.0 on there, process 7\)/,
  )
  assert.match(
    messageOf('callback queue'),
    /^BAD 1 address is paused\. See malipo callbacks list\.$/,
  )
})

it('a database without a schema: it says what to do', async () => {
  const { messageOf } = await doctor({
    DATABASE_URL: await emptyDatabase(),
    PORT: String(closedPort),
  })
  assert.match(messageOf('schema'), /^BAD \d+ migrations to apply\. Run "malipo migrate"/)
})

it('versions are compared as numbers', () => {
  assert.ok(isAtLeast('20.19.0', '20.19'))
  assert.ok(isAtLeast('22.1.0', '20.19'))
  assert.ok(!isAtLeast('20.9.0', '20.19'))
  assert.ok(!isAtLeast('9.99.0', '20.19'))
})
