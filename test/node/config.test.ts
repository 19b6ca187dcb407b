import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { banner } from '../../src/node/banner.ts'
import { readConfig } from '../../src/node/config.ts'
import { startLine } from '../../src/node/start-line.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { ROOT } from './program.ts'

const commandLine = openCommandLine()
after(() => commandLine.close())

/** Invalid values, and the way out that the error names. */
const BROKEN: readonly (readonly [name: string, value: string, expected: RegExp])[] = [
  ['PORT', '80a', /must be a whole number from 0 to 65535, not "80a"\./],
  ['PORT', '65536', /from 0 to 65535/],
  ['PORT', '-1', /from 0 to 65535/],
  ['MALIPO_ENV', 'staging', /must be sandbox or production, not "staging"\./],
  ['MALIPO_MAX_CONNECTIONS', '99', /must be a whole number from 100 to 1000000, not "99"\./],
  ['MALIPO_DB_CONNECTIONS', '3', /must be a whole number from 4 to 1000, not "3"\./],
  ['MALIPO_DB_CONNECTIONS', '1001', /from 4 to 1000,/],
  ['MALIPO_DB_TIMEOUT_MS', '1e4', /must be a whole number/],
  ['MALIPO_DB_TIMEOUT_MS', '10', /from 1000 to 600000,/],
  ['MALIPO_SANDBOX_DELAY_MS', '1.5', /must be a whole number/],
  ['MALIPO_SANDBOX_TIME_SCALE', '0', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TIME_SCALE', '1.5', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TIME_SCALE', 'half', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TOKEN', 'short', /needs 20 to 200 characters without spaces\./],
  ['MALIPO_SECRET_KEY', 'short', /needs at least 32 characters\./],
  ['MALIPO_SECRET_KEY_FILE', '/nowhere/key', /names "\/nowhere\/key", which cannot be read/],
  ['MALIPO_LOG_LEVEL', 'loud', /must be debug or info or .*, not "loud"\./],
  ...[
    ...['pay.example', 'ftp://pay.example', 'https://a,b', 'https://a,https://b', 'https://a b'],
    ...['https://x/app?y=1#z', 'https://x?', 'https://x/#', 'https://x/a,b', 'https://u:p@x'],
    ...[
      'https://@x',
      'https://',
      'https://x\\y',
      'https://x/a//b',
      'https://x/../y',
      'https://x/a/.',
    ],
  ].map(
    (value) => ['MALIPO_PUBLIC_URL', value, /must be one address, .*https:\/\/x\.org/] as const,
  ),
  [
    'MALIPO_TRUSTED_PROXIES',
    '10.0.0.1,proxy.local',
    /lists "proxy\.local": use an address, or a range/,
  ],
  ['MALIPO_SMTP_URL', 'mail.example.com', /must be an address that starts with smtp:\/\/ or/],
  ['MALIPO_SMTP_URL', 'https://mail.example.com', /must be an address that starts with smtp:/],
  ['DATABASE_URL', 'mysql://db/malipo', /must be an address that starts with postgres:\/\/\./],
]

it('a setting that cannot be used is named, with what can', () => {
  for (const [name, value, expected] of BROKEN) {
    const isNamed = (error: Error): boolean => {
      assert.ok(error.message.startsWith(`${name} `), error.message)
      assert.match(error.message, expected)
      return true
    }
    assert.throws(() => readConfig({ [name]: value }), isNamed, `${name}=${value}`)
  }
})

it('mail needs a sender', () => {
  const server = { MALIPO_SMTP_URL: 'smtps://user:secret@mail.example.com:465' }
  for (const from of ['', 'nobody', 'a b']) {
    const env = { ...server, MALIPO_MAIL_FROM: from }
    assert.throws(() => readConfig(env), /^ConfigProblem: MALIPO_MAIL_FROM must be set beside/)
  }
  for (const from of ['malipo@example.com', 'Malipo <malipo@example.com>']) {
    assert.equal(readConfig({ ...server, MALIPO_MAIL_FROM: from }).mailFrom, from)
  }
})

/** Names that nothing reads, and what was meant. */
const UNKNOWN: readonly (readonly [name: string, meant: string | undefined])[] = [
  ['MALIPO_ENVIRONMENT', 'MALIPO_ENV'],
  ['MALIPO_DB_TIMEOUT', 'MALIPO_DB_TIMEOUT_MS'],
  ['MALIPO_LOGLEVEL', 'MALIPO_LOG_LEVEL'],
  ['MALIPO_SECRET', 'MALIPO_SECRET_KEY'],
  ['MALIPO_PORT', 'PORT'],
  ['MALIPO_DATABASE_URL', 'DATABASE_URL'],
  ['MALIPO_TOKENS', 'MALIPO_TOKEN'],
  ['malipo_env', 'MALIPO_ENV'],
  ['Malipo_Loglevel', 'MALIPO_LOG_LEVEL'],
  ['malipo_token', 'MALIPO_TOKEN'],
  ['MALIPO_COLOUR_OF_THE_SKY', undefined],
]

it('a setting that does not exist is refused, with the one that was most likely meant', () => {
  for (const [name, meant] of UNKNOWN) {
    const hint = meant === undefined ? '' : `Did you mean ${meant}? `
    const message = `${name} is not a setting. ${hint}See docs/configuration.md.`
    assert.throws(() => readConfig({ [name]: '8080' }), { message })
    assert.equal(readConfig({ [name]: ' ' }).port, 8080, 'an empty value counts as absent')
  }
})

it('all settings that do not exist are named at once', () => {
  const env = { MALIPO_FOO: '1', MALIPO_ENV: 'sandbox', malipo_env: 'production', MALIPO_PORT: '1' }
  const message =
    'MALIPO_FOO is not a setting. malipo_env is not a setting. Did you mean MALIPO_ENV? ' +
    'MALIPO_PORT is not a setting. Did you mean PORT? See docs/configuration.md.'
  assert.throws(() => readConfig(env), { message })
})

it('what clients and Kubernetes set with this prefix is not a setting', () => {
  readConfig({
    MALIPO_TOKEN: 'mlp_sbx_of-a-client',
    MALIPO_URL: 'https://pay.example.com',
    MALIPO_SERVICE_HOST: '10.0.0.1',
    MALIPO_SERVICE_PORT: '8080',
    MALIPO_SERVICE_PORT_HTTP: '8080',
    MALIPO_API_SERVICE_HOST: '10.0.0.1',
    MALIPO_PORT: 'tcp://10.0.0.1:8080',
    MALIPO_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    MALIPO_PORT_8080_TCP_PROTO: 'tcp',
    MALIPO_PORT_8080_TCP_PORT: '8080',
    MALIPO_PORT_8080_TCP_ADDR: '10.0.0.1',
  })
})

it('the banner says that NODE_ENV does not select production', () => {
  const facts = {
    url: 'http://x',
    port: 1,
    token: undefined,
    sandboxLink: undefined,
    dashboardLink: undefined,
    place: 'x',
  }
  const text = (env: Record<string, string>) =>
    banner({ config: readConfig(env), ...facts, hasOperator: true, secondNodeUrl: undefined })
  const SAYS = /NODE_ENV=production is not read: this is a sandbox/
  assert.match(text({ NODE_ENV: 'production' }), SAYS)
  assert.doesNotMatch(text({ NODE_ENV: 'production', MALIPO_ENV: 'sandbox' }), SAYS)
  assert.doesNotMatch(text({}), SAYS)
})

it('the line that starts a second node suits the folder in which one stands', () => {
  assert.equal(startLine(ROOT), 'npm start')
  assert.equal(startLine(join(ROOT, '..')), `node ${join(ROOT, 'bin/malipo.mjs')} start`)
})

it('the public address is an origin and a path, without the slash at its end', () => {
  for (const [given, used] of [
    ['https://pay.example', 'https://pay.example'],
    ['https://pay.example/', 'https://pay.example'],
    ['HTTP://Pay.Example:8080/app//', 'http://pay.example:8080/app'],
    ['https://pay.example:443/app/v.1', 'https://pay.example/app/v.1'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://bénin.example', 'https://xn--bnin-bpa.example'],
  ] as const) {
    assert.equal(readConfig({ MALIPO_PUBLIC_URL: given }).publicUrl, used)
  }
})

it('and stops the start before anything is opened', async () => {
  const { code, stdout, stderr } = await commandLine.run(['start'], { PORT: '80a' })
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.match(stderr, /PORT must be a whole number/)
})
