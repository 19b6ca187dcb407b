import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { malipo, ROOT } from '../node/program.ts'
import { openCommandLine } from './command-line.ts'

const DATABASE_URL = await cloneDatabase()
const commandLine = openCommandLine({ DATABASE_URL })
const { run } = commandLine
after(() => commandLine.close())

it('help lists every command with what it does', async () => {
  for (const args of [['--help'], ['-h'], ['help'], []]) {
    const { code, stdout, stderr } = await run(args)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    for (const { name, summary, alias } of COMMANDS) {
      const also = alias === undefined ? '' : ` (also: malipo ${alias})`
      assert.match(stdout, new RegExp(`^  ${name} +${escaped(summary + also)}$`, 'm'))
    }
  }
})

it('the name of a group lists the commands of that group alone', async () => {
  for (const args of [['token'], ['token', '--help'], ['help', 'token']]) {
    const { code, stdout } = await run(args)
    assert.equal(code, 0)
    assert.match(stdout, /token create/)
    assert.match(stdout, /token revoke/)
    assert.doesNotMatch(stdout, /merchant create/)
  }
})

it('every command explains its arguments and options, and does nothing else', async () => {
  for (const command of COMMANDS) {
    const { code, stdout } = await run([...command.name.split(' '), '--help'])
    assert.equal(code, 0, command.name)
    const args = (command.arguments ?? []).map((one) => ` <${one}>`).join('')
    assert.ok(stdout.startsWith(`Usage: malipo ${command.name}${args} [options]\n`), stdout)
    assert.ok(stdout.includes(command.summary))
    for (const [name, { summary }] of Object.entries(command.options)) {
      assert.match(stdout, new RegExp(`--${name}.*${escaped(summary)}`))
    }
    assert.match(stdout, /--json/)
  }
})

it('prints its version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const { code, stdout } of [await run(['--version']), await run(['version'])]) {
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
  }
})

const MISUSE: readonly { readonly args: string; readonly says: RegExp }[] = [
  { args: 'pay', says: /There is no command "pay"\. See malipo --help\./ },
  {
    args: 'token destroy',
    says: /There is no command "token destroy"\. See malipo token --help\./,
  },
  {
    args: 'stert',
    says: /There is no command "stert"\. Did you mean "start"\? See malipo --help\./,
  },
  {
    args: 'merchnt creat acme',
    says: /"merchnt creat acme"\. Did you mean "merchant create"\? See malipo --help\./,
  },
  {
    args: 'token lst',
    says: /There is no command "token lst"\. Did you mean "token list"\? See malipo token --help\./,
  },
  { args: 'version x', says: /"malipo version" takes no arguments\./ },
  { args: '--version x', says: /"malipo --version" takes no arguments\./ },
  { args: 'token list --merchant -1', says: /There is no merchant "-1"/ },
  { args: '--fast', says: /There is no option "--fast"\. See malipo --help\./ },
  {
    args: 'verify --fast',
    says: /^\s*There is no option "--fast"\. See malipo verify --help\.\s*$/,
  },
  { args: 'verify --json=yes', says: /^\s*The option "--json" takes no value\. See malipo verify/ },
  { args: 'token list --merchant -x', says: /^\s*The option "--merchant" needs a value\. See/ },
  { args: 'help pay', says: /There is no command "pay"\. See malipo --help\./ },
  { args: 'merchant create', says: /"malipo merchant create" takes <short-name>\./ },
  { args: 'merchant create one two', says: /"malipo merchant create" takes <short-name>\./ },
  { args: 'migrate now', says: /"malipo migrate" takes no arguments\./ },
  { args: 'start now', says: /"malipo start" takes no arguments\./ },
  {
    args: 'token create demo --label',
    says: /^\s*The option "--label" needs a value\. See malipo token create --help\.\s*$/,
  },
  { args: 'merchant create ACME', says: /A short name has 2 to 41 lower-case letters/ },
  { args: 'merchant suspend nobody', says: /There is no merchant "nobody"\. See malipo merchant/ },
  { args: 'token create nobody', says: /There is no merchant "nobody"/ },
  { args: 'token list --merchant nobody', says: /There is no merchant "nobody"/ },
  { args: 'token revoke tok_none', says: /There is no active token "tok_none"\. See malipo token/ },
]

for (const { args, says } of MISUSE) {
  it(`"malipo ${args}" is refused with a way out, and code 2`, async () => {
    const { code, stdout, stderr } = await run(args.split(' '))
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\bat .*\.js:\d+/)
  })
}

it('a command can be explained by help as well', async () => {
  const { code, stdout } = await run(['help', 'token', 'create'])
  assert.equal(code, 0)
  assert.ok(stdout.startsWith('Usage: malipo token create <merchant> [options]\n'), stdout)
})

it('an empty list says whether it is empty because of the filter', async () => {
  assert.equal((await run(['merchant', 'create', 'lonely'])).code, 0)
  assert.match((await run(['callbacks', 'list'])).stdout, /^No callback matches\. Without --status/)
  assert.equal((await run(['case', 'list'])).stdout, 'No case is open.\n')
  const tokens = await run(['token', 'list', '--merchant', 'lonely'])
  assert.equal(tokens.stdout, 'The merchant "lonely" has no token.\n')
})

it('with --json the refusal is JSON as well', async () => {
  const { code, stdout, stderr } = await run(['token', 'revoke', 'tok_none', '--json'])
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  assert.match(JSON.parse(stderr).error, /no active token/)
})

it('the exit code is that of the process', async () => {
  const misuse = await malipo(['pay'])
  assert.deepEqual({ code: misuse.code, stdout: misuse.stdout }, { code: 2, stdout: '' })
  const trouble = await malipo(['verify'], { PORT: 'eighty' })
  assert.deepEqual({ code: trouble.code, stdout: trouble.stdout }, { code: 1, stdout: '' })
})

it('a setting that cannot be used is named, with code 1', async () => {
  const cases = {
    PORT: 'eighty',
    MALIPO_ENV: 'staging',
    DATABASE_URL: 'mysql://127.0.0.1/malipo',
    MALIPO_DB_CONNECTIONS: '2',
    MALIPO_LOG_LEVEL: 'loud',
    MALIPO_SANDBOX_DELAY_MS: '-1',
    MALIPO_SANDBOX_TOKEN: 'short',
    MALIPO_SECRET_KEY: 'short',
    MALIPO_PUBLIC_URL: 'pay.example.org',
  }
  for (const [name, value] of Object.entries(cases)) {
    const { code, stdout, stderr } = await run(['verify'], { [name]: value })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, name)
    assert.match(stderr, new RegExp(`^ {2}${name} `, 'm'))
  }
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
