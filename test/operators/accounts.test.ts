import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually, payer, startService } from '../../harness/service.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { openCommandLine } from '../cli/command-line.ts'

const SECRET_KEY = 'a key for tests that nobody else has, 0123456789'
const service = await startService({
  MALIPO_ENV: 'production',
  MALIPO_SECRET_KEY: SECRET_KEY,
  MALIPO_SANDBOX_DELAY_MS: '',
})
const operator = await startStandIn(MTN_MOMO_STAND_IN)
const commandLine = openCommandLine()
const folder = await mkdtemp(join(tmpdir(), 'malipo-accounts-'))
after(async () => {
  await operator.close()
  commandLine.close()
  await service.stop()
})

const settings = {
  DATABASE_URL: service.databaseUrl,
  MALIPO_ENV: 'production',
  MALIPO_SECRET_KEY: SECRET_KEY,
  MALIPO_PUBLIC_URL: 'https://pay.example.org',
}
const malipo = (...args: string[]) => commandLine.run([...args, '--json'], settings)

const credentials = (key = 'key') => ({
  subscriptionKey: 'sub-0123456789',
  apiUser: 'user-0123456789',
  apiKey: `${key}-0123456789`,
})
const ACCOUNT = {
  name: 'mtn-zambia',
  connector: 'mtn-momo',
  baseUrl: operator.url,
  providers: { MTN_MOMO_ZMB: ['DEPOSIT'] },
  priority: 1,
  settings: { targetEnvironment: 'mtnzambia' },
  secrets: { collection: credentials() },
}

function fileOf(content: unknown): string {
  const file = join(folder, `${Math.random()}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('without any account', () => {
  it('production is not ready, and says why', async () => {
    const { status, body } = await service.get('/readyz')
    assert.deepEqual([status, body.reason], [503, 'no operator account'])
  })
})

describe('malipo operator add refuses', () => {
  const wrong = [
    ['{', /The file is not JSON\. Check quotes/],
    [[], /The file must be a JSON object/],
    [{ ...ACCOUNT, name: undefined }, /"name" is missing/],
    [{ ...ACCOUNT, name: 'A B' }, /"name" is "A B"\. Use 2 to 24 of a to z, 0 to 9 and "-"/],
    [{ ...ACCOUNT, name: 'mpesa-kenya' }, /"name" contains "mpesa"/],
    [{ ...ACCOUNT, connector: 'nokia' }, /"connector" is "nokia"\. Use one of .*mtn-momo/],
    [{ ...ACCOUNT, baseUrl: 'http://example.org' }, /Use https; http is possible for a loopback/],
    [{ ...ACCOUNT, baseUrl: 'nothing' }, /"baseUrl" is "nothing", which is no address/],
    [{ ...ACCOUNT, baseUrl: 'https://a:b@example.org' }, /more than a host and a path/],
    [{ ...ACCOUNT, providers: {} }, /"providers" names none/],
    [{ ...ACCOUNT, providers: { NOBODY: ['DEPOSIT'] } }, /"NOBODY", which is not in the catalogue/],
    [{ ...ACCOUNT, providers: { MTN_MOMO_ZMB: ['LEND'] } }, /lists "LEND"\. Use DEPOSIT, PAYOUT/],
    [{ ...ACCOUNT, providers: { MTN_MOMO_ZMB: [] } }, /at least one operation/],
    [{ ...ACCOUNT, priority: 'first' }, /"priority" must be a whole number from 0 to 1000/],
    [{ ...ACCOUNT, settings: {} }, /"settings\.targetEnvironment" is missing/],
    [{ ...ACCOUNT, settings: { targetEnvironment: 'x', colour: 'red' } }, /the member "colour"/],
    [{ ...ACCOUNT, secrets: {} }, /"secrets\.collection" is missing\. It is needed for DEPOSIT/],
    [
      { ...ACCOUNT, secrets: { collection: {} } },
      /"secrets\.collection\.subscriptionKey" is missing/,
    ],
    [{ ...ACCOUNT, colour: 'red' }, /has the member "colour", which does not exist/],
    [{ ...ACCOUNT, callbackSources: ['nowhere'] }, /"nowhere": use an address, or a range/],
  ] as const
  for (const [content, words] of wrong) {
    it(`${words.source}`, async () => {
      const { code, stderr } = await malipo('operator', 'add', '--file', fileOf(content))
      assert.equal(code, 2)
      assert.match(JSON.parse(stderr).error, words)
    })
  }
})

describe('an account', () => {
  it('is added once, with an address for callbacks that nobody can guess', async () => {
    const { code, stdout } = await malipo('operator', 'add', '--file', fileOf(ACCOUNT))
    assert.equal(code, 0)
    const { callbackUrl } = JSON.parse(stdout)
    assert.match(callbackUrl, /^https:\/\/pay\.example\.org\/operators\/mtn-zambia\/[\w-]{22}$/)
    const again = await malipo('operator', 'add', '--file', fileOf(ACCOUNT))
    assert.match(again.stderr, /There is an account \\"mtn-zambia\\" already/)
  })

  it('makes production ready', () =>
    eventually(async () => assert.equal((await service.get('/readyz')).status, 200)))

  it('is shown without its secrets', async () => {
    const { stdout } = await malipo('operator', 'show', 'mtn-zambia')
    const { callbackUrl, ...shown } = JSON.parse(stdout)
    const { secrets: _, ...described } = ACCOUNT
    assert.deepEqual(shown, {
      ...described,
      enabled: true,
      secrets: { collection: 'set', disbursement: 'absent', remittance: 'absent' },
    })
    for (const secret of Object.values(ACCOUNT.secrets.collection)) {
      assert.ok(!stdout.includes(secret))
      const rows = await service.database.query<{ text: string }>(
        'select a::text as text from operator_accounts a',
      )
      assert.ok(rows.every(({ text }) => !text.includes(secret)))
    }
  })

  it('is tested by signing in and reading its balance', async () => {
    const { code, stdout } = await malipo('operator', 'test', 'mtn-zambia')
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout), {
      ok: true,
      steps: [
        { what: 'sign in (collection)', ok: true, message: 'signed in' },
        { what: 'balance (collection)', ok: true, message: '1000000 ZMW' },
      ],
    })
    const { stdout: shown } = await malipo('operator', 'balance')
    const [{ at: _, ...balance }] = JSON.parse(shown)
    assert.deepEqual(balance, {
      name: 'mtn-zambia',
      product: 'collection',
      amount: '1000000',
      currency: 'ZMW',
      problem: '',
    })
    operator.faults.set([{ on: 'any', fault: 'drop-before' }])
    const unanswered = await malipo('operator', 'balance')
    assert.equal(unanswered.code, 1)
    assert.match(unanswered.stdout, /no answer: see malipo operator test mtn-zambia/)
    operator.faults.set([])
  })

  it('is not sealed under another key than everything else', async () => {
    const file = fileOf({ ...ACCOUNT, name: 'mtn-other' })
    const wrong = {
      ...settings,
      MALIPO_SECRET_KEY: 'another key, which is as long as any 0123456789',
    }
    const { code, stderr } = await commandLine.run(['operator', 'add', '--file', file], wrong)
    assert.equal(code, 2)
    assert.match(stderr, /MALIPO_SECRET_KEY does not fit the stored data/)
  })

  it('with wrong credentials fails its test with the words of the operator', async () => {
    const part = fileOf({ secrets: { collection: credentials('wrong') } })
    assert.equal((await malipo('operator', 'update', 'mtn-zambia', '--file', part)).code, 0)
    const { code, stdout } = await malipo('operator', 'test', 'mtn-zambia')
    assert.equal(code, 1)
    assert.match(JSON.parse(stdout).steps[0].message, /401 .*Access token is invalid/)
    const back = fileOf({ secrets: { collection: credentials() } })
    assert.equal((await malipo('operator', 'update', 'mtn-zambia', '--file', back)).code, 0)
  })

  it('that is disabled takes its providers away, and gives them back', async () => {
    const reached = () => service.node.ctx.providers.reached().map(({ code }) => code)
    await malipo('operator', 'disable', 'mtn-zambia')
    await eventually(() => assert.deepEqual(reached(), []))
    // It stays ready: operators still call back about what is under way.
    assert.equal((await service.get('/readyz')).status, 200)
    await malipo('operator', 'enable', 'mtn-zambia')
    await eventually(() => assert.deepEqual(reached(), ['MTN_MOMO_ZMB']))
  })

  it('is refused under a name that does not exist', async () => {
    for (const verb of ['show', 'test', 'disable', 'enable', 'remove']) {
      const { code, stderr } = await malipo('operator', verb, 'nobody')
      assert.deepEqual([code, /There is no account/.test(stderr)], [2, true])
    }
  })
})

describe('a merchant of production', () => {
  it('is paid through the account that was added', async () => {
    const made = await malipo('merchant', 'create', 'acme', '--name', 'Acme')
    assert.equal(made.code, 0, made.stderr)
    const { stdout } = await malipo('token', 'create', 'acme', '--label', 'tests')
    const { token } = JSON.parse(stdout)
    const depositId = '6731b422-8686-4573-a055-63589c224f0c'
    const body = {
      depositId,
      amount: '15',
      currency: 'ZMW',
      payer: payer('260763400001', 'MTN_MOMO_ZMB'),
    }
    const headers = { authorization: `Bearer ${token}` }
    const accepted = await service.post('/v2/deposits', body, headers)
    assert.equal(accepted.body.status, 'ACCEPTED', JSON.stringify(accepted.body))
    await eventually(async () => {
      const { body: found } = await service.get(`/v2/deposits/${depositId}`, headers)
      assert.equal(found.data.status, 'COMPLETED')
    })
    assert.equal(operator.book.all().length, 1)
    const story = await commandLine.run(['payment', 'show', depositId], settings)
    for (const words of [
      'COMPLETED',
      'submit at mtn-zambia: 202',
      'callback from mtn-zambia',
      'money: 15',
    ])
      assert.ok(story.stdout.includes(words), story.stdout)
    assert.ok(!story.stdout.includes('260763400001'))
    const { stdout: list } = await malipo('payment', 'list', '--operator', 'mtn-zambia')
    assert.deepEqual(
      JSON.parse(list).map(({ id, state }: { id: string; state: string }) => [id, state]),
      [[depositId, 'COMPLETED']],
    )
  })

  it('the account cannot be removed while a payment of it is open', async () => {
    const party = '260763400002'
    operator.setEnding(party, { says: 'pending' })
    const { stdout } = await malipo('token', 'create', 'acme', '--label', 'more tests')
    const headers = { authorization: `Bearer ${JSON.parse(stdout).token}` }
    const body = {
      depositId: '6731b422-8686-4573-a055-63589c224f0d',
      amount: '15',
      currency: 'ZMW',
      payer: payer(party, 'MTN_MOMO_ZMB'),
    }
    assert.equal((await service.post('/v2/deposits', body, headers)).body.status, 'ACCEPTED')
    await eventually(() => assert.equal(operator.book.all().length, 2))
    const refused = await malipo('operator', 'remove', 'mtn-zambia')
    assert.match(refused.stderr, /1 payment of the account \\"mtn-zambia\\" is still open/)
    assert.match(refused.stderr, /See malipo payment list --operator mtn-zambia\./)
    const { callbackUrl } = JSON.parse((await malipo('operator', 'show', 'mtn-zambia')).stdout)
    const { pathname } = new URL(callbackUrl)
    const { reference: known = '' } = operator.book.all().at(-1) ?? {}
    assert.equal((await service.post(`${pathname}/%00`, '{}')).status, 200)
    assert.equal((await service.post(`${pathname}/${known}`, '\u001b[31mred')).status, 200)
    const output = await eventually(async () => {
      const story = await commandLine.run(['payment', 'show', body.depositId], settings)
      assert.match(story.stdout, /\[31mred/)
      return story.stdout
    })
    assert.ok(!output.includes('\u001b'), 'a terminal would obey it')
    const [entry] = operator.book.all().slice(-1)
    operator.end(entry?.reference ?? '', { says: 'success' })
    await eventually(async () => {
      assert.equal((await malipo('operator', 'remove', 'mtn-zambia')).code, 0)
    })
    await eventually(async () => assert.equal((await service.get('/readyz')).status, 503))
  })
})
